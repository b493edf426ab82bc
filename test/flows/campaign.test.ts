// An abandoned cart, from the first template to the last figure: everything by the API, the days by the test clock, and
// the mail by a real SMTP server.

import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { isHeldOut } from '../../src/marketing/campaigns/holdout.ts'
import { browserWith, password, type SignedIn } from '../support/client.ts'
import { type Mail, openMailServer } from '../support/mail.ts'
import { openOrdering } from '../support/orders.ts'
import { openPlatform, type Reply } from '../support/shop.ts'
import { until } from '../support/until.ts'

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
/** What the campaign wrote to somebody; word of his orders comes too. */
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

/** Somebody who signs up and lets the shop write to him in Uzbek. */
async function newReader(name: string): Promise<SignedIn> {
  const reader = await newcomer(name)
  const wish = { body: { language: 'uz', email: true }, headers: { origin: shopUrl } }
  done(await reader.call('PATCH', '/v1/auth/subscriptions', wish))
  return reader
}

/** Moves the clock to the next time at which it is so late in the shop’s zone, at least so far ahead. */
async function advanceTo(localHour: number, atLeastMs: number): Promise<void> {
  const inTashkent = (ms: number) => (Math.floor(ms / hour) + 5) % 24
  let target = Math.ceil((clock.now().getTime() + atLeastMs) / hour) * hour
  while (inTashkent(target) !== localHour) target += hour
  await advance(`PT${Math.ceil((target - clock.now().getTime()) / 1_000)}S`)
}

/** Does what a mail program or a browser would with a link of ours. */
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

test('a cart that was left for three days brings a mail in the morning, a click, an order, and a figure', async () => {
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

  // As many sign up as it takes for one to be told, and one to be held out.
  const readers: SignedIn[] = []
  const isTold = (it: SignedIn) => !isHeldOut(Number(id), idOf(it), 50)
  while (!readers.some(isTold) || readers.every(isTold))
    readers.push(await newReader(`aziza${readers.length}`))
  const told = readers.find(isTold)!
  const heldOut = readers.find((it) => !isTold(it))!
  const silent = await newcomer('bek')
  const offer = await stock.offer({ price: 1_250_000 })
  for (const it of [told, heldOut, silent]) await put({ ClientId: idOf(it) }, offer, 2)

  const preview = done(
    await call('GET', `/v1/marketing/campaigns/${id}/preview?client_id=${idOf(told)}`),
  ).preview
  deepEqual(
    [preview.audience.size, preview.message.language, preview.message.is_real],
    [readers.length, 'uz', true],
  )
  done(await call('POST', `/v1/marketing/campaigns/${id}/start`))

  // Three days later it is two o'clock at night: everybody sleeps.
  await advanceTo(2, 72 * hour)
  await relay.settle()
  equal((await resultsOf(id)).waiting, 2)
  equal(server.mails.length, 0)

  await advance('PT8H')
  await until(() => server.mails.length > 0)
  const [mail] = mailsTo(told)
  equal(mail!.headers['subject'], `${addressOf(told).split('@')[0]}, savatingiz sizni kutmoqda`)
  ok(mail!.text.includes(`Mahsulot ${offer} × 2: 2\u00a0500\u00a0000 so‘m`), mail!.text)
  ok(mail!.text.includes('https://shop.uz/cart'), mail!.text)
  equal(mail!.headers['list-unsubscribe-post'], 'List-Unsubscribe=One-Click')

  const [, link = ''] = /<a href="([^"]+)">Savat/.exec(mail!.html!) ?? []
  const led = await follow(link)
  deepEqual([led.status, led.headers.get('location')], [302, 'https://shop.uz/cart'])
  const [, picture = ''] = /<img src="([^"]+)"/.exec(mail!.html!) ?? []
  for (const _ of [1, 2]) equal((await follow(picture)).status, 200)
  for (const it of [told, heldOut]) await ordered({ ClientId: idOf(it) })
  await relay.settle()

  const results = await resultsOf(id)
  deepEqual([mailsTo(told).length, mailsTo(heldOut).length, mailsTo(silent).length], [1, 0, 0])
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
  deepEqual([results.told, results.holdout], [bought, bought])
  equal(results.uplift.difference, 0)
  ok(results.uplift.low < 0 && results.uplift.high > 0)

  // Nothing is left, so nothing is written; and what is left by somebody who unsubscribed is not written about.
  await advance('P1D')
  const unsubscribe = /<([^>]+)>/.exec(mail!.headers['list-unsubscribe']!)![1]!
  equal((await follow(unsubscribe, 'POST', 'List-Unsubscribe=One-Click')).status, 200)
  await put({ ClientId: idOf(told) }, offer)
  await advanceTo(12, 80 * hour)
  await relay.settle()
  equal((await resultsOf(id)).sent, 1)
  equal(mailsTo(told).length, 1)
})
