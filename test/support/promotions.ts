// Promotions over HTTP, with control of the test clock.

import { equal } from 'node:assert/strict'
import type { Reply, TestPlatform } from './shop.ts'

export const promotionsPath = '/v1/marketing/promotions'

export function openPromotions({ call, app }: TestPlatform) {
  const { clock, relay } = app.shops.test
  let last = 0
  /** The clock of the shop plus these seconds, as ISO text. */
  const inSeconds = (seconds: number): string =>
    new Date(clock.now().getTime() + seconds * 1_000).toISOString()
  const plan = (fields: object): Promise<Reply> =>
    call('POST', promotionsPath, {
      body: {
        slug: `promotion-${++last}`,
        title: `Акция ${last}`,
        title_uz: `Aksiya ${last}`,
        title_en: `Promotion ${last}`,
        ...fields,
      },
    })
  return {
    inSeconds,
    plan,
    /** Creates a promotion and expects success. */
    planned: async (fields: object) => {
      const reply = await plan(fields)
      equal(reply.status, 201, reply.text)
      return reply.body.data.promotion as {
        id: string
        uuid: string
        slug: string
        title: string
        title_uz: string
        title_en: string
      }
    },
    end: (id: string) => call('POST', `${promotionsPath}/${id}/end`),
    remove: (id: string) => call('DELETE', `${promotionsPath}/${id}`),
    /** Advances the clock of the shop. */
    pass: async (seconds: number) => {
      const reply = await call('POST', '/v1/test/clock', { body: { advance: `PT${seconds}S` } })
      equal(reply.status, 200, reply.text)
    },
    /** All events published about promotions, in order. */
    publishedEvents: async (id?: string) => {
      await relay.catchUp()
      const rows = await app.shops.test.db
        .read()
        .all<{ type: string; subject: string; fields: Record<string, unknown> }>(
          `select type, subject, fields from outbox_events where type like 'Promotion%' order by sequence`,
        )
      return rows.filter((it) => id === undefined || it.subject === `promotion/${id}`)
    },
  }
}
