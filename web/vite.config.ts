import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'vite'

// Where a server runs while one works on the gallery: FERROTYPE_URL=http://127.0.0.1:8090 npm run dev
const server = process.env.FERROTYPE_URL ?? 'http://127.0.0.1:8080'
const served = ['/api', '/i/', '/health', '/metrics', '/storage', '/auth', '/s/']

export default defineConfig({
  plugins: [svelte()],
  build: {
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: {
    proxy: Object.fromEntries(served.map((path) => [path, { target: server, changeOrigin: false }])),
  },
})
