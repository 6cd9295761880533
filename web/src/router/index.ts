export { router, scrolled } from './router.svelte'
export type { Params } from './match'
