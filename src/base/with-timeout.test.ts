import { equal, rejects } from 'node:assert/strict'
import { test } from 'node:test'
import { withTimeout } from './with-timeout.ts'

const never = new Promise<string>(() => {})

test('a result in time is returned, and the fallback is not called', async () => {
  const called: string[] = []
  equal(await withTimeout(Promise.resolve('own'), 1_000, () => void called.push('other')), 'own')
  equal(called.length, 0)
})

test('a late or failed result is replaced by the fallback', async () => {
  equal(await withTimeout(never, 5, () => 'other'), 'other')
  equal(await withTimeout(Promise.reject(new Error('broken')), 1_000, async () => 'other'), 'other')
})

test('without a fallback value the result is awaited, and its failure is thrown', async () => {
  const later = new Promise<string>((done) => setTimeout(() => done('own'), 30))
  equal(await withTimeout(later, 5, () => undefined), 'own')
  await rejects(
    withTimeout(Promise.reject(new Error('broken')), 5, () => undefined),
    /broken/,
  )
})
