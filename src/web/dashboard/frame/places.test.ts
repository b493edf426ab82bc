import { equal } from 'node:assert/strict'
import { test } from 'node:test'
import { needsOf, placeOf } from './places.ts'

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

test('forms of campaigns are not for members who only read marketing', () => {
  const rows = [
    ['/campaigns', 'marketing:read'],
    ['/campaigns/12', 'marketing:read'],
    ['/campaigns/new', 'marketing:write'],
    ['/campaigns/12/edit', 'marketing:write'],
    ['/account', undefined],
  ] as const
  for (const [path, needs] of rows) equal(needsOf(path), needs, path)
})
