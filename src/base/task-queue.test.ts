import { deepEqual, equal, rejects } from 'node:assert/strict'
import { test } from 'node:test'
import { TaskQueue } from './task-queue.ts'

/** A task that runs until it is stopped by the test. */
function taskIn(queue: TaskQueue, log: string[], name: string, signal?: AbortSignal) {
  const { promise, resolve: end, reject: fail } = Promise.withResolvers<void>()
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  const run = queue.run(async () => {
    log.push(`${name} begins`)
    begin()
    await promise
    log.push(`${name} ends`)
    return name
  }, signal)
  run.catch(() => {})
  return { run, begun, end, fail }
}

test('tasks run one after the other in the order of their requests', async () => {
  const log: string[] = []
  const queue = new TaskQueue({ pauseMs: 1 })
  const [first, second, third] = ['first', 'second', 'third'].map((name) => taskIn(queue, log, name))
  await first!.begun
  for (const it of [third!, second!, first!]) it.end()
  equal(await third!.run, 'third')
  deepEqual(
    log,
    ['first', 'second', 'third'].flatMap((it) => [`${it} begins`, `${it} ends`]),
  )
})

test('a task that fails lets the next one begin', async () => {
  const log: string[] = []
  const queue = new TaskQueue({ pauseMs: 1 })
  const [first, second] = [taskIn(queue, log, 'first'), taskIn(queue, log, 'second')]
  first.fail(new Error('broken'))
  await rejects(first.run, /broken/)
  second.end()
  equal(await second.run, 'second')
})

test('a task does not wait longer than the limit for one that hangs', async () => {
  const log: string[] = []
  const queue = new TaskQueue({ pauseMs: 1, longestWaitMs: 5 })
  const [hanging, next] = [taskIn(queue, log, 'hanging'), taskIn(queue, log, 'next')]
  next.end()
  await next.run
  deepEqual(log, ['hanging begins', 'next begins', 'next ends'])
  hanging.end()
  await hanging.run
})

test('a task that is stopped while it waits never begins, and the queue goes on', async () => {
  const log: string[] = []
  const queue = new TaskQueue({ pauseMs: 1 })
  const stop = new AbortController()
  const first = taskIn(queue, log, 'first')
  const [stopped, last] = [taskIn(queue, log, 'stopped', stop.signal), taskIn(queue, log, 'last')]
  await first.begun
  stop.abort()
  await rejects(stopped.run, { name: 'AbortError' })
  last.end()
  first.end()
  await last.run
  deepEqual(log, ['first begins', 'first ends', 'last begins', 'last ends'])
})

test('a queue without tasks starts one at once', async () => {
  const log: string[] = []
  const queue = new TaskQueue({ pauseMs: 60_000 })
  const first = taskIn(queue, log, 'first')
  first.end()
  await first.run
  await new Promise((done) => setImmediate(done))
  const second = taskIn(queue, log, 'second')
  second.end()
  equal(await second.run, 'second')
})
