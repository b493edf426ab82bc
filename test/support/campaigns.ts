// Campaigns over HTTP, clients with consent, and outcomes.

import { equal } from 'node:assert/strict'
import { minuteIn } from '../../src/base/time-zone.ts'
import type { LocalizedText } from '../../src/http/language.ts'
import { upsertDevice } from '../../src/marketing/devices/store.ts'
import type { Channel } from '../../src/marketing/templates/template.ts'
import { openOrdering } from './orders.ts'
import type { Reply, TestPlatform } from './shop.ts'
import { waitUntil } from './wait-until.ts'

const minutesPerDay = 24 * 60
export const campaigns = '/v1/marketing/campaigns'
/** No quiet hours. */
export const noQuietHours = { from: '00:00', to: '00:00' }

export async function openCampaigns(shop: TestPlatform, firstClient = 1_000) {
  const ordering = await openOrdering(shop, firstClient)
  const { call, app } = shop
  const { db, relay, jobs } = app.shops.test
  let lastTemplate = 0
  const post = (path: string, body?: object): Promise<Reply> => call('POST', path, body ? { body } : {})
  const done = (reply: Reply, status = 200) => {
    equal(reply.status, status, reply.text)
    return reply.body.data
  }
  const template = async (text = '{{client.name}}', channel: Channel = 'email'): Promise<string> => {
    const slug = `template-${++lastTemplate}`
    const texts = { ru: { ...(channel !== 'sms' && { subject: 'Привет' }), text } }
    done(await post('/v1/marketing/templates', { slug, channel, texts }), 201)
    return slug
  }
  const consent = async (clientId: number, granted: boolean, channel: Channel = 'email'): Promise<void> => {
    const consents = [{ client_id: String(clientId), channel, granted, source: 'test' }]
    done(await call('PUT', '/v1/marketing/consents', { body: { consents } }))
  }
  const draft = async (record: object = {}) =>
    done(
      await post(campaigns, {
        name: 'A campaign',
        channel: 'email',
        template: await template(),
        when: { cart_abandoned: { days: 3 } },
        quiet_hours: noQuietHours,
        ...record,
      }),
      201,
    ).campaign
  const step = async (id: string, verb: string) => done(await post(`${campaigns}/${id}/${verb}`)).campaign
  return {
    ...ordering,
    template,
    draft,
    step,
    /** Quiet hours that end half a day from now for one minute, so that no test reaches that minute. */
    asleep: () => {
      const minute = minuteIn('Asia/Tashkent')(db.clock.now())
      const time = (after: number) => {
        const at = (minute + after) % minutesPerDay
        return [Math.floor(at / 60), at % 60].map((it) => String(it).padStart(2, '0')).join(':')
      }
      return { from: time(minutesPerDay / 2 + 1), to: time(minutesPerDay / 2) }
    },
    /** Creates and starts a campaign. */
    started: async (record: object = {}) => step((await draft(record)).id, 'start'),
    /** A client with an email address and consent, optionally with a language. */
    reader: async (
      options: { language?: keyof LocalizedText; consents?: boolean; email?: string | null } = {},
    ): Promise<{ ClientId: number }> => {
      const client = ordering.newClient()
      const { language, consents = true, email = `client-${client.ClientId}@mail.uz` } = options
      await db.transaction(async (tx) => {
        await tx.all(
          `insert into identity_clients (id, name, email, created_at, updated_at) values ($1, $2, $3, $4, $4)`,
          [client.ClientId, `Client ${client.ClientId}`, email, tx.now],
        )
        if (language)
          await tx.all(`insert into marketing_languages (client_id, language) values ($1, $2)`, [
            client.ClientId,
            language,
          ])
      })
      if (consents) await consent(client.ClientId, true)
      return client
    },
    agree: (clientId: number, channel: Channel) => consent(clientId, true, channel),
    /** Adds a phone number or a device to a client. */
    reach: (clientId: number, channel: 'sms' | 'push', at: string) =>
      db.transaction<unknown>((tx) =>
        channel === 'sms'
          ? tx.all(`update identity_clients set phone = $2 where id = $1`, [clientId, at])
          : upsertDevice(tx, { clientId, token: at, platform: 'android' }),
      ),
    withdraw: (clientId: number) => consent(clientId, false),
    /** Runs the job until no work is due. */
    run: () => waitUntil(() => jobs.runNow('run-campaigns')),
    settle: () => relay.catchUp(),
    results: async (id: string) => done(await call('GET', `${campaigns}/${id}/results`)).results,
    preview: async (id: string, query = '') =>
      done(await call('GET', `${campaigns}/${id}/preview${query}`)).preview,
    /** Outcomes by client id. */
    outcomes: async (id: string): Promise<Record<string, string>> =>
      Object.fromEntries(
        (
          await db.read().all<{ clientId: number; outcome: string }>(
            `select client_id as "clientId", string_agg(coalesce(reason, state), ' ' order by due_at, occasion) as outcome
             from marketing_campaign_targets where campaign_id = $1 group by client_id`,
            [id],
          )
        ).map((it) => [it.clientId, it.outcome]),
      ),
    /** Ids of the clients with a notification of the campaign, ascending. */
    written: async (id: string): Promise<number[]> =>
      (
        await db.read().all<{ clientId: number }>(
          `select client_id as "clientId" from marketing_notifications
           where campaign_id = $1 and status <> 'suppressed' order by client_id`,
          [id],
        )
      ).map((it) => it.clientId),
  }
}
