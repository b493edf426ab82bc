import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import type { Bozor } from '../../../sdk/index.ts'
import { importFile, linesOf, partsOf, recordOfName, type Report, withLine } from './import-file.ts'

const numbered = (count: number) => Array.from({ length: count }, (_, at) => `line ${at + 1}`)

test('parts of a CSV file begin with its header, and keep the numbers of their lines', () => {
  const lines = ['id;name', ...numbered(501)]
  const parts = partsOf({ name: 'a.csv', record: 'brand', lines })
  deepEqual(
    parts.map((it) => [it.lines[0], it.lines.length, it.numbers.slice(0, 2)]),
    [
      ['id;name', 501, [1, 2]],
      ['id;name', 2, [1, 502]],
    ],
  )
  equal(partsOf({ name: 'a.csv', record: 'brand', lines: [...lines, '1;"two\nlines"'] }).length, 1)
  equal(partsOf({ name: 'a.ndjson', record: null, lines: numbered(1_000) }).length, 2)
})

test('a corrected line replaces the one at its number', () => {
  const file = { name: 'a', record: null, lines: linesOf('\uFEFFone\r\ntwo\nthree') }
  deepEqual(withLine(file, 2, 'TWO').lines, ['one', 'TWO', 'three'])
  equal(recordOfName('Categories 2026.csv'), 'category')
  equal(recordOfName('list.csv'), 'product')
})

test('sends refused lines again after the last part, and reports their numbers in the file', async () => {
  const file = { name: 'a.ndjson', record: null, lines: numbered(600) }
  const bodies: string[][] = []
  const refusal = (line: number) => ({ line, record: null, id: null, fields: [] })
  const replies: Partial<Report>[] = [
    { read: 500, stored: 498, refused: 2, refusals: [refusal(3), refusal(7)] },
    { read: 100, stored: 99, unchanged: 1, refused: 0 },
    { read: 2, stored: 1, refused: 1, refusals: [refusal(2)] },
  ]
  const bozor = {
    records: {
      import: async ({ body }: { body: string }) => {
        bodies.push(body.split('\n'))
        return { read: 0, stored: 0, unchanged: 0, refused: 0, refusals: [], ...replies[bodies.length - 1] }
      },
    },
  } as unknown as Bozor
  const shares: number[] = []
  const report = await importFile(bozor, file, (it) => shares.push(it))
  deepEqual(bodies[2], ['line 3', 'line 7'])
  deepEqual(report, { read: 600, stored: 598, unchanged: 1, refused: 1, refusals: [refusal(7)] })
  equal(shares.at(-1), 1)
})
