// What it costs to authenticate a buyer again, and whether other requests wait while passwords are hashed.

import { monitorEventLoopDelay } from 'node:perf_hooks'
import { MovableClock, systemClock } from '../src/base/clock.ts'
import { sha256 } from '../src/base/random.ts'
import type { Shop } from '../src/base/shop.ts'
import { newSessionSecret } from '../src/identity/clients/session.ts'
import { sessionCredential } from '../src/identity/clients/sign-in.ts'
import { CredentialCache } from '../src/identity/credential-cache.ts'
import { Passwords } from '../src/identity/passwords.ts'
import type { Row } from './row.ts'

const sessions = 1_000
const looks = 200_000
const hashes = 40

export async function bench(): Promise<Row[]> {
  return [await knownSession(), ...(await signIns())]
}

/** The credential cache alone: it queries the database once per session, which is a table in memory here. */
async function knownSession(): Promise<Row> {
  const secrets = Array.from({ length: sessions }, () => newSessionSecret('live').secret)
  const clock = new MovableClock(systemClock())
  const shop = {
    environment: 'live',
    clock,
    relay: { subscribe: () => {} },
    db: {
      read: () => ({
        environment: 'live',
        maybe: async (_sql: string, [hash]: Buffer[]) => rowOf(hash!, clock.now()),
      }),
    },
  } as unknown as Shop
  const cache = new CredentialCache(shop)
  for (const secret of secrets) await cache.principalOf(sessionCredential, secret)
  const look = (count: number) => {
    for (let at = 0; at < count; at++) void cache.principalOf(sessionCredential, secrets[at % sessions]!)
  }
  const plain = (count: number) => {
    for (let at = 0; at < count; at++) sha256(secrets[at % sessions]!)
  }
  look(looks / 4)
  return {
    name: 'a session known again',
    ours: microseconds(() => look(looks)),
    unit: 'µs CPU',
    floor: microseconds(() => plain(looks)),
    bar: '≤ 30',
    note: 'floor: its SHA-256 alone',
  }
}

const rowOf = (hash: Buffer, now: Date) => ({
  id: `ses_${hash.toString('hex').slice(0, 20)}`,
  hash,
  clientId: hash.readUInt32BE(),
  createdAt: now,
  lastUsedAt: now,
  endedAt: null,
})

function microseconds(work: () => void): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / looks
}

async function signIns(): Promise<Row[]> {
  const passwords = new Passwords()
  const known = await passwords.hash('four plums in a basket')
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  const before = process.cpuUsage()
  await Promise.all(Array.from({ length: hashes }, () => passwords.matches('four plums in a basket', known)))
  const { user, system } = process.cpuUsage(before)
  delay.disable()
  return [
    {
      name: 'a password verified',
      ours: (user + system) / 1000 / hashes,
      unit: 'ms CPU',
      bar: 'slow on purpose',
    },
    {
      name: `the event loop while ${hashes} sign in`,
      ours: delay.percentile(50) / 1e6,
      unit: 'ms median wait',
      bar: '≤ 5',
      note: `longest ${(delay.max / 1e6).toFixed(1)} ms`,
    },
  ]
}
