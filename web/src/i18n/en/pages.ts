export const pages = {}
