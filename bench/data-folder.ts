// The data folder of a server that a benchmark fills with a shop. BENCH_DATA_DIR keeps it for the next run.

import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { databaseHost } from './measure.ts'
import { startOurs, stop } from './ours.ts'

/** A folder for the time of a benchmark. */
export async function inDataFolder<T>(work: (dataDir: string) => Promise<T>): Promise<T> {
  const kept = process.env['BENCH_DATA_DIR']
  if (kept) mkdirSync(kept, { recursive: true })
  const dataDir = kept ?? mkdtempSync(join(tmpdir(), 'bozor-bench-'))
  chmodSync(dataDir, 0o755)
  try {
    return await work(dataDir)
  } finally {
    if (!kept) rmSync(dataDir, { recursive: true, force: true })
  }
}

/** Fills the database unless it holds the named shop already. Returns the seconds that it took. */
export async function fillOnce(
  dataDir: string,
  shop: string,
  fill: (databaseHost: string) => Promise<void>,
): Promise<number> {
  const note = join(dataDir, shop)
  if (existsSync(note)) return 0
  const empty = await startOurs(dataDir)
  const began = performance.now()
  await fill(databaseHost(dataDir))
  await stop(empty.child)
  writeFileSync(note, '')
  return (performance.now() - began) / 1000
}
