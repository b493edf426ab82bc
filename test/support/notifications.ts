// Notifications over HTTP, and queries about them.

import { equal } from 'node:assert/strict'
import { type NotificationRequest, notify } from '../../src/marketing/index.ts'
import { browserWith, password, type SignedIn } from './client.ts'
import type { TestPlatform } from './shop.ts'
import { waitUntil } from './wait-until.ts'

let made = 0

export async function openNotifications(platform: Pick<TestPlatform, 'app' | 'call' | 'url' | 'keys'>) {
  const { app, call, url } = platform
  const { db, relay } = app.shops.test
  /** 200 is the reply to a key that was sent before. */
  const send = async (body: object, status = 201) => {
    const reply = await call('POST', '/v1/marketing/notifications', { body })
    equal(reply.status, status, reply.text)
    return reply.body.data.notification
  }
  const get = async (id: string) => {
    const reply = await call('GET', `/v1/marketing/notifications/${id}`)
    equal(reply.status, 200, reply.text)
    return reply.body.data.notification
  }
  const became = async (id: string, status: string) => {
    await waitUntil(async () => (await get(id)).status === status)
    return get(id)
  }
  const template = async (body: object) => {
    const reply = await call('POST', '/v1/marketing/templates', { body })
    equal(reply.status, 201, reply.text)
    return reply.body.data.template
  }
  await template({
    slug: 'code',
    channel: 'email',
    texts: { ru: { subject: 'Код', text: 'Ваш код: {{custom.code}}' } },
  })
  await template({
    slug: 'news',
    channel: 'email',
    texts: {
      ru: {
        subject: 'Новости',
        text: '{{client.name}}: {{cart.url}}',
        html: '<p>{{client.name}}</p><a href="{{cart.url}}">cart</a> <a href="https://shop.uz/news?a=1&amp;b=2">news</a> {{#unsubscribe.url}}<a href="{{unsubscribe.url}}">bye</a>{{/unsubscribe.url}}',
      },
    },
  })
  for (const channel of ['sms', 'push'])
    await template({
      slug: 'short',
      channel,
      texts: { ru: { ...(channel === 'push' && { subject: 'Код' }), text: 'Код {{custom.code}}' } },
    })
  const cart = { url: 'https://shop.uz/cart?from=mail&x="1"' }
  return {
    send,
    get,
    became,
    template,
    /** Sends a code by email. */
    code: (address: string, more: object = {}) =>
      send({ address, channel: 'email', template: 'code', variables: { custom: { code: '7' } }, ...more }),
    /** Sends a marketing message as campaigns do. */
    news: async (clientId: number, more: Partial<NotificationRequest> = {}) => {
      const request = { channel: 'email', template: 'news', category: 'marketing', campaignId: 5 } as const
      const key = `news/${++made}`
      const input = { to: { clientId }, variables: { cart }, key, ...request, ...more }
      return (await db.transaction((tx) => notify(tx, input))).notification
    },
    /** A new signed-in client with an email address. */
    client: async (name = 'Aziza Karimova', contact: object = {}): Promise<SignedIn & { email: string }> => {
      const email = `client-${++made}@mail.uz`
      const body = { name, email, password, ...contact }
      const browser = browserWith(url, await call('POST', '/v1/auth/register', { body }))
      // The public origin of the shop differs from the address that the test uses.
      const headers = { 'x-csrf-token': browser.csrfToken }
      return {
        ...browser,
        email,
        call: (method, path, more) => browser.call(method, path, { headers, ...more }),
      }
    },
    consents: async (clientId: string | number, channel: string, granted: boolean) => {
      const body = { consents: [{ client_id: String(clientId), channel, granted, source: 'checkout' }] }
      const reply = await call('PUT', '/v1/marketing/consents', { body })
      equal(reply.status, 200, reply.text)
      return reply.body.data.consents[0]
    },
    advance: async (duration: string) =>
      equal((await call('POST', '/v1/test/clock', { body: { advance: duration } })).status, 200),
    publishedEvents: async (type: string) => {
      await relay.catchUp()
      const { body } = await call('GET', `/v1/events?type=${type}&per_page=100`)
      // oxlint-disable-next-line typescript/no-explicit-any
      return body.data.events.map((it: any) => it.data)
    },
  }
}
