// What OAuth costs: a token for an application, with everything that is written for it, and recognising a token.

import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MovableClock, systemClock } from '../src/base/clock.ts'
import type { Shop } from '../src/base/shop.ts'
import { type CredentialKind, CredentialCache } from '../src/identity/credential-cache.ts'
import { accessTokenCredential } from '../src/identity/oauth/grants.ts'
import { newToken } from '../src/identity/oauth/token.ts'
import { cpuSeconds, family } from './cpu.ts'
import { load } from './load.ts'
import { type Ours, startOurs, stop } from './ours.ts'
import type { Row } from './row.ts'

const seconds = Number(process.env['BENCH_SECONDS'] ?? 5)
const knownTokens = 1_000
const looks = 200_000

export async function bench(): Promise<Row[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'bozor-bench-'))
  chmodSync(dataDir, 0o755)
  const ours = await startOurs(dataDir)
  try {
    return [...(await newTokens(ours)), await knownToken()]
  } finally {
    await stop(ours.child)
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function newTokens({ url, key, child }: Ours): Promise<Row[]> {
  const registered = await fetch(`${url}/v1/admin/applications`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'bench', type: 'server', scopes: ['catalog:read'] }),
  })
  const { data } = (await registered.json()) as {
    data: { application: { client_id: string }; client_secret: string }
  }
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: data.application.client_id,
    client_secret: data.client_secret,
  }).toString()
  const request = `POST /oauth/token HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: ${form.length}\r\n\r\n${form}`
  const ask = (time: number) =>
    load({ url, connections: 16, seconds: time, request: () => request, expect: 200 })
  await ask(2)
  const pids = family(child.pid!)
  const before = cpuSeconds(pids)
  const measured = await ask(seconds)
  const cpuMs = ((cpuSeconds(pids) - before) * 1000) / measured.requests
  return [
    {
      name: 'client credentials',
      ours: 1000 / cpuMs,
      unit: 'tokens/s a core',
      bar: '≥ 300, with the database',
      note: `${Math.round(measured.perSecond)}/s by the clock; p99 ${measured.p99Ms.toFixed(1)} ms; ${cpuMs.toFixed(2)} ms CPU`,
    },
  ]
}

/** The credential cache alone, with cached tokens: no query is sent. */
async function knownToken(): Promise<Row> {
  const clock = new MovableClock(systemClock())
  const shop = { environment: 'live', clock, relay: { subscribe() {} }, db: { read: () => ({}) } }
  const cache = new CredentialCache(shop as unknown as Shop, () => {})
  const kind: CredentialKind = {
    ...accessTokenCredential,
    find: async (_read, hash) => ({
      principal: {
        id: 'app_live_bench',
        environment: 'live',
        actor: { kind: 'application' },
        application: { id: 'app_live_bench', type: 'server' },
        scopes: new Set(['catalog:read'] as const),
        rate: undefined,
      },
      hash,
      dependsOn: [],
      revokedAt: null,
      expiresAt: new Date(clock.now().getTime() + 3_600_000),
    }),
  }
  const tokens = Array.from({ length: knownTokens }, () => newToken('access', 'live'))
  for (const token of tokens) await cache.principalOf(kind, token)
  const look = (times: number) => {
    for (let at = 0; at < times; at++) {
      const token = tokens[at % knownTokens]!
      if (kind.environmentOf(token, {})) void cache.principalOf(kind, token)
    }
  }
  look(looks / 10)
  const before = process.cpuUsage()
  look(looks)
  const { user, system } = process.cpuUsage(before)
  return { name: 'know a token again', ours: (user + system) / looks, unit: 'µs CPU', bar: '≤ 30' }
}
