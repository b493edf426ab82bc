import { deepEqual, equal, ok, rejects } from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, beforeEach, test } from 'node:test'
import { databaseWithRecords, ndjson, testKinds } from '../../../test/support/records.ts'
import { systemClock } from '../clock.ts'
import { Database } from '../database.ts'
import { exportedLines } from './export-records.ts'
import { type ImportOptions, importRecords, maxRefusalsReported } from './import-records.ts'
import type { RecordKind } from './record-kind.ts'
import { Refusal } from '../refusal.ts'

const connection = await databaseWithRecords()
const db = new Database({ connection, environment: 'test', clock: systemClock(), poolSize: 6 })
after(() => db.close())
beforeEach(() => db.transaction((tx) => tx.all(`truncate record_rooms, record_boxes, record_labels`)))

const pieces = async function* (text: string | Uint8Array, size = 65_536): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text)
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size)
}
const importFile = (text: string | Uint8Array, options: Partial<ImportOptions> & { size?: number } = {}) =>
  importRecords(db, pieces(text, options.size), { kinds: testKinds, ...options })
const room = (id: number, parent_id: number | null = null, name = `Room ${id}`) => ({
  record: 'room',
  id,
  parent_id,
  name,
})
const box = (id: number, room_id: number, weight = 5) => ({ record: 'box', id, room_id, weight })
const exported = async () => {
  let text = ''
  for await (const lines of exportedLines(db, testKinds)) text += lines
  return text
}
const numbers = (to: number) => Array.from({ length: to }, (_, at) => at + 1)
const rulesIn = ({ refusals }: Awaited<ReturnType<typeof importFile>>) =>
  refusals.map((it) => [
    it.line,
    it.record,
    it.id,
    ...it.faults.map((fault) => `${fault.path} ${fault.rule}`),
  ])

test('records come in any order, and references may point anywhere in the file', async () => {
  const chain = numbers(8).map((id) => room(id, id === 8 ? null : id + 1))
  const boxes = numbers(2_500).map((id) => box(id, (id % 8) + 1))
  const report = await importFile(ndjson([...boxes, ...chain]))
  deepEqual(report, { read: 2_508, stored: 2_508, unchanged: 0, refused: 0, refusals: [] })
  const again = await exported()
  equal(again.split('\n').length, 2_509)

  await db.transaction((tx) => tx.all(`truncate record_rooms, record_boxes`))
  await importFile(ndjson([...chain.toReversed(), ...boxes.toReversed()]))
  equal(await exported(), again)
})

test('importing a file twice changes nothing, and an imported export gives the same export', async () => {
  const file = ndjson([
    room(1),
    room(2, 1, 'Комната "2" \u2028 😀'),
    box(1, 2),
    { record: 'label', code: 'A', text: 'x' },
  ])
  await importFile(file)
  const first = await exported()
  deepEqual(await importFile(file), { read: 4, stored: 4, unchanged: 0, refused: 0, refusals: [] })
  equal(await exported(), first)
  const [counted] = await db
    .read()
    .all<{ times: number }>(`select sum(stored)::int as times from record_rooms`)
  equal(counted!.times, 2)

  await db.transaction((tx) => tx.all(`truncate record_rooms, record_boxes, record_labels`))
  await importFile(first)
  equal(await exported(), first)
})

test('a refused line is reported with its number, record and every reason, and stops no other', async () => {
  const report = await importFile(
    ndjson([
      room(1),
      '',
      box(1, 1, 0),
      '{"record":"box","id":2,"room_id":1,"weight":"3","colour":1}',
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
  deepEqual(rulesIn(report), [
    [3, 'box', 1, 'weight minimum'],
    [4, 'box', 2, 'colour unknown_field', 'weight type'],
    [5, 'box', 3, 'room_id exists'],
    [8, 'car', 5, 'record choice'],
    [9, null, 6, 'record required'],
    [10, null, null, ' type'],
    [11, null, null, ' type'],
    [12, null, null, ' syntax'],
  ])
})

test('every line is read, with or without a final newline, in chunks of any size', async () => {
  const file = `\r\n${ndjson([room(1)]).trimEnd()}\r\n\n${JSON.stringify(room(2, null, 'Ў'.repeat(50)))}`
  for (const size of [1, 7, 64, 100_000]) {
    deepEqual(await importFile(file, { size }), {
      read: 2,
      stored: 2,
      unchanged: 0,
      refused: 0,
      refusals: [],
    })
    equal((await exported()).split('\n').length, 3)
  }
  deepEqual(await importFile(''), { read: 0, stored: 0, unchanged: 0, refused: 0, refusals: [] })
  deepEqual(await importFile('\n\r\n \t\n'), { read: 0, stored: 0, unchanged: 0, refused: 0, refusals: [] })
})

test('malicious lines are refused one by one, and the other lines are stored', async () => {
  const good = JSON.stringify(room(1))
  const hostile: [string | Buffer, string][] = [
    [`{"record":"room","id":2,"name":"${'x'.repeat(10_000_000)}"}`, ' too_long'],
    [
      Buffer.from([...Buffer.from('{"record":"room","id":2,"name":"'), 0xc3, 0x28, 0x22, 0x7d]),
      ' invalid_encoding',
    ],
    [`\ufeff${good}`, ' invalid_encoding'],
    [Buffer.from(`${good}`, 'utf16le'), ' syntax'],
    ['['.repeat(100_000), ' syntax'],
    [`{"record":"room","id":2,"name":${'['.repeat(100_000)}${']'.repeat(100_000)}}`, ' too_deep'],
    ['{"record":"room","id":2,"name":"a\\u0000b"}', 'name characters'],
    ['{"record":"room","id":2,"name":"\\ud800"}', 'name characters'],
    ['{"record":"room","id":2,"name":"a\0b"}', ' syntax'],
    ['{"record":"room","id":9007199254740993,"name":"x"}', 'id maximum'],
    ['{"record":"room","id":1e309,"name":"x"}', 'id maximum'],
    ['{"record":"room","id":1.5,"name":"x"}', 'id type'],
    ['{"record":"room","id":-0,"name":"x"}', 'id minimum'],
    ['{"record":"room","id":2,"name":"x","__proto__":{"a":1}}', '__proto__ unknown_field'],
    ['{"record":"room","id":2,"name":"x","constructor":{"prototype":1}}', 'constructor unknown_field'],
    ['{"record":"__proto__","id":2}', 'record choice'],
    [`{"record":"room","id":2,"name":"x"} {"record":"room","id":3,"name":"x"}`, ' syntax'],
  ]
  for (const [line, rule] of hostile)
    for (const size of [65_536, 999]) {
      const file = Buffer.concat([
        Buffer.from(`${good}\n`),
        Buffer.from(line),
        Buffer.from(`\n${JSON.stringify(room(9))}\n`),
      ])
      const report = await importFile(file, { size })
      deepEqual([report.stored, report.refused], [2, 1], rule)
      deepEqual(rulesIn(report)[0]!.slice(3), [rule])
    }
  equal(({} as Record<string, unknown>)['a'], undefined)
})

test('the last of repeated fields and the last of repeated records are stored', async () => {
  await importFile('{"record":"room","id":1,"name":"first","name":"last"}')
  equal(await exported(), `${JSON.stringify(room(1, null, 'last'))}\n`)
  const report = await importFile(
    ndjson([room(1, null, 'one'), room(2), room(1, null, 'two'), room(1, null, 'three')]),
  )
  deepEqual([report.stored, report.refused], [4, 0])
  equal((await exported()).split('\n')[0], JSON.stringify(room(1, null, 'three')))
})

test('a record that only the database refuses is found in its batch', async () => {
  await importFile(ndjson([{ record: 'label', code: 'old', text: 'taken' }]))
  const labels = numbers(1_500).map((at) => ({
    record: 'label',
    code: `c${at}`,
    text: at % 500 === 7 ? 'taken' : `t${at}`,
  }))
  const report = await importFile(ndjson(labels))
  deepEqual([report.stored, report.refused], [1_497, 3])
  deepEqual(
    rulesIn(report),
    [7, 507, 1_007].map((at) => [at, 'label', `c${at}`, ' contradiction']),
  )
})

test('a strict import stores all or nothing and reports every reason', async () => {
  await importFile(ndjson([room(1)]))
  const before = await exported()
  const bad = [
    room(1, null, 'changed'),
    ...numbers(1_200).map((it) => room(it + 1)),
    box(1, 9_999),
    box(2, 1, 0),
    '{',
  ]
  const report = await importFile(ndjson(bad), { strict: true })
  deepEqual([report.read, report.stored, report.refused], [1_204, 0, 3])
  deepEqual(
    rulesIn(report).map((it) => it[0]),
    [1_202, 1_203, 1_204],
  )
  equal(await exported(), before)

  const good = [box(1, 3), room(3, 2), room(2, 1), ...numbers(2_500).map((it) => box(it, 1))]
  deepEqual(await importFile(ndjson(good), { strict: true }), {
    read: 2_503,
    stored: 2_503,
    unchanged: 0,
    refused: 0,
    refusals: [],
  })
})

test('a strict import that loses a deadlock starts again and counts each record once', async () => {
  await importFile(ndjson([room(1)]))
  let tries = 0
  const clumsy: RecordKind = {
    ...testKinds[0]!,
    load: async (tx, records) => {
      if (++tries === 1) await tx.all(`do $$ begin raise exception 'lost' using errcode = '40P01'; end $$`)
      return testKinds[0]!.load(tx, records)
    },
  }
  const report = await importFile(ndjson([room(2, 1), '{', room(3)]), { kinds: [clumsy] })
  deepEqual([report.read, report.stored, report.refused], [3, 2, 1])
  tries = 0
  const whole = await importFile(ndjson([room(2, 1), room(3)]), { kinds: [clumsy], strict: true })
  deepEqual(whole, { read: 2, stored: 2, unchanged: 0, refused: 0, refusals: [] })
})

test('a thousand refused lines are reported, and all are counted', async () => {
  const report = await importFile(ndjson(numbers(2_345).map((id) => (id % 2 ? box(id, 77) : '{'))))
  deepEqual([report.read, report.stored, report.refused], [2_345, 0, 2_345])
  equal(report.refusals.length, maxRefusalsReported)
})

test('a record kind outside the scopes of the caller is refused before it is validated', async () => {
  const report = await importFile(ndjson([room(1), { record: 'label', code: 5 }]), {
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

test('simultaneous imports of the same records have the result of one', async () => {
  const file = ndjson([
    ...numbers(3_000).map((id) => box(id, (id % 50) + 1)),
    ...numbers(50).map((id) => room(id)),
  ])
  const reports = await Promise.all([importFile(file), importFile(file), importFile(file)])
  for (const report of reports)
    deepEqual(report, { read: 3_050, stored: 3_050, unchanged: 0, refused: 0, refusals: [] })
  equal((await exported()).split('\n').length, 3_051)
})

test('an aborted import keeps whole batches and reports how many records it stored', async () => {
  const stop = new AbortController()
  const file = ndjson(numbers(5_000).map((id) => room(id)))
  const stopped = importFile(file, {
    signal: stop.signal,
    onProgress: ({ stored }) => stored >= 2_000 && stop.abort(),
  })
  await rejects(stopped, (error: Refusal) => {
    deepEqual([error.code, error.details['stored']], ['service_unavailable', 2_000])
    return true
  })
  equal((await exported()).split('\n').length, 2_001)
})

test('a source that breaks off leaves whole batches, and the next import completes them', async () => {
  const file = ndjson(numbers(2_500).map((id) => room(id)))
  const broken = async function* () {
    yield* pieces(file.slice(0, -3_000))
    throw new Error('gone')
  }
  await rejects(importRecords(db, broken(), { kinds: testKinds }), /gone/)
  equal((await exported()).split('\n').length, 2_001)
  equal((await importFile(file)).stored, 2_500)
  equal((await exported()).split('\n').length, 2_501)
})

test('spooled records are removed, and no other user can read them meanwhile', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'bozor-spool-'))
  const before = process.env['TMPDIR']
  process.env['TMPDIR'] = folder
  try {
    const seen: string[][] = []
    const onProgress = () => seen.push(readdirSync(folder))
    await importFile(ndjson([box(1, 1_500), ...numbers(1_500).map((id) => room(id))]), { onProgress })
    deepEqual(seen, [[], [], []])
    ok((await exported()).includes('"box"'))

    rmSync(folder, { recursive: true })
    await rejects(
      importFile(ndjson([box(1, 7_777)])),
      (error: Refusal) => error.code === 'storage_unavailable',
    )
  } finally {
    if (before === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = before
  }
})

test('a byte order mark at the beginning of a file is accepted', async () => {
  for (const size of [1, 100_000]) {
    const report = await importFile(`\ufeff${ndjson([room(701), room(702)])}`, { size })
    deepEqual([report.read, report.stored, report.refused], [2, 2, 0])
  }
})

test('a dry run reports what would be stored, and stores nothing', async () => {
  const before = await exported()
  const file = ndjson([box(801, 802), room(802), box(803, 999_999)])
  const report = await importFile(file, { dryRun: true })
  deepEqual([report.read, report.stored, report.refused], [3, 2, 1])
  deepEqual(rulesIn(report), [[3, 'box', 803, 'room_id exists']])
  equal(await exported(), before)
})

test('a CSV file is read as records of one kind', async () => {
  const rows = [
    '\ufeffid;parent_id;name',
    '901;;"Room; with ""quotes"" and\na second line"',
    '',
    '902;901;Plain',
    '903;901',
    'x;;Wrong id',
    '904;;"Never closed',
  ].join('\r\n')
  for (const size of [1, 5, 100_000]) {
    const report = await importFile(rows, { csv: 'room', size })
    deepEqual([report.read, report.stored, report.refused], [5, 2, 3])
    deepEqual(rulesIn(report), [
      [6, null, null, ' cells'],
      [7, 'room', 'x', 'id type'],
      [8, null, null, ' open_quote'],
    ])
  }
  const stored = await exported()
  equal(stored.includes('Room; with \\"quotes\\" and'), true)
  const unknown = await importFile('id,colour,id\n1,red,2\n', { csv: 'room' })
  deepEqual(rulesIn(unknown), [[1, null, null, 'colour unknown_field', 'id unique']])
  const wide = await importFile(`id,name\n905,${'x'.repeat(300_000)}\n906,Good\n`, { csv: 'room' })
  deepEqual([wide.stored, rulesIn(wide)], [1, [[2, null, null, ' too_long']]])
  const encoding = await importFile(Buffer.from([0x69, 0x64, 0x0a, 0xff, 0xfe]), { csv: 'room' })
  equal(encoding.refusals[0]!.faults[0]!.rule, 'invalid_encoding')
})
