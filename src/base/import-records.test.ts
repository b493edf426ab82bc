import { deepEqual, equal, ok, rejects } from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, beforeEach, test } from 'node:test'
import { databaseWithRecords, ndjson, testKinds } from '../../test/support/records.ts'
import { systemClock } from './clock.ts'
import { Database } from './db.ts'
import { exportedLines } from './export-records.ts'
import { type ImportOptions, importRecords, maxRefusalsTold } from './import-records.ts'
import type { RecordKind } from './records.ts'
import { Refusal } from './refusal.ts'

const connection = await databaseWithRecords()
const db = new Database({ connection, environment: 'test', clock: systemClock(), poolSize: 6 })
after(() => db.close())
beforeEach(() => db.transaction((tx) => tx.all(`truncate record_shelves, record_boxes, record_labels`)))

const pieces = async function* (text: string | Uint8Array, size = 65_536): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text)
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size)
}
const bring = (text: string | Uint8Array, options: Partial<ImportOptions> & { size?: number } = {}) =>
  importRecords(db, pieces(text, options.size), { kinds: testKinds, ...options })
const shelf = (id: number, parent_id: number | null = null, name = `Shelf ${id}`) => ({
  record: 'shelf',
  id,
  parent_id,
  name,
})
const box = (id: number, shelf_id: number, weight = 5) => ({ record: 'box', id, shelf_id, weight })
const everything = async () => {
  let text = ''
  for await (const lines of exportedLines(db, testKinds)) text += lines
  return text
}
const numbers = (to: number) => Array.from({ length: to }, (_, at) => at + 1)
const rulesOf = ({ refusals }: Awaited<ReturnType<typeof bring>>) =>
  refusals.map((it) => [
    it.line,
    it.record,
    it.id,
    ...it.faults.map((fault) => `${fault.path} ${fault.rule}`),
  ])

test('records come in any order, and whatever they name may stand anywhere in the file', async () => {
  const chain = numbers(8).map((id) => shelf(id, id === 8 ? null : id + 1))
  const boxes = numbers(2_500).map((id) => box(id, (id % 8) + 1))
  const report = await bring(ndjson([...boxes, ...chain]))
  deepEqual(report, { read: 2_508, stored: 2_508, refused: 0, refusals: [] })
  const again = await everything()
  equal(again.split('\n').length, 2_509)

  await db.transaction((tx) => tx.all(`truncate record_shelves, record_boxes`))
  await bring(ndjson([...chain.toReversed(), ...boxes.toReversed()]))
  equal(await everything(), again)
})

test('the same file twice changes nothing, and an export brought in elsewhere gives the same export', async () => {
  const file = ndjson([
    shelf(1),
    shelf(2, 1, 'Полка "2" \u2028 😀'),
    box(1, 2),
    { record: 'label', code: 'A', text: 'x' },
  ])
  await bring(file)
  const first = await everything()
  deepEqual(await bring(file), { read: 4, stored: 4, refused: 0, refusals: [] })
  equal(await everything(), first)
  const [counted] = await db
    .read()
    .all<{ times: number }>(`select sum(stored)::int as times from record_shelves`)
  equal(counted!.times, 2)

  await db.transaction((tx) => tx.all(`truncate record_shelves, record_boxes, record_labels`))
  await bring(first)
  equal(await everything(), first)
})

test('a refused line is told with its number, its record and every reason, and stops no other', async () => {
  const report = await bring(
    ndjson([
      shelf(1),
      '',
      box(1, 1, 0),
      '{"record":"box","id":2,"shelf_id":1,"weight":"3","colour":1}',
      box(3, 77),
      '  ',
      box(4, 1),
      '{"record":"car","id":5}',
      '{"id":6}',
      '[]',
      '7',
      '{',
    ]),
  )
  deepEqual([report.read, report.stored, report.refused], [10, 2, 8])
  deepEqual(rulesOf(report), [
    [3, 'box', 1, 'weight minimum'],
    [4, 'box', 2, 'colour unknown_field', 'weight type'],
    [5, 'box', 3, 'shelf_id exists'],
    [8, 'car', 5, 'record choice'],
    [9, null, 6, 'record required'],
    [10, null, null, ' type'],
    [11, null, null, ' type'],
    [12, null, null, ' syntax'],
  ])
})

test('lines are read to the last one, with or without its end, in any kind of pieces', async () => {
  const file = `\r\n${ndjson([shelf(1)]).trimEnd()}\r\n\n${JSON.stringify(shelf(2, null, 'Ў'.repeat(50)))}`
  for (const size of [1, 7, 64, 100_000]) {
    deepEqual(await bring(file, { size }), { read: 2, stored: 2, refused: 0, refusals: [] })
    equal((await everything()).split('\n').length, 3)
  }
  deepEqual(await bring(''), { read: 0, stored: 0, refused: 0, refusals: [] })
  deepEqual(await bring('\n\r\n \t\n'), { read: 0, stored: 0, refused: 0, refusals: [] })
})

test('hostile lines are refused one by one, and their neighbours stored', async () => {
  const good = JSON.stringify(shelf(1))
  const hostile: [string | Buffer, string][] = [
    [`{"record":"shelf","id":2,"name":"${'x'.repeat(10_000_000)}"}`, ' too_long'],
    [
      Buffer.from([...Buffer.from('{"record":"shelf","id":2,"name":"'), 0xc3, 0x28, 0x22, 0x7d]),
      ' invalid_encoding',
    ],
    [`\ufeff${good}`, ' invalid_encoding'],
    [Buffer.from(`${good}`, 'utf16le'), ' syntax'],
    ['['.repeat(100_000), ' syntax'],
    [`{"record":"shelf","id":2,"name":${'['.repeat(100_000)}${']'.repeat(100_000)}}`, ' too_deep'],
    ['{"record":"shelf","id":2,"name":"a\\u0000b"}', 'name characters'],
    ['{"record":"shelf","id":2,"name":"\\ud800"}', 'name characters'],
    ['{"record":"shelf","id":2,"name":"a\0b"}', ' syntax'],
    ['{"record":"shelf","id":9007199254740993,"name":"x"}', 'id maximum'],
    ['{"record":"shelf","id":1e309,"name":"x"}', 'id maximum'],
    ['{"record":"shelf","id":1.5,"name":"x"}', 'id type'],
    ['{"record":"shelf","id":-0,"name":"x"}', 'id minimum'],
    ['{"record":"shelf","id":2,"name":"x","__proto__":{"a":1}}', '__proto__ unknown_field'],
    ['{"record":"shelf","id":2,"name":"x","constructor":{"prototype":1}}', 'constructor unknown_field'],
    ['{"record":"__proto__","id":2}', 'record choice'],
    [`{"record":"shelf","id":2,"name":"x"} {"record":"shelf","id":3,"name":"x"}`, ' syntax'],
  ]
  for (const [line, rule] of hostile)
    for (const size of [65_536, 999]) {
      const file = Buffer.concat([
        Buffer.from(`${good}\n`),
        Buffer.from(line),
        Buffer.from(`\n${JSON.stringify(shelf(9))}\n`),
      ])
      const report = await bring(file, { size })
      deepEqual([report.stored, report.refused], [2, 1], rule)
      deepEqual(rulesOf(report)[0]!.slice(3), [rule])
    }
  equal(({} as Record<string, unknown>)['a'], undefined)
})

test('of a repeated field the last is judged and kept; of two lines about one thing the later has the last word', async () => {
  await bring('{"record":"shelf","id":1,"name":"first","name":"last"}')
  equal(await everything(), `${JSON.stringify(shelf(1, null, 'last'))}\n`)
  const report = await bring(
    ndjson([shelf(1, null, 'one'), shelf(2), shelf(1, null, 'two'), shelf(1, null, 'three')]),
  )
  deepEqual([report.stored, report.refused], [4, 0])
  equal((await everything()).split('\n')[0], JSON.stringify(shelf(1, null, 'three')))
})

test('what only the database can refuse is found among its thousand neighbours', async () => {
  await bring(ndjson([{ record: 'label', code: 'old', text: 'taken' }]))
  const labels = numbers(1_500).map((at) => ({
    record: 'label',
    code: `c${at}`,
    text: at % 500 === 7 ? 'taken' : `t${at}`,
  }))
  const report = await bring(ndjson(labels))
  deepEqual([report.stored, report.refused], [1_497, 3])
  deepEqual(
    rulesOf(report),
    [7, 507, 1_007].map((at) => [at, 'label', `c${at}`, ' contradiction']),
  )
})

test('a strict import is all or nothing, and tells every reason at once', async () => {
  await bring(ndjson([shelf(1)]))
  const before = await everything()
  const bad = [
    shelf(1, null, 'changed'),
    ...numbers(1_200).map((it) => shelf(it + 1)),
    box(1, 9_999),
    box(2, 1, 0),
    '{',
  ]
  const report = await bring(ndjson(bad), { strict: true })
  deepEqual([report.read, report.stored, report.refused], [1_204, 0, 3])
  deepEqual(
    rulesOf(report).map((it) => it[0]),
    [1_202, 1_203, 1_204],
  )
  equal(await everything(), before)

  const good = [box(1, 3), shelf(3, 2), shelf(2, 1), ...numbers(2_500).map((it) => box(it, 1))]
  deepEqual(await bring(ndjson(good), { strict: true }), {
    read: 2_503,
    stored: 2_503,
    refused: 0,
    refusals: [],
  })
})

test('a strict import that lost against another begins again and counts once', async () => {
  await bring(ndjson([shelf(1)]))
  let tries = 0
  const clumsy: RecordKind = {
    ...testKinds[0]!,
    load: async (tx, records) => {
      if (++tries === 1) await tx.all(`do $$ begin raise exception 'lost' using errcode = '40P01'; end $$`)
      return testKinds[0]!.load(tx, records)
    },
  }
  const report = await bring(ndjson([shelf(2, 1), '{', shelf(3)]), { kinds: [clumsy] })
  deepEqual([report.read, report.stored, report.refused], [3, 2, 1])
  tries = 0
  const whole = await bring(ndjson([shelf(2, 1), shelf(3)]), { kinds: [clumsy], strict: true })
  deepEqual(whole, { read: 2, stored: 2, refused: 0, refusals: [] })
})

test('a thousand refused lines are told, and all of them counted', async () => {
  const report = await bring(ndjson(numbers(2_345).map((id) => (id % 2 ? box(id, 77) : '{'))))
  deepEqual([report.read, report.stored, report.refused], [2_345, 0, 2_345])
  equal(report.refusals.length, maxRefusalsTold)
})

test('a kind that the caller has no right to is refused by its scope, before it is looked at', async () => {
  const report = await bring(ndjson([shelf(1), { record: 'label', code: 5 }]), {
    lacks: ({ area }) => (area === 'admin' ? 'admin:write' : undefined),
  })
  deepEqual(
    [report.stored, report.refusals],
    [
      1,
      [
        {
          line: 2,
          record: 'label',
          id: 5,
          faults: [{ path: 'record', rule: 'scope', limit: 'admin:write' }],
        },
      ],
    ],
  )
})

test('two imports of the same things at once end as one would', async () => {
  const file = ndjson([
    ...numbers(3_000).map((id) => box(id, (id % 50) + 1)),
    ...numbers(50).map((id) => shelf(id)),
  ])
  const reports = await Promise.all([bring(file), bring(file), bring(file)])
  for (const report of reports) deepEqual(report, { read: 3_050, stored: 3_050, refused: 0, refusals: [] })
  equal((await everything()).split('\n').length, 3_051)
})

test('an import that is stopped leaves whole batches and says how much it kept', async () => {
  const stop = new AbortController()
  const file = ndjson(numbers(5_000).map((id) => shelf(id)))
  const stopped = bring(file, {
    signal: stop.signal,
    onProgress: ({ stored }) => stored >= 2_000 && stop.abort(),
  })
  await rejects(stopped, (error: Refusal) => {
    deepEqual([error.code, error.details['stored']], ['service_unavailable', 2_000])
    return true
  })
  equal((await everything()).split('\n').length, 2_001)
})

test('a source that breaks in the middle leaves whole batches, and the next import completes them', async () => {
  const file = ndjson(numbers(2_500).map((id) => shelf(id)))
  const broken = async function* () {
    yield* pieces(file.slice(0, -3_000))
    throw new Error('gone')
  }
  await rejects(importRecords(db, broken(), { kinds: testKinds }), /gone/)
  equal((await everything()).split('\n').length, 2_001)
  equal((await bring(file)).stored, 2_500)
  equal((await everything()).split('\n').length, 2_501)
})

test('nothing that was set aside stays behind, and nobody else can read it meanwhile', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'bozor-spool-'))
  const before = process.env['TMPDIR']
  process.env['TMPDIR'] = folder
  try {
    const seen: string[][] = []
    const onProgress = () => seen.push(readdirSync(folder))
    await bring(ndjson([box(1, 1_500), ...numbers(1_500).map((id) => shelf(id))]), { onProgress })
    deepEqual(seen, [[], [], []])
    ok((await everything()).includes('"box"'))

    rmSync(folder, { recursive: true })
    await rejects(bring(ndjson([box(1, 7_777)])), (error: Refusal) => error.code === 'storage_unavailable')
  } finally {
    if (before === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = before
  }
})
