// An abandoned cart from the template to the campaign results, over the API, with the test clock and a real SMTP server.

import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { isHeldOut } from '../../src/marketing/campaigns/campaign.ts'
import { browserWith, password, type SignedIn } from '../support/client.ts'
import { type Mail, openMailServer } from '../support/mail.ts'
import { openOrdering } from '../support/orders.ts'
import { openPlatform, type Reply } from '../support/shop.ts'
import { waitUntil } from '../support/wait-until.ts'

const server = await openMailServer()
const shopUrl = 'https://shop.uz'
const shop = await openPlatform({
  env: { TEST_SMTP_URL: server.url, MAIL_FROM: 'Bozor <shop@bozor.uz>', PUBLIC_URL: shopUrl },
})
const { call, url } = shop
const { stock, put, ordered, advance } = await openOrdering(shop)
const { relay, clock } = shop.app.shops.test
const hour = 3_600_000

const done = (reply: Reply, status = 200) => {
  equal(reply.status, status, reply.text)
  return reply.body.data
}
const resultsOf = async (id: string) =>
  done(await call('GET', `/v1/marketing/campaigns/${id}/results`)).results
const idOf = (reader: SignedIn) => Number(reader.client.id)
/** The mails of the campaign to a client, without those about orders. */
const mailsTo = (reader: SignedIn): Mail[] =>
  server.mails.filter(
    (it) => it.to.includes(addressOf(reader)) && /savatingiz|корзину/.test(it.headers['subject']!),
  )
const addressOf = (reader: SignedIn) => addresses.get(reader)!
const addresses = new Map<SignedIn, string>()

async function newcomer(name: string): Promise<SignedIn> {
  const email = `${name}@mail.uz`
  const browser = browserWith(
    url,
    await call('POST', '/v1/auth/register', { body: { name, email, password } }),
  )
  addresses.set(browser, email)
  return browser
}

/** A client who signs up and consents to mails in Uzbek. */
async function newReader(name: string): Promise<SignedIn> {
  const reader = await newcomer(name)
  const change = { body: { language: 'uz', email: true }, headers: { origin: shopUrl } }
  done(await reader.call('PATCH', '/v1/auth/subscriptions', change))
  return reader
}

/** Moves the clock to the next occurrence of a local time in the zone of the shop, after a minimum delay. */
async function advanceTo(localHour: number, atLeastMs: number): Promise<void> {
  const inTashkent = (ms: number) => (Math.floor(ms / hour) + 5) % 24
  let target = Math.ceil((clock.now().getTime() + atLeastMs) / hour) * hour
  while (inTashkent(target) !== localHour) target += hour
  await advance(`PT${Math.ceil((target - clock.now().getTime()) / 1_000)}S`)
}

/** Follows a link of ours like a mail program or a browser. */
const follow = (link: string, method = 'GET', body?: string) =>
  fetch(link.replace(shopUrl, url), {
    method,
    redirect: 'manual',
    ...(body && { body, headers: { 'content-type': 'application/x-www-form-urlencoded' } }),
  })

const texts = {
  ru: {
    subject: '{{client.name}}, вы забыли корзину',
    text: '{{#cart.lines}}{{name}}\n{{/cart.lines}}{{cart.url}}',
    html: '<p>{{#cart.lines}}{{name}}{{/cart.lines}}</p><a href="{{cart.url}}">Корзина</a>',
  },
  uz: {
    subject: '{{client.name}}, savatingiz sizni kutmoqda',
    text: '{{#cart.lines}}{{name}} × {{quantity}}: {{amount}}\n{{/cart.lines}}Jami: {{cart.total}}\n{{cart.url}}\n{{unsubscribe.url}}',
    html: '<p>{{#cart.lines}}{{name}} × {{quantity}}: {{amount}}{{/cart.lines}}</p><a href="{{cart.url}}">Savat</a>',
  },
}

test('an abandoned cart leads to a mail in the morning, a click, an order and a result', async () => {
  done(
    await call('POST', '/v1/marketing/templates', { body: { slug: 'cart-left', channel: 'email', texts } }),
    201,
  )
  const { id } = done(
    await call('POST', '/v1/marketing/campaigns', {
      body: {
        name: 'Carts left for three days',
        channel: 'email',
        template: 'cart-left',
        when: { cart_abandoned: { days: 3 } },
        holdout_percent: 50,
        price_tiyin: 1_500,
      },
    }),
    201,
  ).campaign

  // Clients sign up until one is in the audience and one in the control group.
  const readers: SignedIn[] = []
  const isReached = (it: SignedIn) => !isHeldOut(Number(id), idOf(it), 50)
  while (!readers.some(isReached) || readers.every(isReached))
    readers.push(await newReader(`aziza${readers.length}`))
  const reached = readers.find(isReached)!
  const heldOut = readers.find((it) => !isReached(it))!
  const silent = await newcomer('bek')
  const offer = await stock.offer({ price: 1_250_000 })
  // Left at night, so that the time for the mail is at night, too.
  await advanceTo(1, 0)
  for (const it of [reached, heldOut, silent]) await put({ ClientId: idOf(it) }, offer, 2)

  const preview = done(
    await call('GET', `/v1/marketing/campaigns/${id}/preview?client_id=${idOf(reached)}`),
  ).preview
  deepEqual(
    [preview.audience.size, preview.message.language, preview.message.is_real],
    [readers.length, 'uz', true],
  )
  done(await call('POST', `/v1/marketing/campaigns/${id}/start`))

  // Three days later it is two o'clock at night: quiet hours.
  await advanceTo(2, 72 * hour)
  await relay.catchUp()
  equal((await resultsOf(id)).waiting, 2)
  equal(server.mails.length, 0)

  await advance('PT8H')
  await waitUntil(() => server.mails.length > 0)
  const [mail] = mailsTo(reached)
  equal(mail!.headers['subject'], `${addressOf(reached).split('@')[0]}, savatingiz sizni kutmoqda`)
  ok(mail!.text.includes(`Mahsulot ${offer} × 2: 2\u00a0500\u00a0000 so‘m`), mail!.text)
  ok(mail!.text.includes('https://shop.uz/cart'), mail!.text)
  equal(mail!.headers['list-unsubscribe-post'], 'List-Unsubscribe=One-Click')

  const [, link = ''] = /<a href="([^"]+)">Savat/.exec(mail!.html!) ?? []
  const led = await follow(link)
  deepEqual([led.status, led.headers.get('location')], [302, 'https://shop.uz/cart'])
  const [, picture = ''] = /<img src="([^"]+)"/.exec(mail!.html!) ?? []
  for (const _ of [1, 2]) equal((await follow(picture)).status, 200)
  for (const it of [reached, heldOut]) await ordered({ ClientId: idOf(it) })
  await relay.catchUp()

  const results = await resultsOf(id)
  deepEqual([mailsTo(reached).length, mailsTo(heldOut).length, mailsTo(silent).length], [1, 0, 0])
  deepEqual(
    [
      results.sent,
      results.opened,
      results.clicked,
      results.held_out,
      results.waiting,
      results.suppressed,
      results.cost,
    ],
    [1, 1, 1, 1, 0, {}, { amount: 1_500, currency: 'UZS' }],
  )
  const bought = {
    clients: 1,
    buyers: 1,
    orders: 1,
    revenue: { amount: 250_000_000, currency: 'UZS' },
    conversion: 1,
  }
  deepEqual([results.reached, results.holdout], [bought, bought])
  equal(results.uplift.difference, 0)
  ok(results.uplift.low < 0 && results.uplift.high > 0)

  // No abandoned cart, no message; and none to a client who unsubscribed.
  await advance('P1D')
  const unsubscribe = /<([^>]+)>/.exec(mail!.headers['list-unsubscribe']!)![1]!
  equal((await follow(unsubscribe, 'POST', 'List-Unsubscribe=One-Click')).status, 200)
  await put({ ClientId: idOf(reached) }, offer)
  await advanceTo(12, 80 * hour)
  await relay.catchUp()
  equal((await resultsOf(id)).sent, 1)
  equal(mailsTo(reached).length, 1)
})
