// Promotions over HTTP, and a clock to watch them by.

import { equal } from 'node:assert/strict'
import type { Reply, TestPlatform } from './shop.ts'

export const promotionsPath = '/v1/marketing/promotions'

export function openPromotions({ call, app }: TestPlatform) {
  const { clock, relay } = app.shops.test
  let last = 0
  /** An instant so many seconds from the shop's now. */
  const inSeconds = (seconds: number): string =>
    new Date(clock.now().getTime() + seconds * 1_000).toISOString()
  const plan = (fields: object): Promise<Reply> =>
    call('POST', promotionsPath, {
      body: { slug: `promotion-${++last}`, title: `Акция ${last}`, title_uz: `Aksiya ${last}`, ...fields },
    })
  return {
    inSeconds,
    plan,
    /** Plans a promotion and expects it to be done. */
    planned: async (fields: object) => {
      const reply = await plan(fields)
      equal(reply.status, 201, reply.text)
      return reply.body.data.promotion as {
        id: string
        uuid: string
        slug: string
        title: string
        title_uz: string
      }
    },
    end: (id: string) => call('POST', `${promotionsPath}/${id}/end`),
    remove: (id: string) => call('DELETE', `${promotionsPath}/${id}`),
    /** Moves the shop's clock ahead. */
    pass: async (seconds: number) => {
      const reply = await call('POST', '/v1/test/clock', { body: { advance: `PT${seconds}S` } })
      equal(reply.status, 200, reply.text)
    },
    /** What was told of promotions since the beginning, in order. */
    told: async (id?: string) => {
      await relay.settle()
      const rows = await app.shops.test.db
        .read()
        .all<{ type: string; subject: string; fields: Record<string, unknown> }>(
          `select type, subject, fields from outbox_events where type like 'Promotion%' order by sequence`,
        )
      return rows.filter((it) => id === undefined || it.subject === `promotion/${id}`)
    },
  }
}
