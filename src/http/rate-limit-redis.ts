// The counters of several processes in one Redis. When it cannot be reached, each process counts for itself:
// a limit that is too generous for a while is better than a shop that is closed.

import { Redis } from 'ioredis'
import type { Log } from '../base/log.ts'
import type { RateCounter, Verdict } from './rate-limit.ts'

const answerWithinMs = 200

/** The rule of `judged`, in Redis' own clock, so that machines need not agree on the time. */
const script = `
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local limit, length = tonumber(ARGV[1]), tonumber(ARGV[2])
local kept = redis.call('HMGET', KEYS[1], 'start', 'used', 'before')
local start, used, before = tonumber(kept[1]), tonumber(kept[2]) or 0, tonumber(kept[3]) or 0
if not start or now - start >= 2 * length then start, used, before = now, 0, 0
elseif now - start >= length then start, used, before = start + length, 0, used end
local age = now - start
local sight = before * (1 - age / length) + used
local allowed, remaining, wait = 0, 0, length - age
if sight + 1 <= limit + 1e-9 then
  allowed, used = 1, used + 1
  remaining = math.max(0, math.floor(limit - sight - 1 + 1e-9))
else
  local room = limit - 1 - used
  if room >= 0 then wait = length * (1 - room / before) - age
  else wait = length + length * (1 - (limit - 1) / used) - age end
end
redis.call('HSET', KEYS[1], 'start', string.format('%.3f', start), 'used', used, 'before', before)
redis.call('PEXPIRE', KEYS[1], math.ceil(2 * length))
return { allowed, remaining, math.max(1, math.ceil(wait / 1000)) }`

interface Scripted extends Redis {
  takeOne(name: string, limit: number, lengthMs: number): Promise<[number, number, number]>
}

export function redisCounter(url: string, fallback: RateCounter, log: Log): RateCounter {
  const redis = new Redis(url, {
    keyPrefix: 'bozor:rate:',
    commandTimeout: answerWithinMs,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (times: number) => Math.min(100 * times, 2_000),
  }) as Scripted
  redis.defineCommand('takeOne', { numberOfKeys: 1, lua: script })
  let reachable = true
  const noted = (now: boolean, reason?: unknown) => {
    if (now !== reachable)
      if (now) log.info('Redis answers again; the counters are shared')
      else log.warn('Redis does not answer; each process counts for itself', { reason: String(reason) })
    reachable = now
  }
  redis.on('error', (error: Error) => noted(false, error))
  return {
    async take(name, limit): Promise<Verdict> {
      try {
        const [allowed, remaining, waitSeconds] = await redis.takeOne(
          name,
          limit.limit,
          limit.windowSeconds * 1000,
        )
        noted(true)
        return { allowed: allowed === 1, remaining, waitSeconds }
      } catch (error) {
        noted(false, error)
        return fallback.take(name, limit)
      }
    },
    async close() {
      redis.disconnect()
      await fallback.close()
    },
  }
}
