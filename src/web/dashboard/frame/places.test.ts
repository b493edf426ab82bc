import { equal } from 'node:assert/strict'
import { test } from 'node:test'
import { placeOf } from './places.ts'

test('a path belongs to its own page, also where another path begins with the same letters', () => {
  const rows = [
    ['/search', '/search'],
    ['/search-words', '/search-words'],
    ['/orders/12/invoice', '/orders'],
    ['/', '/'],
    ['/searching', undefined],
  ] as const
  for (const [path, place] of rows) equal(placeOf(path)?.path, place)
})
