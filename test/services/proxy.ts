// The proxy of deploy/ in front of nodes on this machine.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { freePort } from '../support/nats.ts'
import { startProgram } from './processes.ts'

/** The configuration of deploy/ for nodes on this machine: without TLS, and with few connections. */
function proxyConfig(port: number, nodes: readonly number[]): string {
  const given = readFileSync(new URL('../../deploy/compose/haproxy.cfg', import.meta.url), 'utf8')
  const servers = nodes.map((it, at) => `  server api-${at + 1} 127.0.0.1:${it}`)
  return given
    .replace('maxconn 10000', 'maxconn 1000')
    .replace(/^ {2}bind .*$/m, `  bind 127.0.0.1:${port}`)
    .replace(/ init-addr .*$/m, '')
    .replace(/^ {2}server api-1 [^]*$/m, `${servers.join('\n')}\n`)
}

/** Starts it until the test file ends and returns its address. */
export async function startProxy(nodes: readonly number[]): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'bozor-proxy-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  const port = await freePort()
  writeFileSync(join(folder, 'haproxy.cfg'), proxyConfig(port, nodes))
  await startProgram('haproxy', ['-db', '-f', join(folder, 'haproxy.cfg')], port)
  return `http://127.0.0.1:${port}`
}
