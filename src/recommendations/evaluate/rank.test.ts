import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { seededRandom } from '../../ml/random.ts'
import { evaluateRank, meanNdcg, readRankRows } from './rank.ts'
import { InputError } from './read-lines.ts'
import type { TreeTaskOptions } from './tree-task.ts'

const folder = mkdtempSync(join(tmpdir(), 'rank-'))
after(() => rmSync(folder, { recursive: true }))

const options = (train: string): TreeTaskOptions => ({
  train,
  folds: 3,
  budgetSeconds: 1,
  seed: 1,
  threads: 1,
})

/** Queries of eight rows, scattered over the file, whose relevance follows the first two features. */
function lines(queries: number, seed: number): string[] {
  const random = seededRandom(seed)
  return Array.from({ length: queries * 8 }, (_, row) => {
    const features = Array.from({ length: 4 }, () => random())
    const relevance = Math.round(2 * features[0]! + features[1]!)
    return [`q${row % queries}`, relevance, ...features.map((value) => value.toFixed(4))].join('\t')
  })
}

function file(name: string, text: string | string[]): string {
  const path = join(folder, name)
  const whole = typeof text === 'string' ? text : `${text.join('\n')}\n`
  writeFileSync(path, name.endsWith('.gz') ? gzipSync(whole) : whole)
  return path
}

test('cross-validation orders every query by models that never saw it', async () => {
  const train = file('train.tsv.gz', lines(40, 1))
  const result = await evaluateRank(options(train))
  assert.ok(result.metrics['ndcg@10']! > 0.85, `ndcg ${result.metrics['ndcg@10']}`)
  assert.equal(result.predictions.length, 320)
  assert.ok(result.predictions.every((score) => Number.isFinite(score)))
  assert.ok(result.fitSeconds > 0 && result.rowsPerSecond > 0)
})

test('a test file is scored in its own order of rows', async () => {
  const train = file('train.tsv', lines(40, 1))
  const test = file('test.tsv', lines(20, 2))
  const result = await evaluateRank({ ...options(train), test })
  const rows = await readRankRows(test)
  const scores = Float64Array.from(rows.fileRows, (row) => result.predictions[row]!)
  assert.equal(meanNdcg(rows, scores), result.metrics['ndcg@10'])
  assert.ok(result.metrics['ndcg@10']! > 0.85)
})

test('a query without a relevant row counts one', async () => {
  const rows = await readRankRows(file('none.tsv', ['a\t0\t1', 'a\t0\t2', 'b\t1\t1', 'b\t0\t2']))
  assert.equal(meanNdcg(rows, Float64Array.of(0, 0, 1, 0)), 1)
  assert.ok(meanNdcg(rows, Float64Array.of(0, 0, 0, 1)) < 1)
})

test('two queries of one row and one feature are answered without a crash', async () => {
  const result = await evaluateRank({ ...options(file('two.tsv', ['a\t1\tnan', 'b\t0\t5'])), folds: 5 })
  assert.equal(result.metrics['ndcg@10'], 1)
})

test('missing, infinite and huge features still give every row a finite score', async () => {
  const odd = ['nan', 'inf', '-Infinity', '1e300', '', '?', '-1e-300', '0']
  const rows = lines(20, 3).map((line, row) => `${line}\t${odd[row % 8]}\t${odd[(row * 3) % 8]}\tNA`)
  const result = await evaluateRank(options(file('odd.tsv', rows)))
  assert.ok(result.predictions.every((score) => Number.isFinite(score)))
  assert.ok(result.metrics['ndcg@10']! > 0.8, `ndcg ${result.metrics['ndcg@10']}`)
})

//      name, text, what the refusal says
const bad: [string, string, RegExp][] = [
  ['empty.tsv', '', /no rows/],
  ['short.tsv', 'a\t1\t2\t3\nb\t1\t2\n', /line 2: 1 features, 2 expected/],
  ['words.tsv', 'a\t1\tred\n', /line 1: "red" is not a number/],
  ['label.tsv', 'a\tx\t2\n', /relevance should be a number/],
  ['below.tsv', 'a\t-1\t2\n', /relevance should be a number from 0 to 100/],
  ['vast.tsv', 'a\t5000\t2\n', /relevance should be a number from 0 to 100/],
  ['bare.tsv', 'a\t1\n', /line 1: a line is "query/],
  ['spaces.tsv', 'a 1 2 3\n', /line 1: a line is "query/],
  ['one.tsv', 'a\t1\t2\na\t0\t3\n', /two queries/],
]

test('a file of another shape is refused with the line that is wrong', async () => {
  for (const [name, text, words] of bad) {
    await assert.rejects(
      evaluateRank(options(file(name, text))),
      (error) => error instanceof InputError && words.test(error.message),
    )
  }
})
