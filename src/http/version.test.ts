import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { ifMatchOf } from './version.ts'

const versionsOf = (header: string) => ifMatchOf(header)?.versions

test('If-Match is a list of entity tags, weak ones and those of others included', () => {
  deepEqual(versionsOf('"3"'), [3])
  deepEqual(versionsOf('W/"3-ru", "4" ,, "not,ours"'), [3, 4])
  deepEqual(versionsOf(', "5",'), [5])
  deepEqual(versionsOf('"other"'), [])
  equal(versionsOf(' * '), 'any')
})

test('a malformed If-Match is refused, however long it is', () => {
  for (const header of ['', ',', '3', '"3', '"3" "4"', '"3", 4', '*, "3"', 'w/"3"'])
    equal(ifMatchOf(header), undefined, header)
  for (const piece of [',', '"', '"",', ' ,', 'W/'])
    equal(ifMatchOf(`${piece.repeat(5_000)}x`), undefined, piece)
})
