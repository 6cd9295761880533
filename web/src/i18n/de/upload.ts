export const upload = {}
