import { deepEqual, equal } from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { tryLock } from './lock.ts'
import { startTimeInStat, processStartTime } from './process.ts'

const scratch = mkdtempSync(join(tmpdir(), 'bozor-lock-'))
after(() => rmSync(scratch, { recursive: true, force: true }))
const freshPath = () => join(mkdtempSync(join(scratch, 'd-')), 'lock')

test('a lock has one holder, and the next process learns who holds it', () => {
  const path = freshPath()
  const first = tryLock(path, 'server', 'start')
  equal(first.kind, 'taken')
  const second = tryLock(path, 'command', 'train')
  equal(second.kind === 'held' && second.by.pid, process.pid)
  equal(second.kind === 'held' && second.by.command, 'start')
})

test('a released lock is free and leaves nothing behind', () => {
  const path = freshPath()
  for (let round = 0; round < 3; round++) {
    const attempt = tryLock(path, 'server', 'start')
    equal(attempt.kind, 'taken')
    if (attempt.kind === 'taken') attempt.release()
  }
  deepEqual(readdirSync(join(path, '..')), [])
})

test('the lock of an ended process is free', () => {
  const path = freshPath()
  const dead = spawnSync(process.execPath, ['--version']).pid
  writeFileSync(
    path,
    JSON.stringify({ pid: dead, born: 'then', role: 'server', command: 'start', nonce: 'n' }),
  )
  equal(tryLock(path, 'server', 'start').kind, 'taken')
})

test('a process that got the pid of an ended holder does not hold its lock', () => {
  const path = freshPath()
  writeFileSync(
    path,
    JSON.stringify({ pid: process.pid, born: 'before', role: 'server', command: 'start', nonce: 'n' }),
  )
  equal(tryLock(path, 'server', 'start').kind, 'taken')
})

test('a lock that a power cut left empty is free', () => {
  const path = freshPath()
  writeFileSync(path, '')
  equal(tryLock(path, 'server', 'start').kind, 'taken')
})

test('releasing twice does not release the lock of the next holder', () => {
  const path = freshPath()
  const first = tryLock(path, 'server', 'start')
  if (first.kind === 'taken') first.release()
  tryLock(path, 'server', 'start')
  if (first.kind === 'taken') first.release()
  equal(tryLock(path, 'server', 'start').kind, 'held')
})

test('of many processes that find the lock of an ended process, one takes it', async () => {
  const contenders = await Promise.all(Array.from({ length: 8 }, contender))
  for (let round = 0; round < 20; round++) {
    const path = freshPath()
    writeFileSync(
      path,
      JSON.stringify({ pid: process.pid, born: 'before', role: 'server', command: 'start', nonce: 'n' }),
    )
    const outcomes = await Promise.all(contenders.map((it) => it.tries(path)))
    deepEqual(outcomes.toSorted(), ['held', 'held', 'held', 'held', 'held', 'held', 'held', 'taken'])
    deepEqual(readdirSync(join(path, '..')), ['lock'])
  }
  for (const it of contenders) it.leave()
})

/** A process that tries the locks it is given and stays alive with those it took. */
async function contender() {
  const script = `
    const { tryLock } = await import(${JSON.stringify(new URL('./lock.ts', import.meta.url).href)})
    process.on('message', (path) => process.send(tryLock(path, 'server', 'start').kind))
    process.send('ready')`
  const child = spawn(process.execPath, ['--input-type=module', '--no-warnings', '-e', script], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const reply = () => new Promise<string>((done) => child.once('message', (kind) => done(String(kind))))
  await reply()
  return {
    tries(path: string) {
      const answer = reply()
      child.send(path)
      return answer
    },
    leave: () => child.disconnect(),
  }
}

test('a process is identified by its start time while it runs', () => {
  equal(processStartTime(process.pid), processStartTime(process.pid))
  equal(processStartTime(spawnSync(process.execPath, ['--version']).pid), undefined)
})

const fields = (state: string) =>
  `12 (a) Z 1) ${state} ${Array.from({ length: 30 }, (_, i) => i + 4).join(' ')}`

test('a zombie has no start time, whatever its name contains', () => {
  equal(startTimeInStat(fields('S')), '22')
  equal(startTimeInStat(fields('Z')), undefined)
})
