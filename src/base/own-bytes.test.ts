import { equal } from 'node:assert/strict'
import { test } from 'node:test'
import { ownBytes } from './own-bytes.ts'

test('the bytes of a text share their memory with nothing', () => {
  for (const text of ['', 'a', 'Чайник “Artel” oʻzbek 茶', 'x'.repeat(70_000)]) {
    const bytes = ownBytes(text)
    equal(bytes.toString(), text)
    equal(bytes.buffer.byteLength, bytes.length)
  }
})
