// Runs the benchmarks and prints one table: ours, the floor measured in the same run, their ratio, and the bar; and the
// machine with its load before and after, because figures of a busy machine say little. Words after the command choose
// files by name; --scale measures a shop that grows tenfold twice; --json prints the rows for a machine. A file that fails is named at the end and does not stop the others.

import { globSync } from 'node:fs'
import { arch, cpus, loadavg } from 'node:os'
import { pathToFileURL } from 'node:url'
import type { Row } from './row.ts'

const words = process.argv.slice(2).filter((it) => !it.startsWith('--'))
if (process.argv.includes('--scale')) words.push('scale')
const json = process.argv.includes('--json')
const own = [
  'run.ts',
  'row.ts',
  'load.ts',
  'cpu.ts',
  'bare.ts',
  'bare-server.ts',
  'busy-shop.ts',
  'bare-cart.ts',
  'cart-statements.ts',
  'data-folder.ts',
  'demo-shop.ts',
  'large-shop.ts',
  'measure.ts',
  'new-buyer-months.ts',
  'ordering.ts',
  'ours.ts',
  'recommend-calls.ts',
  'shopper-lists.ts',
  'sample-products.ts',
  'stock.ts',
  'watch-turns.ts',
]
/** They take minutes: they run only when their whole name is given. */
const long = ['search-million', 'scale', 'recommend-scale']
const nameOf = (file: string): string => file.replace(/^.*\/|\.ts$/g, '')
const files = globSync('bench/*.ts')
  .toSorted()
  .filter((it) => !own.some((name) => it.endsWith(`/${name}`)))
  .filter((it) => words.length === 0 || words.some((word) => it.includes(word)))
  .filter((it) => !long.includes(nameOf(it)) || words.includes(nameOf(it)))

const loadNow = () => Number(loadavg()[0]!.toFixed(1))
const loadBefore = loadNow()
const rows: (Row & { file: string })[] = []
const failed: string[] = []
for (const file of files) {
  process.stderr.write(`${file} …\n`)
  try {
    const { bench } = (await import(pathToFileURL(file).href)) as { bench(): Promise<Row[]> }
    rows.push(...(await bench()).map((row) => ({ file, ...row })))
  } catch (error) {
    failed.push(`${file}: ${String(error)}`)
  }
}

const machine = {
  cores: cpus().length,
  arch: arch(),
  node: process.version,
  loadBefore,
  loadAfter: loadNow(),
}
const withRatio = (it: Row) => (it.floor ? { ...it, ratio: it.ours / it.floor } : it)
if (json) console.log(JSON.stringify({ machine, rows: rows.map(withRatio), failed }, null, 2))
else {
  printTable(rows)
  console.log(
    `\n${machine.cores} cores, ${machine.arch}, Node ${machine.node}, load ${loadBefore} before and ${machine.loadAfter} after`,
  )
  for (const it of failed) console.log(`failed: ${it}`)
}
process.exit(failed.length > 0 ? 1 : 0)

function printTable(all: Row[]): void {
  const cells = all.map((it) => [
    it.name,
    number(it.ours),
    it.unit,
    number(it.floor),
    it.floor ? (it.ours / it.floor).toFixed(2) : '',
    it.bar ?? '',
    it.note ?? '',
  ])
  const lines = [['what', 'ours', 'unit', 'floor', 'ratio', 'bar', 'note'], ...cells]
  const widths = lines[0]!.map((_, at) => Math.max(...lines.map((line) => line[at]!.length)))
  for (const line of lines)
    console.log(
      line
        .map((cell, at) => cell.padEnd(widths[at]!))
        .join('  ')
        .trimEnd(),
    )
}

function number(value: number | undefined): string {
  return value === undefined
    ? ''
    : value >= 100
      ? String(Math.round(value))
      : String(Number(value.toPrecision(3)))
}
