import * as mdi from '@mdi/js'
import { svelte } from '@sveltejs/vite-plugin-svelte'
import { createHash } from 'node:crypto'
import { defineConfig, type Plugin, type Rolldown } from 'vite'

// Where a server runs while one works on the gallery: FERROTYPE_URL=http://127.0.0.1:8090 npm run dev
const server = process.env.FERROTYPE_URL ?? 'http://127.0.0.1:8080'
const served = ['/api', '/i/', '/health', '/metrics', '/storage', '/auth', '/s/']

export default defineConfig({
  // Parts of the app are found beside each other, below whatever path of a host.
  base: './',
  plugins: [svelte(), icons(), serviceWorker(), startScript(), fromTheRoot()],
  build: {
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: { index: 'index.html', start: 'src/start.ts', sw: 'src/offline/worker.ts' },
      output: {
        // A service worker serves what is below it, so it stands at the root and keeps its name.
        entryFileNames: ({ name }) => (name === 'sw' ? 'sw.js' : 'assets/[name]-[hash].js'),
        // What is always loaded together is one file: each further one waits its turn on a slow connection.
        codeSplitting: {
          groups: [
            { name: 'first', test: /src\/(base|api\/early|i18n\/preferred)\.ts$|vite\/preload-helper|rolldown\/runtime/, priority: 3 },
            { name: 'app', test: /src\/main\.ts$/, priority: 2 },
            { name: 'photos', test: /src\/(pages\/Photos|timeline\/PhotoGrid)\.svelte$/, priority: 1 },
          ],
        },
      },
    },
  },
  server: {
    proxy: Object.fromEntries(served.map((path) => [path, { target: server, changeOrigin: false }])),
  },
})

/**
 * Has the page load src/start.ts by itself: as a part of the app it would run only once all of the
 * app is there. While one works on the gallery it is left out, and everything comes a little later.
 */
function startScript(): Plugin {
  return {
    name: 'start-script',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(_, { bundle }) {
        const start = Object.values(bundle ?? {}).find((chunk) => chunk.type === 'chunk' && chunk.isEntry && chunk.name === 'start')
        if (start?.type !== 'chunk') throw new Error('src/start.ts was not built')
        const attrs = { type: 'module', async: true, crossorigin: true, fetchpriority: 'high', src: `/${start.fileName}` }
        return [{ tag: 'script', attrs, injectTo: 'head' }]
      },
    },
  }
}

/** The page is shown at many addresses, so it names its parts from the root; the server moves them below its path. */
function fromTheRoot(): Plugin {
  return {
    name: 'from-the-root',
    apply: 'build',
    transformIndexHtml: { order: 'post', handler: (html) => html.replaceAll('="./', '="/') },
  }
}

/** Tells the service worker what the app is made of, and by which name to tell versions apart. */
function serviceWorker(): Plugin {
  return {
    name: 'service-worker',
    generateBundle: {
      // Last, since the page's own script goes into the page if it does nothing but import others.
      order: 'post',
      handler(_, bundle) {
        const worker = bundle['sw.js']
        if (worker?.type !== 'chunk') return
        const files = offlineFiles(bundle)
        const version = createHash('sha256').update(Object.keys(bundle).sort().join()).digest('hex').slice(0, 12)
        worker.code = worker.code
          .replaceAll('__APP_FILES__', JSON.stringify(files.map((name) => `/${name}`)))
          .replaceAll('__APP_VERSION__', JSON.stringify(version))
      },
    },
  }
}

/** Pages and parts that are fetched beforehand for when there is no connection; others are kept when they are used. */
const OFFLINE = new Set(['index', 'start', 'app', 'photos', 'Photos', 'Viewer', 'texts'])

function offlineFiles(bundle: Rolldown.OutputBundle): string[] {
  const files = new Set<string>()
  const add = (name: string): void => {
    const chunk = bundle[name]
    if (files.has(name) || chunk?.type !== 'chunk') return
    files.add(name)
    for (const style of chunk.viteMetadata?.importedCss ?? []) files.add(style)
    chunk.imports.forEach(add)
  }
  for (const chunk of Object.values(bundle)) if (chunk.type === 'chunk' && OFFLINE.has(chunk.name)) add(chunk.fileName)
  return [...files].sort()
}

/**
 * Puts the icons where they are used. They come in one module, which would otherwise be loaded at
 * the start with the icons of all pages.
 */
function icons(): Plugin {
  const paths = mdi as Record<string, string>
  return {
    name: 'icons',
    apply: 'build',
    transform(code) {
      if (!code.includes('@mdi/js')) return null
      return code.replace(/import\s*\{([^}]*)\}\s*from\s*['"]@mdi\/js['"];?/g, (_, names: string) =>
        names
          .split(',')
          .map((name) => name.trim())
          .filter(Boolean)
          .map((name) => `const ${name} = ${JSON.stringify(paths[name])};`)
          .join(''),
      )
    },
  }
}
