// The list of faults: every id is used once, and every proof is a test that exists.

import { deepEqual, ok } from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

interface Row {
  id: string
  proofs: { file: string; name: string }[]
}

const rows = readFileSync('docs/faults.md', 'utf8')
  .split('\n')
  .filter((line) => /^\| [A-Z]+\d/.test(line))
  .map(rowOf)

function rowOf(line: string): Row {
  const cells = line.split(/(?<!\\) \| |^\| | \|$/).filter(Boolean)
  const proofs = cells.at(-1)!.matchAll(/`([^`]+\.test\.ts)`: (.*?)(?=<br>|$)/g)
  return { id: cells[0]!, proofs: [...proofs].map(([, file, name]) => ({ file: file!, name: name!.trim() })) }
}

/** Invariants are one list of nine, which other rows name as well. */
const idsOf = ({ id }: Row) => id.split(', ').filter((it) => !/^I\d/.test(it))

test('every fault has an id of its own', () => {
  const seen = new Set<string>()
  const repeated = rows.flatMap(idsOf).filter((id) => seen.size === seen.add(id).size)
  deepEqual(repeated, [])
})

test('every proof of a fault is a test that exists', () => {
  ok(rows.length > 300, String(rows.length))
  const missing = rows.flatMap(({ id, proofs }) =>
    proofs.length === 0
      ? [`${id}: no proof`]
      : proofs.filter((it) => !isTest(it)).map((it) => `${id}: ${it.file}: ${it.name}`),
  )
  deepEqual(missing, [])
})

/** The name is a text of the file, or a template of the file with its parts filled in. */
function isTest({ file, name }: { file: string; name: string }): boolean {
  if (!existsSync(file)) return false
  const source = readFileSync(file, 'utf8').replaceAll(/\\(['"`])/g, '$1')
  const isText = [`'`, `"`, '`'].some((quote) => source.includes(quote + name + quote))
  const templates = [...source.matchAll(/\btest\(\s*`([^`]+)`/g)].map(([, it]) => it!)
  return isText || templates.some((it) => patternOf(it).test(name))
}

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
const patternOf = (template: string) =>
  new RegExp(
    `^${template
      .split(/\$\{[^}]*\}/)
      .map(escaped)
      .join('.*')}$`,
  )
