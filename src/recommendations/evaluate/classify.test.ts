import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { seededRandom } from '../../ml/random.ts'
import { evaluateClassify } from './classify.ts'
import { csvCells } from './csv-table.ts'
import { InputError } from './read-lines.ts'
import type { TreeTaskOptions } from './tree-task.ts'

const folder = mkdtempSync(join(tmpdir(), 'classify-'))
after(() => rmSync(folder, { recursive: true }))

const options = (train: string): TreeTaskOptions => ({
  train,
  folds: 3,
  budgetSeconds: 1,
  seed: 1,
  threads: 1,
})

/** Rows whose class two categories decide together, with a column of numbers beside them. */
function table(rows: number, seed: number): string {
  const random = seededRandom(seed)
  const lines = Array.from({ length: rows }, () => {
    const city = Math.floor(random() * 8)
    const shop = Math.floor(random() * 8)
    const bought = (city + shop) % 2 === 0 || random() < 0.05
    return `${bought ? 'yes' : 'no'},city ${city},"shop, ${shop}",${random().toFixed(3)}`
  })
  return `bought,city,shop,price\n${lines.join('\n')}\n`
}

function file(name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

test('combinations of categories are trained across folds', async () => {
  const result = await evaluateClassify(options(file('train.csv', table(900, 1))))
  assert.ok(result.metrics['log-loss']! < 0.4, `log-loss ${result.metrics['log-loss']}`)
  assert.ok(result.metrics['auc']! > 0.9)
  assert.equal(result.predictions.length, 900)
  assert.ok(result.predictions.every((chance) => chance > 0 && chance < 1))
})

test('a test file may hold categories that training never saw', async () => {
  const train = file('train.csv', table(600, 1))
  const other = file('test.csv', 'price,shop,city,bought\n0.5,"shop, 99",city 99,yes\n,"shop, 1",city 1,no\n')
  const result = await evaluateClassify({ ...options(train), test: other, categorical: ['city', 'shop'] })
  assert.ok(result.predictions.every((chance) => chance > 0 && chance < 1))
  assert.ok(Number.isFinite(result.metrics['log-loss']))
})

test('a column of numbers with gaps and infinities is a column of numbers', async () => {
  const random = seededRandom(5)
  const gaps = ['NA', 'inf', '-inf', '', 'nan', '?']
  const rows = Array.from({ length: 300 }, (_, row) => {
    const value = random()
    return `${value > 0.5 ? 1 : 0},${row % 20 === 0 ? gaps[(row / 20) % 6] : value.toFixed(6)}`
  })
  const result = await evaluateClassify(options(file('gaps.csv', `y,a\n${rows.join('\n')}\n`)))
  assert.ok(result.metrics['auc']! > 0.9, `auc ${result.metrics['auc']}`)
  assert.ok(result.predictions.every((chance) => chance > 0 && chance < 1))
})

test('any column may be the label and all others categories', async () => {
  const train = file('label.csv', 'x,y\n1,0\n2,1\n1,0\n2,1\n1,0\n2,1\n1,0\n2,1\n')
  const result = await evaluateClassify({ ...options(train), label: 'y', categorical: 'all' })
  assert.ok(Number.isFinite(result.metrics['log-loss']))
})

test('a quoted cell keeps its commas and doubled quotes', () => {
  assert.deepEqual(csvCells('a,"b, ""c""",', 'here'), ['a', 'b, "c"', ''])
  assert.throws(() => csvCells('a,"b', 'here'), InputError)
})

//      name, text, options, what the refusal says
const bad: [string, string, Partial<TreeTaskOptions>, RegExp][] = [
  ['empty.csv', '', {}, /no rows/],
  ['header.csv', 'a,b\n', {}, /no rows/],
  ['three.csv', 'a,b\n0,1\n1,2\n2,3\n', {}, /has 3 values/],
  ['one.csv', 'a,b\n1,1\n1,2\n', {}, /has 1 values/],
  ['ragged.csv', 'a,b\n0,1\n1\n', {}, /line 3: 1 cells, 2 expected/],
  ['alone.csv', 'a\n0\n1\n', {}, /no column besides the label/],
  ['label.csv', 'a,b\n0,1\n1,2\n', { label: 'c' }, /no column c/],
  ['kind.csv', 'a,b\n0,1\n1,2\n', { categorical: ['z'] }, /no column z/],
  ['words.csv', 'a,b\n0,red\n1,2\n', { categorical: [] }, /"red" is not a number/],
]

test('a file of another shape is refused with what is wrong', async () => {
  for (const [name, text, changes, words] of bad) {
    await assert.rejects(
      evaluateClassify({ ...options(file(name, text)), ...changes }),
      (error) => error instanceof InputError && words.test(error.message),
    )
  }
})
