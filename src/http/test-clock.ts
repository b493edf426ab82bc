// Routes to move the clock of the test environment. In live they reply 404.

import { Type } from 'typebox'
import { durationMs } from '../base/clock.ts'
import type { Environment } from '../base/database.ts'
import { refuse } from '../base/refusal.ts'
import { followStoredOffset, type Shop } from '../base/shop.ts'
import { advanceClock, resetClock } from '../base/test-clock.ts'
import { del, get, post, type Route } from './route.ts'
import { strict, instant, integer, text } from './schema.ts'

const clockReply = Type.Object({
  clock: Type.Object({
    now: instant,
    offset_seconds: integer(0, Number.MAX_SAFE_INTEGER, {
      description: 'Seconds by which the test clock is ahead of the real clock.',
    }),
  }),
})

/** `settleMs`: how long other processes may need to notice the change; 0 if there are none. */
export function testClockRoutes(shops: Record<Environment, Shop>, settleMs: number): Route[] {
  const { clock, jobs } = shops.test
  const view = (offsetMs: number, now: Date) => ({
    data: { clock: { now: now.toISOString(), offset_seconds: Math.round(offsetMs / 1000) } },
  })
  const settled = () => new Promise<void>((done) => setTimeout(done, settleMs))
  return [
    get('/v1/test/clock', {
      summary: 'Read the test clock',
      scope: 'admin:read',
      reply: clockReply,
      run: async ({ environment, read }) => {
        refuseInLive(environment)
        return view(clock.offsetMs, read.now)
      },
    }),
    post('/v1/test/clock', {
      summary: 'Move the test clock forward',
      description:
        'Every expiry, daily limit, schedule and clean-up of the test environment follows this clock. Jobs that become due run before the reply is sent; a training of recommendations, which takes minutes, has only begun then.',
      scope: 'admin:write',
      body: strict({
        advance: text({
          max: 40,
          description: 'An ISO 8601 duration in weeks, days, hours, minutes and seconds.',
          examples: ['P15D'],
        }),
      }),
      reply: clockReply,
      refusals: ['conflict'],
      run: async ({ tx, body: { advance }, environment }) => {
        refuseInLive(environment)
        const ms = durationMs(advance)
        if (!ms)
          throw refuse('validation_failed', { fields: [{ path: 'advance', rule: 'format', limit: 'P15D' }] })
        const before = clock.offsetMs
        const offsetMs = await advanceClock(tx, ms)
        tx.afterCommit(async () => {
          await followStoredOffset(shops.test)
          await jobs.runDue()
          await settled()
        })
        return view(offsetMs, new Date(tx.now.getTime() + offsetMs - before))
      },
    }),
    del('/v1/test/clock', {
      summary: 'Reset the test clock',
      scope: 'admin:write',
      reply: clockReply,
      run: async ({ tx, environment }) => {
        refuseInLive(environment)
        const before = clock.offsetMs
        await resetClock(tx)
        tx.afterCommit(async () => {
          await followStoredOffset(shops.test)
          await settled()
        })
        return view(0, new Date(tx.now.getTime() - before))
      },
    }),
  ]
}

function refuseInLive(environment: Environment): void {
  if (environment === 'live') throw refuse('not_found')
}
