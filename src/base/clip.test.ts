import { equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { clip } from './clip.ts'

test('a text is clipped before a pair that does not fit', () => {
  equal(clip('ab🛒', 4), 'ab🛒')
  equal(clip('ab🛒', 3), 'ab')
  equal(clip('abc', 2), 'ab')
  equal(clip('', 2), '')
  for (let most = 0; most < 12; most++) ok(clip('🛒a🛍️b👩‍👩‍👧', most).isWellFormed())
})
