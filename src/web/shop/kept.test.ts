import { equal, rejects } from 'node:assert/strict'
import { test } from 'node:test'
import { openKept } from './kept.ts'

test('a value is loaded once for all who ask, by key', async () => {
  const keep = openKept()
  let loads = 0
  const load = async () => ++loads
  const asked = [keep('a', load), keep('a', load)]
  equal((await Promise.all(asked)).join(), '1,1')
  equal(await keep('b', load), 2)
})

test('a failed load is not kept', async () => {
  const keep = openKept()
  await rejects(
    keep('a', () => Promise.reject(new Error('down'))),
    /down/,
  )
  equal(await keep('a', async () => 1), 1)
})
