import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { seededRandom } from '../ml/random.ts'
import { evaluate, type EvaluateOptions, type Evaluation, type Task } from './evaluate.ts'

const desk = mkdtempSync(join(tmpdir(), 'evaluate-'))
after(() => rmSync(desk, { recursive: true }))

function file(name: string, lines: string[] | Uint8Array): string {
  const path = join(desk, name)
  writeFileSync(path, lines instanceof Uint8Array ? lines : `${lines.join('\n')}\n`)
  return path
}

const run = (task: Task, train: string, more: Partial<EvaluateOptions> = {}): Promise<Evaluation> =>
  evaluate({ task, train, budgetSeconds: 3, folds: 5, seed: 1, threads: 1, lastItemOnly: false, ...more })

/** Shoppers of three tastes: each picks from the ten items of one taste, in a wandering order. */
function shoppers(count: number, length: number): number[][] {
  const random = seededRandom(4)
  return Array.from({ length: count }, (_, user) => {
    const start = Math.floor(random() * 10)
    return Array.from({ length }, (__, step) => 1000 + (user % 3) * 10 + ((start + step) % 10))
  })
}

const withUsers = (lists: number[][]): string[] => lists.map((list, user) => [user + 1, ...list].join(' '))
const joined = (lists: number[][]): string[] => lists.map((list) => list.join(' '))
const all = shoppers(90, 7)
const heads = all.map((list) => list.slice(0, 5))
const tails = all.map((list) => list.slice(5))

test('users: what was touched later is found, and lists can be counted again from the file', async () => {
  const train = file('u-train.txt', withUsers(heads))
  const tested = file('u-test.txt', withUsers(tails))
  const out = join(desk, 'u-out.tsv')
  const { metrics, cases } = await run('users', train, { test: tested, out })
  assert.ok(metrics['recall@20']! > 0.95, `recall is ${metrics['recall@20']}`)
  assert.equal(cases, 90)
  const lines = readFileSync(out, 'utf8').trimEnd().split('\n')
  assert.equal(lines.length, 90)
  let sum = 0
  lines.forEach((line, at) => {
    const [label, list = ''] = line.split('\t')
    assert.equal(label, String(at + 1))
    const shown = list.split(' ').map(Number)
    assert.equal(new Set(shown).size, shown.length)
    assert.ok(shown.every((item) => !heads[at]!.includes(item)))
    sum += tails[at]!.filter((item) => shown.includes(item)).length / 2
  })
  assert.ok(Math.abs(sum / 90 - metrics['recall@20']!) < 1e-9)
})

test('the same seed gives the same file, plain or gzipped, with one thread and with two', async () => {
  const text = `${withUsers(heads).join('\n')}\n`
  const zipped = file('u-train.txt.gz', gzipSync(text))
  const tested = file('u-test2.txt', withUsers(tails))
  const outs = [join(desk, 'one.tsv'), join(desk, 'two.tsv')] as const
  const budgetSeconds = 60
  const few = heads.slice(0, 30)
  const plain = file('u-few.txt', withUsers(few))
  await run('users', plain, { test: tested, out: outs[0], budgetSeconds })
  await run('users', file('u-few.gz', gzipSync(`${withUsers(few).join('\n')}\n`)), {
    test: tested,
    out: outs[1],
    budgetSeconds,
    threads: 2,
  })
  assert.equal(readFileSync(outs[1], 'utf8'), readFileSync(outs[0], 'utf8'))
  assert.ok((await run('users', zipped, { test: tested })).cases > 0)
})

test('sequences: the last item is asked of one file, with and without attributes', async () => {
  const train = file('s.txt', withUsers(all))
  const attributes = file('s.json', [JSON.stringify({ 1000: [1, 2], 1001: [1], 9999: [3] })])
  assert.ok((await run('sequences', train)).metrics['hr@10']! > 0.95)
  assert.ok((await run('sequences', train, { attributes })).metrics['hr@10']! > 0.95)
  await assert.rejects(run('sequences', train, { test: train }), /leave out --test/)
  await assert.rejects(run('sequences', train, { attributes: train }), /not JSON/)
})

test('sessions: the next item is found from a prefix or from the last item alone', async () => {
  const train = file('se-train.txt', joined(all))
  const tested = file('se-test.txt', [
    ...heads.map((list, at) => `${list.join(' ')}\t${tails[at]![0]}`),
    '77 78\t1000',
  ])
  const { metrics, cases } = await run('sessions', train, { test: tested })
  assert.equal(cases, 91)
  assert.ok(metrics['hr@20']! > 0.9 && metrics['mrr@20']! > 0.3)
  assert.ok((await run('sessions', train, { test: tested, lastItemOnly: true })).metrics['hr@20']! > 0.9)
})

test('baskets: each known item is hidden in turn, and strangers are left aside', async () => {
  const train = file('b-train.txt', joined(all))
  const tested = file('b-test.txt', ['1000 1001 5', '', '1002', '5 6', '1003 1004 1003'])
  const out = join(desk, 'b-out.tsv')
  const { cases, metrics } = await run('baskets', train, { test: tested, out })
  assert.equal(cases, 4)
  assert.ok(metrics['hr@20']! > 0.9)
  const labels = readFileSync(out, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t')[0])
  assert.deepEqual(labels, ['1.1', '1.2', '5.1', '5.2'])
})

test('ids may be names, and carriage returns, tabs and a byte order mark change nothing', async () => {
  const plain = [file('n-train.txt', withUsers(heads)), file('n-test.txt', withUsers(tails))] as const
  const named = (line: string) => line.replace(/\d+/g, (id) => `b7c1-${id}_a`).replaceAll(' ', '\t')
  const odd = [
    file('n-odd.txt', [`\ufeff${withUsers(heads).map(named).join('\r\n')}\r`]),
    file('n-odd-test.txt', withUsers(tails).map(named)),
  ] as const
  const out = join(desk, 'n-out.tsv')
  const { metrics } = await run('users', plain[0], { test: plain[1], budgetSeconds: 60 })
  const other = await run('users', odd[0], { test: odd[1], out, budgetSeconds: 60 })
  assert.deepEqual(other.metrics, metrics)
  assert.match(readFileSync(out, 'utf8'), /^b7c1-1_a\tb7c1-1\d\d\d_a /)
})

test('a malformed line is told with its file, number and word', async () => {
  const bad = file('bad.txt', ['1 2 3', '', '2 0.3'])
  await assert.rejects(run('users', bad, { test: bad }), /bad\.txt line 3: "0\.3" is not an item/)
  const good = file('good.txt', ['1 2 3'])
  await assert.rejects(
    run('users', good, { test: file('neg.txt', ['-1 2']) }),
    /neg\.txt line 1: "-1" is not a user/,
  )
  const noTab = file('no-tab.txt', ['1 2 3'])
  await assert.rejects(run('sessions', good, { test: noTab }), /no-tab\.txt line 1: a test line is/)
})

test('an empty, missing or damaged file is a clear refusal', async () => {
  const empty = file('empty.txt', [''])
  const good = file('good2.txt', ['1 2 3'])
  await assert.rejects(run('users', empty, { test: good }), /the file holds no items/)
  await assert.rejects(run('users', join(desk, 'none.txt'), { test: good }), /there is no such file/)
  await assert.rejects(run('users', desk, { test: good }), /this is a folder/)
  const cut = file('cut.gz', gzipSync('1 2 3\n'.repeat(5000)).subarray(0, 60))
  await assert.rejects(run('users', cut, { test: good }), /gzip data is damaged/)
  await assert.rejects(run('users', good), /needs --test/)
  await assert.rejects(run('users', good, { test: empty }), /empty\.txt: the file holds nothing to ask/)
  await assert.rejects(run('users', good, { test: good, out: join(desk, 'no', 'way') }), /cannot be written/)
})

test('one user, one item, huge ids and a test of strangers give sensible figures', async () => {
  const huge = '18446744073709551616123'
  const one = file('one.txt', [`1 ${huge}`])
  for (const [task, tested] of [
    ['users', ['1 5', '2 6', '3']],
    ['sessions', [`${huge}\t5`, `5\t${huge}`]],
    ['baskets', ['5 6', `1 ${huge}`]],
  ] as const) {
    const { metrics } = await run(task, one, { test: file(`${task}-strange.txt`, [...tested]) })
    for (const [name, value] of Object.entries(metrics))
      assert.ok(Number.isFinite(value), `${task} ${name} is ${value}`)
  }
  await assert.rejects(run('sequences', one), /nothing can be asked/)
  assert.ok(Number.isFinite((await run('sequences', file('two.txt', ['1 5 6']))).metrics['hr@10']))
})

test('rank and classify write a score or a probability for every row', async () => {
  const random = seededRandom(8)
  const rows = Array.from({ length: 120 }, (_, at) => {
    const value = random()
    return { query: Math.floor(at / 6), value, label: value > 0.6 ? 1 : 0 }
  })
  const ranked = file(
    'rank.tsv',
    rows.map(({ query, value, label }) => `${query}\t${label}\t${value}\t${random()}`),
  )
  const table = file('table.csv', [
    'hit,a,b',
    ...rows.map(({ value, label }) => `${label},${value},x${label}`),
  ])
  for (const [task, train, measure] of [
    ['rank', ranked, 'ndcg@10'],
    ['classify', table, 'auc'],
  ] as const) {
    const out = join(desk, `${task}.out`)
    const { metrics, cases } = await run(task, train, { out, folds: 2, budgetSeconds: 2 })
    assert.ok(metrics[measure]! > 0.9, JSON.stringify(metrics))
    assert.equal(cases, 120)
    const values = readFileSync(out, 'utf8').trimEnd().split('\n').map(Number)
    assert.equal(values.length, 120)
    assert.ok(values.every(Number.isFinite))
  }
})
