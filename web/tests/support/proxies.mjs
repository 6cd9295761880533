// Real proxies with the settings that docs/operations/proxy.md tells people to use.

import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { until } from './client.mjs'
import { ROOT } from './server.mjs'

const TOOLS = process.env.FERROTYPE_TOOLS ?? join(ROOT, '.tools')

const MODULES = '/usr/lib/apache2/modules'
const APACHE_MODULES = ['mpm_event', 'authz_core', 'headers', 'proxy', 'proxy_http']

/** How to start each with these settings, in the foreground and with files in `folder` only. */
export const PROXIES = {
  nginx: {
    programs: ['/usr/sbin/nginx', '/usr/bin/nginx'],
    files: (folder, port, settings) => ({
      'nginx.conf': `daemon off; pid ${folder}/pid; error_log stderr; worker_processes 1;
events {}
http {
    access_log off;
    ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/${name};`).join('\n    ')}
    server {
        listen 127.0.0.1:${port};
        ${settings}
    }
}`,
    }),
    arguments: (folder) => ['-c', join(folder, 'nginx.conf'), '-p', folder, '-e', 'stderr', '-g', 'master_process off;'],
  },
  caddy: {
    programs: ['/usr/bin/caddy'],
    // For a name Caddy would get a certificate; here it answers plain HTTP on an address.
    files: (_, port, settings) => ({
      Caddyfile: `{
    admin off
    auto_https off
    default_bind 127.0.0.1
}
${settings.replace('example.org', `http://:${port}`)}`,
    }),
    arguments: (folder) => ['run', '--config', join(folder, 'Caddyfile'), '--adapter', 'caddyfile'],
  },
  apache: {
    programs: ['/usr/sbin/apache2', '/usr/sbin/httpd'],
    files: (folder, port, settings) => ({
      'httpd.conf': `ServerRoot ${folder}
ServerName localhost
Listen 127.0.0.1:${port}
PidFile ${folder}/pid
ErrorLog "|/bin/cat >&2"
User nobody
Group nogroup
${APACHE_MODULES.map((name) => `LoadModule ${name}_module ${MODULES}/mod_${name}.so`).join('\n')}
<VirtualHost 127.0.0.1:${port}>
${settings}
</VirtualHost>`,
    }),
    arguments: (folder) => ['-X', '-f', join(folder, 'httpd.conf')],
  },
  traefik: {
    programs: [join(TOOLS, 'traefik/traefik')],
    first: 'photos.yml',
    // For a name Traefik would get a certificate; here it answers plain HTTP on an address.
    files: (folder, port, settings) => ({
      'photos.yml': settings.replace('example.org', '127.0.0.1').replace(/^ *tls:.*\n/m, ''),
      'traefik.yml': documented('traefik', 'traefik.yml').replace(':443', `127.0.0.1:${port}`).replace('/etc/traefik', folder),
    }),
    arguments: (folder) => [`--configFile=${join(folder, 'traefik.yml')}`],
  },
}

const LANGUAGES = { traefik: 'yaml' }

/** The settings for a proxy as the documentation has them; of several files, the one that begins with its name. */
export function documented(name, file) {
  const text = readFileSync(join(ROOT, 'docs/operations/proxy.md'), 'utf8')
  const head = file ? `# ${file.replace('.', '\\.')}\n` : ''
  const found = text.match(new RegExp(`\`\`\`${LANGUAGES[name] ?? name}\n${head}([\\s\\S]*?)\`\`\``))
  if (!found) throw new Error(`docs/operations/proxy.md has no settings for ${name}`)
  return found[1]
}

export class Proxy {
  #child
  #log = ''

  /** Starts one in front of a server; an error says how to get the program. */
  static async start(name, port, server, settings = documented(name, PROXIES[name].first)) {
    const { programs, files, arguments: given } = PROXIES[name]
    const program = programs.find(existsSync)
    if (!program) throw new Error(`${name} is missing: run scripts/setup test`)
    const proxy = new Proxy()
    proxy.folder = mkdtempSync(join(tmpdir(), `ferrotype-${name}-`))
    const here = settings.replaceAll('127.0.0.1:8080', new URL(server.url).host)
    for (const [file, content] of Object.entries(files(proxy.folder, port, here))) writeFileSync(join(proxy.folder, file), content)
    mkdirSync(join(proxy.folder, 'home'))
    const env = { PATH: process.env.PATH, HOME: join(proxy.folder, 'home') }
    proxy.#child = spawn(program, given(proxy.folder), { cwd: proxy.folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
    for (const stream of [proxy.#child.stdout, proxy.#child.stderr]) stream.on('data', (data) => (proxy.#log += data))
    const answers = () => fetch(`http://127.0.0.1:${port}/`).then(() => true, () => false)
    await until(async () => proxy.#child.exitCode !== null || (await answers()), `${name} answers`, 30_000)
    if (proxy.#child.exitCode !== null) throw new Error(`${name} does not start:\n${proxy.#log}`)
    return proxy
  }

  async close() {
    const ended = new Promise((done) => this.#child.once('exit', done))
    if (this.#child.exitCode === null && this.#child.signalCode === null) {
      this.#child.kill('SIGKILL')
      await ended
    }
    rmSync(this.folder, { recursive: true, force: true })
  }
}
