// Runs the benchmarks and prints one table: ours, the floor measured in the same run, their ratio, and the bar.
// Words after the command choose files by name; --json prints the rows for a machine.

import { globSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import type { Row } from './row.ts'

const words = process.argv.slice(2).filter((it) => !it.startsWith('--'))
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
  'measure.ts',
  'ordering.ts',
  'ours.ts',
  'sample-products.ts',
]
const files = globSync('bench/*.ts')
  .toSorted()
  .filter((it) => !own.some((name) => it.endsWith(`/${name}`)))
  .filter((it) => words.length === 0 || words.some((word) => it.includes(word)))

const rows: Row[] = []
for (const file of files) {
  process.stderr.write(`${file} …\n`)
  const { bench } = (await import(pathToFileURL(file).href)) as { bench(): Promise<Row[]> }
  rows.push(...(await bench()))
}

const withRatio = (it: Row) => (it.floor ? { ...it, ratio: it.ours / it.floor } : it)
if (json) console.log(JSON.stringify(rows.map(withRatio), null, 2))
else printTable(rows)
process.exit(0)

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
