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

test('visitors who ask for many hosts do not fill the memory', async () => {
  const keep = openKept()
  let loads = 0
  const load = async () => ++loads
  equal(await keep('ru shop.uz frame', load), 1)
  for (let at = 0; at < 1_000; at++) await keep(`ru host-${at} frame`, async () => at)
  equal(await keep('ru host-999 frame', load), 999)
  equal(await keep('ru shop.uz frame', load), 2, 'the oldest values were dropped')
})
