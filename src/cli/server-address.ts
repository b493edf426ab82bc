// Where the server of a data folder listens, so that commands print links that work.

import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../base/config.ts'

const fileOf = ({ dataDir }: Pick<Config, 'dataDir'>): string => join(dataDir, 'server-address')

/** Records the address of this process. A folder that cannot be written is no reason not to start. */
export function recordAddress(config: Pick<Config, 'dataDir'>, address: string): void {
  try {
    writeFileSync(fileOf(config), `${process.pid} ${address}\n`)
  } catch {
    // Commands then print the configured port.
  }
}

export function removeAddress(config: Pick<Config, 'dataDir'>): void {
  rmSync(fileOf(config), { force: true })
}

/** The public URL, else the address of the running server, else the configured port. */
export function serverOrigin(config: Pick<Config, 'dataDir' | 'publicUrl' | 'port'>): string {
  return config.publicUrl ?? runningAddress(config) ?? `http://127.0.0.1:${config.port}`
}

const runningAddress = (config: Pick<Config, 'dataDir'>): string | undefined =>
  runningServer(config)?.address.replace('0.0.0.0', '127.0.0.1')

/** The process of the running server. */
export const runningProcess = (config: Pick<Config, 'dataDir'>): number | undefined =>
  runningServer(config)?.pid

function runningServer(config: Pick<Config, 'dataDir'>): { pid: number; address: string } | undefined {
  try {
    const [, pid, address] = /^(\d+) (\S+)$/m.exec(readFileSync(fileOf(config), 'utf8'))!
    process.kill(Number(pid), 0)
    return { pid: Number(pid), address: address! }
  } catch {
    return undefined
  }
}
