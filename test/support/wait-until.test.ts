import { equal, rejects } from 'node:assert/strict'
import { test } from 'node:test'
import { waitFor, waitUntil, withDeadline } from './wait-until.ts'

test('waits until the condition holds', async () => {
  let turns = 0
  await waitUntil(() => ++turns === 3)
  equal(turns, 3)
})

test('fails after the deadline with what it waited for', async () => {
  const isDelivered = () => false
  await rejects(
    waitUntil(() => isDelivered(), { timeoutMs: 30 }),
    /not true after 0.03 s: \(\) => isDelivered\(\)/,
  )
  await rejects(waitUntil(isDelivered, { timeoutMs: 30, what: 'the delivery' }), /: the delivery/)
})

test('waits for a value and returns it', async () => {
  let turns = 0
  equal(await waitFor(() => (++turns === 3 ? 'found' : undefined)), 'found')
  await rejects(
    waitFor(() => undefined, { timeoutMs: 30, what: 'a value' }),
    /: a value/,
  )
})

test('a promise that does not settle fails after the deadline', async () => {
  equal(await withDeadline(Promise.resolve(7), 'a number'), 7)
  await rejects(withDeadline(Promise.reject(new Error('its own')), 'an error'), /its own/)
  await rejects(withDeadline(new Promise(() => {}), 'the end of time', 30), /0.03 s: the end of time/)
})
