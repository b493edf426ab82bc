import { deepEqual, equal, match } from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { commands } from '../src/cli/index.ts'
import { openPlatform } from './support/shop.ts'

const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')
const root = new URL('..', import.meta.url).pathname
const dockerfile = read('deploy/Dockerfile')
const compose = read('deploy/compose/compose.yaml')
const kubernetes = read('deploy/kubernetes/bozor.yaml')
const services = globSync('deploy/systemd/*.service', { cwd: root }).map(read)
const all = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map((it) => it[1]!)
const withoutComments = (text: string): string => text.replaceAll(/^ *#.*$/gm, '')

/** Variables of the platform, from the file that reads them; NODE_ENV is read there too. */
const variables = new Set([
  ...all(read('src/base/config.ts'), /setting(?:<[^>]+>)?\(\s*'([A-Z0-9_]+)'/g),
  'NODE_ENV',
])

test('deployment files set variables that the configuration reads', () => {
  const api = /^x-api:[^]*?^services:/m.exec(compose)![0]
  const used = [
    ...all(/^ENV (.*)$/m.exec(dockerfile)![1]!, /([A-Z_]+)=/g),
    ...all(withoutComments(api), /^ {4}([A-Z_]+): /gm),
    ...all(withoutComments(kubernetes), /^ {2}([A-Z_]+): /gm),
    ...services.flatMap((it) => all(it, /^Environment=(.*)$/gm)).flatMap((it) => all(it, /([A-Z_]+)=/g)),
    ...all(kubernetes, /--from-literal=([A-Z_]+)=/g),
  ]
  equal(used.length > 20, true)
  deepEqual(
    used.filter((it) => !variables.has(it)),
    [],
  )
})

test('the README describes every variable of the configuration, and no other', () => {
  const configuration = /^## Configuration$[^]*?^## /m.exec(read('README.md'))![0]
  const rows = configuration.split('\n').filter((it) => it.startsWith('| `'))
  const described = rows.flatMap((it) => all(it.split(' | ')[0]!, /`([A-Z0-9_]+)`/g))
  deepEqual(described.toSorted(), [...variables].toSorted())
})

test('deployment files run commands and copy files that exist', () => {
  const names = new Set(commands.map((it) => it.name))
  const run = [
    ...all(dockerfile, /^CMD \["([a-z-]+)"\]$/gm),
    ...all(dockerfile, /src\/main\.ts ([a-z-]+)$/gm),
    ...all(compose, /^ {4}command: \['(migrate|start)'\]$/gm),
    ...all(kubernetes, /^ +args: \[([a-z-]+)\]$/gm),
    ...services.flatMap((it) => all(it, /^ExecStart=\/usr\/bin\/node bin\/bozor\.js ([a-z-]+)/gm)),
  ]
  deepEqual(run.toSorted(), ['backup', 'build-web', 'migrate', 'migrate', 'start', 'start', 'start'])
  deepEqual(
    run.filter((it) => !names.has(it)),
    [],
  )
  const copied = all(dockerfile, /^COPY --from=build \/app\/(\S+)/gm)
  // `dist` is made by build-web; `node_modules` by npm.
  deepEqual(
    copied.filter((it) => it !== 'dist' && !existsSync(`${root}/${it}`)),
    [],
  )
  equal(existsSync(`${root}/bin/bozor.js`), true)
})

test('containers run without root, with a read-only root and one port', () => {
  equal(all(dockerfile, /^USER (\w+)$/gm).at(-1), 'node')
  match(compose, /read_only: true/)
  const roots = all(kubernetes, /(readOnlyRootFilesystem: true)/g)
  equal(roots.length, all(kubernetes, / image: (\S+)$/gm).length)
  const ports = [
    ...all(dockerfile, /PORT=(\d+)/g),
    ...all(dockerfile, /^EXPOSE (\d+)$/gm),
    ...all(kubernetes, /containerPort: (\d+)/g),
    ...all(kubernetes, / PORT: '(\d+)'/g),
    ...all(compose, / PORT: '(\d+)'/g),
    ...all(read('deploy/compose/haproxy.cfg'), /server api-\d api-\d:(\d+)/g),
  ]
  deepEqual(new Set(ports), new Set(['8080']))
})

test('probes, alerts and the dashboard use what the server offers', async () => {
  const { call, url, keys } = await openPlatform()
  const probes = new Set([
    ...all(kubernetes, /httpGet: \{ path: (\S+),/g),
    ...all(dockerfile, /PORT \+ '(\/\w+)'/g),
    ...all(read('deploy/compose/haproxy.cfg'), /httpchk GET (\S+)/g),
  ])
  deepEqual(probes, new Set(['/healthz', '/readyz']))
  for (const path of probes)
    equal((await call('GET', path, { key: null })).status < 404, true, `${url}${path}`)

  const page = await call('GET', '/metrics', { key: keys.live })
  const exported = new Set(all(page.text, /^# TYPE (\w+) /gm))
  const alerts = read('deploy/monitoring/alerts.yaml')
  const dashboard = read('deploy/monitoring/grafana-dashboard.json')
  const expressions = [
    ...all(alerts, /^ +expr: (.*)$/gm),
    ...(JSON.parse(dashboard) as Dashboard).panels.flatMap((it) => it.targets.map((target) => target.expr)),
  ]
  const used = new Set(expressions.flatMap((it) => all(it, /\b(bozor_\w+)/g)))
  deepEqual(
    [...used].filter(
      (it) => !exported.has(it.replace(/^(bozor_http_request_seconds)_(bucket|count|sum)$/, '$1')),
    ),
    [],
  )
  const shown = dashboard
  deepEqual(
    [...exported].filter((it) => !shown.includes(it)),
    [],
    'metrics without a panel',
  )
})

interface Dashboard {
  panels: { targets: { expr: string }[] }[]
}

test('every alert has a section in the runbook', () => {
  const alerts = read('deploy/monitoring/alerts.yaml')
  const names = all(alerts, /^ +- alert: (\w+)$/gm)
  const sections = all(read('docs/operations/runbook.md'), /^## (\w+)$/gm)
  deepEqual(sections, names)
  deepEqual(
    all(alerts, /runbook\.md#(\w+)/g),
    names.map((it) => it.toLowerCase()),
  )
})

/** Node reads them itself. */
const variablesOfNode = ['NODE_EXTRA_CA_CERTS']

test('the configuration page names variables that exist', () => {
  const listed = all(read('docs/operations/configuration.md'), /`([A-Z][A-Z0-9_]+)`/g)
  equal(listed.length > 40, true)
  deepEqual(
    listed.filter((it) => !variables.has(it) && !variablesOfNode.includes(it)),
    [],
  )
})
