// Rate limits of several hosts, counted in one Redis. If Redis is unreachable, each process counts for itself: a limit
// that is too generous for a while is better than a shop that is closed.

import { Cluster, Redis } from 'ioredis'
import type { Log } from '../base/log.ts'
import { exactLimit, type RateCounter, type RateDecision, slotsPerWindow } from './rate-limit.ts'

const commandTimeoutMs = 200
const pingTimeoutMs = 3_000

/** The rule of `takeFrom`. It uses the clock of Redis, so that hosts need not agree on the time. */
const script = `
local now = tonumber(ARGV[3])
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end
local limit, length = tonumber(ARGV[1]), tonumber(ARGV[2])
local stored = redis.call('GET', KEYS[1])
local window = stored and cjson.decode(stored) or { 0 }
local kept, used = { window[1] }, 0
for at = 2, #window, 2 do
  local last = math.min(window[at], now)
  if last + length > now then
    kept[#kept + 1] = last
    kept[#kept + 1] = window[at + 1]
    used = used + window[at + 1]
  end
end
local allowed, remaining, wait = 0, 0, length
if used >= limit then
  local left, at = used - limit, 2
  while kept[at + 1] <= left do left, at = left - kept[at + 1], at + 2 end
  wait = kept[at] + length - now
else
  allowed, remaining = 1, limit - used - 1
  if limit > ${exactLimit} and #kept > 1 and math.abs(now - kept[1]) < length / ${slotsPerWindow} then
    kept[#kept - 1] = now
    kept[#kept] = kept[#kept] + 1
  else
    kept[#kept + 1] = now
    kept[#kept + 1] = 1
    kept[1] = now
  end
end
redis.call('SET', KEYS[1], cjson.encode(kept), 'PX', math.ceil(length))
return { allowed, remaining, math.max(1, math.ceil(wait / 1000)) }`

interface Scripted {
  takeOne(
    name: string,
    limit: number,
    lengthMs: number,
    nowMs: number | '',
  ): Promise<[number, number, number]>
}

/** Connects once and disconnects; throws when Redis, or the first named node of a cluster, does not answer. */
export async function pingRedis(url: string): Promise<void> {
  const redis = new Redis(addressesOf(url)[0]!, {
    lazyConnect: true,
    connectTimeout: pingTimeoutMs,
    commandTimeout: pingTimeoutMs,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  })
  let reason: Error | undefined
  redis.on('error', (error: Error) => (reason = error))
  try {
    await redis.connect()
    await redis.ping()
  } catch (error) {
    throw reason ?? error
  } finally {
    redis.disconnect()
  }
}

const addressesOf = (url: string): string[] => url.split(',').map((it) => it.trim())

const retryAfterMs = (times: number) => Math.min(100 * times, 2_000)

/** Several addresses are nodes of a Redis Cluster. Each command has one key, so it concerns one node. */
function open(url: string, timeoutMs: number): (Redis | Cluster) & Scripted {
  const options = {
    keyPrefix: 'bozor:rate-window:',
    commandTimeout: timeoutMs,
    maxRetriesPerRequest: 0,
  }
  const [first = '', ...others] = addressesOf(url)
  if (others.length === 0)
    return new Redis(first, {
      ...options,
      enableOfflineQueue: false,
      retryStrategy: retryAfterMs,
    }) as Redis & Scripted
  const { username, password, protocol } = new URL(first)
  return new Cluster([first, ...others], {
    keyPrefix: options.keyPrefix,
    enableOfflineQueue: false,
    clusterRetryStrategy: retryAfterMs,
    redisOptions: {
      ...options,
      ...(username && { username: decodeURIComponent(username) }),
      ...(password && { password: decodeURIComponent(password) }),
      ...(protocol === 'rediss:' && { tls: {} }),
    },
  }) as Cluster & Scripted
}

/** `nowMs` replaces the clock of Redis in tests. */
export function redisCounter(
  url: string,
  {
    fallback,
    log,
    nowMs,
    timeoutMs = commandTimeoutMs,
  }: { fallback: RateCounter; log: Log; nowMs?: () => number; timeoutMs?: number },
): RateCounter {
  const redis = open(url, timeoutMs)
  redis.defineCommand('takeOne', { numberOfKeys: 1, lua: script })
  let reachable = true
  const setReachable = (now: boolean, reason?: unknown) => {
    if (now !== reachable)
      if (now) log.info('Redis is reachable again; rate limits are shared')
      else log.warn('Redis is unreachable; each process counts for itself', { reason: String(reason) })
    reachable = now
  }
  redis.on('error', (error: Error) => setReachable(false, error))
  redis.on('ready', () => setReachable(true))
  return {
    isReachable: () => reachable && redis.status === 'ready',
    async take(name, limit): Promise<RateDecision> {
      try {
        const [allowed, remaining, waitSeconds] = await redis.takeOne(
          name,
          limit.limit,
          limit.windowSeconds * 1000,
          nowMs?.() ?? '',
        )
        setReachable(true)
        return { allowed: allowed === 1, remaining, waitSeconds }
      } catch (error) {
        setReachable(false, error)
        return fallback.take(name, limit)
      }
    },
    async close() {
      redis.disconnect()
      await fallback.close()
    },
  }
}
