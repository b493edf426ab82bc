import { equal, rejects } from 'node:assert/strict'
import { test } from 'node:test'
import { inTime } from './in-time.ts'

const never = new Promise<string>(() => {})

test('what comes in time is taken, and nobody is asked for another', async () => {
  const asked: string[] = []
  equal(await inTime(Promise.resolve('own'), 1_000, () => void asked.push('other')), 'own')
  equal(asked.length, 0)
})

test('what comes too late or fails is replaced', async () => {
  equal(await inTime(never, 5, () => 'other'), 'other')
  equal(await inTime(Promise.reject(new Error('broken')), 1_000, async () => 'other'), 'other')
})

test('without anything in its place it is waited for, and its failure is heard', async () => {
  const later = new Promise<string>((done) => setTimeout(() => done('own'), 30))
  equal(await inTime(later, 5, () => undefined), 'own')
  await rejects(
    inTime(Promise.reject(new Error('broken')), 5, () => undefined),
    /broken/,
  )
})
