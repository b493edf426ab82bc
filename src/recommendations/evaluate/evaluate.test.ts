import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { seededRandom } from '../../ml/random.ts'
import { evaluate, type EvaluateOptions, type Evaluation, type Task } from './evaluate.ts'
import { liveShapes, snapshotOf } from './live-engine.ts'
import { loadListTask } from './load-list-task.ts'

const folder = mkdtempSync(join(tmpdir(), 'evaluate-'))
after(() => rmSync(folder, { recursive: true }))

function file(name: string, lines: string[] | Uint8Array): string {
  const path = join(folder, name)
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
  const out = join(folder, 'u-out.tsv')
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
  const outs = [join(folder, 'one.tsv'), join(folder, 'two.tsv')] as const
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

test('a limit of cases takes them evenly from the test, the same ones for both engines', async () => {
  const train = file('m-train.txt', withUsers(heads))
  const tested = file('m-test.txt', withUsers(tails))
  const labels = async (more: Partial<EvaluateOptions>) => {
    const out = join(folder, 'm-out.tsv')
    const { cases } = await run('users', train, { test: tested, out, ...more })
    const lines = readFileSync(out, 'utf8').trimEnd().split('\n')
    assert.equal(lines.length, cases)
    return lines.map((line) => Number(line.split('\t')[0]))
  }
  const taken = await labels({ maxCases: 20 })
  assert.deepEqual(
    taken,
    Array.from({ length: 20 }, (_, at) => 1 + Math.floor(at * 4.5)),
  )
  assert.deepEqual(await labels({ maxCases: 20, engine: 'live' }), taken)
  assert.equal((await labels({ maxCases: 500 })).length, 90)
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

test('baskets: each known item is hidden in turn, and unknown items are skipped', async () => {
  const train = file('b-train.txt', joined(all))
  const tested = file('b-test.txt', ['1000 1001 5', '', '1002', '5 6', '1003 1004 1003'])
  const out = join(folder, 'b-out.tsv')
  const { cases, metrics } = await run('baskets', train, { test: tested, out })
  assert.equal(cases, 4)
  assert.ok(metrics['hr@20']! > 0.9)
  const labels = readFileSync(out, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t')[0])
  assert.deepEqual(labels, ['1.1', '1.2', '5.1', '5.2'])
})

test('baskets: only lines that are known to stand in time order have an age', async () => {
  const train = file('o-train.txt', joined(all))
  const tested = file('o-test.txt', joined(all.slice(0, 9)))
  const lines: string[] = []
  const onProgress = (line: string) => void lines.push(line)
  await run('baskets', train, { test: tested, onProgress })
  assert.ok(lines.some((it) => it.includes('halfLife=0')) && !lines.some((it) => it.includes('halfLife=1')))
  await run('baskets', train, { test: tested, onProgress, oldestFirst: true })
  assert.ok(lines.some((it) => it.includes('halfLife=1')))
  await assert.rejects(run('users', train, { test: tested, oldestFirst: true }), /only baskets/)
})

test('the live engine sees the lines of orders in a random order unless they stand in time order', async () => {
  const train = file('t-train.txt', joined(all))
  const daysOf = async (oldestFirst: boolean) => {
    const files = { train, test: train, attributes: undefined, seed: 1, lastItemOnly: false, oldestFirst }
    const { buyers } = snapshotOf(await loadListTask['baskets']!(files), liveShapes['baskets']!, 1)
    return Array.from(buyers, (steps) => steps[0]!.day)
  }
  const [inOrder, atRandom] = [await daysOf(true), await daysOf(false)]
  assert.deepEqual(
    inOrder,
    inOrder.toSorted((a, b) => a - b),
  )
  assert.notDeepEqual(atRandom, inOrder)
  assert.deepEqual(
    atRandom.toSorted((a, b) => a - b),
    inOrder,
  )
})

test('ids may be names, and carriage returns, tabs and a byte order mark change nothing', async () => {
  const plain = [file('n-train.txt', withUsers(heads)), file('n-test.txt', withUsers(tails))] as const
  const named = (line: string) => line.replace(/\d+/g, (id) => `b7c1-${id}_a`).replaceAll(' ', '\t')
  const odd = [
    file('n-odd.txt', [`\ufeff${withUsers(heads).map(named).join('\r\n')}\r`]),
    file('n-odd-test.txt', withUsers(tails).map(named)),
  ] as const
  const out = join(folder, 'n-out.tsv')
  const { metrics } = await run('users', plain[0], { test: plain[1], budgetSeconds: 60 })
  const other = await run('users', odd[0], { test: odd[1], out, budgetSeconds: 60 })
  assert.deepEqual(other.metrics, metrics)
  assert.match(readFileSync(out, 'utf8'), /^b7c1-1_a\tb7c1-1\d\d\d_a /)
})

test('a malformed line is reported with its file, number and field', async () => {
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
  await assert.rejects(run('users', join(folder, 'none.txt'), { test: good }), /there is no such file/)
  await assert.rejects(run('users', folder, { test: good }), /this is a folder/)
  const cut = file('cut.gz', gzipSync('1 2 3\n'.repeat(5000)).subarray(0, 60))
  await assert.rejects(run('users', cut, { test: good }), /gzip data is damaged/)
  await assert.rejects(run('users', good), /needs --test/)
  await assert.rejects(run('users', good, { test: empty }), /empty\.txt: the file holds nothing to ask/)
  await assert.rejects(
    run('users', good, { test: good, out: join(folder, 'no', 'way') }),
    /cannot be written/,
  )
})

test('one user, one item, huge ids and a test set of unknown users give valid figures', async () => {
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
  await assert.rejects(run('sequences', one), /there is no test case/)
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
    const out = join(folder, `${task}.out`)
    const { metrics, cases } = await run(task, train, { out, folds: 2, budgetSeconds: 2 })
    assert.ok(metrics[measure]! > 0.9, JSON.stringify(metrics))
    assert.equal(cases, 120)
    const values = readFileSync(out, 'utf8').trimEnd().split('\n').map(Number)
    assert.equal(values.length, 120)
    assert.ok(values.every(Number.isFinite))
  }
})

test('the live engine is trained on a file and lists what was touched later, without the history', async () => {
  const train = file('live-train.txt', withUsers(heads))
  const tested = file('live-test.txt', withUsers(tails))
  const out = join(folder, 'live-out.tsv')
  const { metrics, cases } = await run('users', train, { test: tested, out, engine: 'live' })
  assert.equal(cases, 90)
  assert.ok(metrics['recall@20']! > 0.9, `recall is ${metrics['recall@20']}`)
  const lines = readFileSync(out, 'utf8').trimEnd().split('\n')
  lines.forEach((line, at) => {
    const shown = line.split('\t')[1]!.split(' ').map(Number)
    assert.equal(new Set(shown).size, shown.length)
    assert.ok(shown.every((item) => !heads[at]!.includes(item)))
  })
})

test('the live engine answers sessions and baskets, and no rows', async () => {
  const train = file('live-sessions.txt', joined(all))
  const prefixes = tails.map((tail, at) => `${heads[at]!.join(' ')}\t${tail[0]}`)
  const sessions = await run('sessions', train, { test: file('live-next.txt', prefixes), engine: 'live' })
  assert.ok(sessions.metrics['hr@20']! > 0.8, `hr is ${sessions.metrics['hr@20']}`)
  const baskets = await run('baskets', train, { test: file('live-baskets.txt', joined(all)), engine: 'live' })
  assert.ok(baskets.metrics['hr@20']! > 0.9, `hr is ${baskets.metrics['hr@20']}`)
  await assert.rejects(run('rank', train, { engine: 'live' }), /the live engine makes lists/)
})
