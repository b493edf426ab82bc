// The test environment's clock over HTTP. In live these paths do not exist.

import { Type } from 'typebox'
import { durationMs } from '../base/clock.ts'
import type { Environment } from '../base/db.ts'
import { refuse } from '../base/refusal.ts'
import type { Shop } from '../base/shop.ts'
import { advanceClock, resetClock } from '../base/test-clock.ts'
import { del, get, post, type Route } from './route.ts'
import { strict, instant, integer, text } from './schema.ts'

const clockReply = Type.Object({
  clock: Type.Object({
    now: instant,
    offset_seconds: integer(0, Number.MAX_SAFE_INTEGER, {
      description: 'How far it is ahead of the real one.',
    }),
  }),
})

/** `settleMs` is how long other processes may need to hear of a move; zero when there are none. */
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
        'Every expiry, limit day, schedule and clean-up of the test environment follows it. Jobs that fall due by the move have run when the reply comes.',
      scope: 'admin:write',
      body: strict({
        advance: text({
          max: 40,
          description: 'An ISO 8601 duration in weeks, days, hours, minutes, seconds.',
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
          await jobs.runDue()
          await settled()
        })
        return view(offsetMs, new Date(tx.now.getTime() + offsetMs - before))
      },
    }),
    del('/v1/test/clock', {
      summary: 'Set the test clock back to now',
      scope: 'admin:write',
      reply: clockReply,
      run: async ({ tx, environment }) => {
        refuseInLive(environment)
        const before = clock.offsetMs
        await resetClock(tx)
        tx.afterCommit(settled)
        return view(0, new Date(tx.now.getTime() - before))
      },
    }),
  ]
}

function refuseInLive(environment: Environment): void {
  if (environment === 'live') throw refuse('not_found')
}
