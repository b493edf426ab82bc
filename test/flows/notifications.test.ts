// Notifications as buyers get them: from an order, a campaign or a call of the API to a real SMTP server and gateway.

import { deepEqual, doesNotMatch, equal, match, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { openMailServer } from '../support/mail.ts'
import { openNotifications } from '../support/notifications.ts'
import { openOrdering } from '../support/orders.ts'
import { openReceiver } from '../support/receiver.ts'
import { callAt, openPlatform } from '../support/shop.ts'
import { waitUntil } from '../support/wait-until.ts'

const server = await openMailServer()
const [sms, push] = [await openReceiver(), await openReceiver()]
const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const platform = await openPlatform({
  env: {
    TEST_SMTP_URL: server.url,
    MAIL_FROM: 'Bozor <shop@bozor.uz>',
    TEST_SMS_URL: sms.url,
    TEST_PUSH_URL: push.url,
    SMS_TOKEN: 'sms-token',
    SMS_SECRET: secret,
    PUSH_SECRET: secret,
    PUBLIC_URL: 'https://shop.uz',
  },
})
const { call, url, keys } = platform
const post = await openNotifications(platform)

const mailTo = async (address: string) => {
  await waitUntil(() => server.mails.some((it) => it.to.includes(address)))
  return server.mails.findLast((it) => it.to.includes(address))!
}
/** The path of a link to our server, as sent. */
const pathOf = (link: string) => new URL(link).pathname
const hrefs = (html: string) => [...html.matchAll(/href="([^"]+)"/g)].map(([, it]) => it!)

test('sends a mail as its template defines, with a log of attempts', async () => {
  await post.template({
    slug: 'welcome',
    channel: 'email',
    texts: {
      ru: {
        subject: 'Код {{custom.code}}',
        text: 'Код: {{custom.code}}',
        html: '<p>Код: <b>{{custom.code}}</b></p>',
      },
      uz: { subject: 'Kod', text: 'Kod: {{custom.code}}' },
    },
  })
  const request = { channel: 'email', template: 'welcome', variables: { custom: { code: '<4711>' } } }
  const { id, status } = await post.send({ address: 'Aziza@Mail.uz', ...request })
  equal(status, 'queued')
  const mail = await mailTo('aziza@mail.uz')
  equal(mail.from, 'shop@bozor.uz')
  equal(mail.headers['subject'], 'Код <4711>')
  equal(mail.headers['from'], 'Bozor <shop@bozor.uz>')
  equal(mail.headers['message-id'], `<${id}@bozor.uz>`)
  equal(mail.headers['content-language'], 'ru')
  equal(mail.headers['list-unsubscribe'], undefined)
  equal(mail.text.trim(), 'Код: <4711>')
  equal(mail.html!.trim(), '<p>Код: <b>&lt;4711&gt;</b></p>')
  const record = await post.became(id, 'sent')
  equal(record.to, 'aziza@mail.uz')
  equal(record.attempts, 1)
  equal(record.log[0].status, 250)
  equal(record.log[0].outcome, 'sent')
  equal(record.content.text, 'Код: <4711>')
  ok(record.provider_id)
  await post.send({ address: 'bek@mail.uz', ...request, language: 'uz' })
  equal((await mailTo('bek@mail.uz')).text.trim(), 'Kod: <4711>')
})

test('shows sent messages unchanged after template changes', async () => {
  const template = await post.template({
    slug: 'changing',
    channel: 'email',
    texts: { ru: { subject: 'Первая', text: 'первая' } },
  })
  const first = await post.send({ address: 'v1@mail.uz', channel: 'email', template: 'changing' })
  await post.became(first.id, 'sent')
  const path = `/v1/marketing/templates/${template.id}`
  const changed = await call('PATCH', path, {
    body: { texts: { ru: { subject: 'Вторая', text: 'вторая' } } },
  })
  equal(changed.body.data.template.version, 2)
  await post.send({ address: 'v2@mail.uz', channel: 'email', template: 'changing' })
  equal((await mailTo('v2@mail.uz')).headers['subject'], 'Вторая')
  equal((await post.get(first.id)).content.subject, 'Первая')
  equal((await call('DELETE', path)).status, 200)
  equal((await post.get(first.id)).content.subject, 'Первая')
  const { fields } = (
    await call('POST', '/v1/marketing/notifications', {
      body: { address: 'a@b.uz', channel: 'email', template: 'changing' },
    })
  ).body.error.details
  deepEqual(
    fields.map((it: { path: string; rule: string }) => [it.path, it.rule]),
    [['template', 'exists']],
  )
})

test('notifies a buyer of the order and of the parcel, in the chosen language', async () => {
  const ordering = await openOrdering(platform)
  const client = await post.client('Aziza <b>Karimova</b>')
  equal((await client.call('PATCH', '/v1/auth/subscriptions', { body: { language: 'uz' } })).status, 200)
  const buyer = { ClientId: Number(client.client.id) }
  const [first, second] = [
    await ordering.stock.offer({ price: 1_500_000 }),
    await ordering.stock.offer({ partnerId: 2, price: 20_000 }),
  ]
  await ordering.put(buyer, first, 2)
  await ordering.put(buyer, second, 1)
  const ids = await ordering.ordered(buyer)
  const mail = await mailTo(client.email)
  equal(mail.headers['subject'], `Buyurtma ${ids.join(', ')} qabul qilindi`)
  const text = mail.text.replaceAll(/[\u00a0\u202f]/g, ' ')
  match(text, /Assalomu alaykum, Aziza <b>Karimova<\/b>!/)
  match(text, /Mahsulot \d+ × 2: 3 000 000 so‘m/)
  match(text, /Jami: 3 020 000 so‘m/)
  match(mail.html!, /Aziza &lt;b&gt;Karimova&lt;\/b&gt;/)

  const { fulfilment } = await ordering.act(ids[0]!, 'fulfilments', { lines: [{ line: 1, quantity: 1 }] })
  await ordering.act(ids[0]!, `fulfilments/${fulfilment.id}/ship`, {
    carrier: 'UzPost',
    tracking_number: 'UZ1',
  })
  await waitUntil(() => server.mails.filter((it) => it.to.includes(client.email)).length === 2)
  const shipped = await mailTo(client.email)
  equal(shipped.headers['subject'], `Buyurtma ${ids[0]} yo‘lda`)
  match(shipped.text, /× 1\s/)
  match(shipped.text, /Jo‘natma raqami: UZ1/)

  const { body } = await call('GET', `/v1/marketing/notifications?client_id=${client.client.id}`)
  deepEqual(
    body.data.notifications.map(
      (it: { template: string; category: string }) => `${it.template} ${it.category}`,
    ),
    ['order-shipped transactional', 'order-placed transactional'],
  )
})

test('notifies a buyer without e-mail by SMS, and sends nothing with an inactive template', async () => {
  const ordering = await openOrdering(platform, 5_000)
  const phone = '+998901112233'
  const client = await post.client('Bek', { email: undefined, phone })
  const buyer = { ClientId: Number(client.client.id) }
  const offer = await ordering.stock.offer({ price: 1_000 })
  await ordering.put(buyer, offer, 1)
  const [id] = await ordering.ordered(buyer)
  await waitUntil(() => sms.received.length === 1)
  const [got] = sms.received
  equal(got!.event.to, phone)
  match(got!.event.text, new RegExp(`^Заказ ${id} принят`))
  const { body } = await call('GET', '/v1/marketing/templates?slug=order-placed&channel=sms')
  const [template] = body.data.templates
  await call('PATCH', `/v1/marketing/templates/${template.id}`, { body: { is_active: false } })
  await ordering.put(buyer, offer, 1)
  await ordering.ordered(buyer)
  await platform.app.shops.test.relay.catchUp()
  const { notifications } = (await call('GET', `/v1/marketing/notifications?client_id=${client.client.id}`))
    .body.data
  equal(notifications.length, 1)
  await call('PATCH', `/v1/marketing/templates/${template.id}`, { body: { is_active: true } })
})

test('sends an SMS as one signed POST with an idempotency key', async () => {
  sms.answer((_it, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"id":"gw-1"}'),
  )
  const { id } = await post.send({
    address: '90 123 45 67',
    channel: 'sms',
    template: 'short',
    variables: { custom: { code: '42' } },
  })
  const record = await post.became(id, 'sent')
  equal(record.provider_id, 'gw-1')
  const got = sms.received.find((it) => it.event.id === id)!
  deepEqual(got.event, {
    id,
    to: '+998901234567',
    text: 'Код 42',
    language: 'ru',
    category: 'transactional',
    environment: 'test',
  })
  equal(got.headers['idempotency-key'], id)
  equal(got.headers['authorization'], 'Bearer sms-token')
  deepEqual(new Webhook(secret).verify(got.text, got.headers), got.event)
  sms.answer(204)
})

test('sends push messages to the devices of a client and deletes gone ones', async () => {
  const client = await post.client()
  const register = async (token: string) =>
    (await client.call('POST', '/v1/auth/devices', { body: { token, platform: 'android' } })).status
  for (const token of ['old-phone', 'new-phone'])
    deepEqual([await register(token), await register(token)], [201, 200])
  push.answer((_it, response) => response.writeHead(200).end('{"id":"p-1","gone":["old-phone"]}'))
  const request = {
    client_id: client.client.id,
    channel: 'push',
    template: 'short',
    variables: { custom: { code: '1' } },
  }
  const { id } = await post.send(request)
  await post.became(id, 'sent')
  const got = push.received.find((it) => it.event.id === id)!
  deepEqual(got.event.to.toSorted(), ['new-phone', 'old-phone'])
  equal(got.event.title, 'Код')
  equal(got.headers['authorization'], undefined)
  const devices = async () => (await client.call('GET', '/v1/auth/devices')).body.data.devices
  const [left, ...more] = await devices()
  deepEqual(more, [])
  equal((await client.call('DELETE', `/v1/auth/devices/${left.id}`)).status, 200)
  deepEqual(await devices(), [])
  equal((await post.send(request)).reason, 'no_address')
})

test('one click in the mail program unsubscribes without sign-in, idempotently', async () => {
  const client = await post.client()
  const clientId = Number(client.client.id)
  equal((await post.news(clientId)).reason, 'no_consent')
  const said = await client.call('PATCH', '/v1/auth/subscriptions', { body: { email: true } })
  equal(said.status, 200, said.text)
  equal((await post.news(clientId)).status, 'queued')
  const mail = await mailTo(client.email)
  equal(mail.headers['list-unsubscribe-post'], 'List-Unsubscribe=One-Click')
  const link = /^<(https:\/\/shop\.uz\/u\/[\w-]+)>$/.exec(mail.headers['list-unsubscribe']!)![1]!

  // GET changes nothing: mail programs follow links too.
  equal((await callAt(url, 'GET', pathOf(link), { key: null })).status, 200)
  equal((await post.news(clientId)).status, 'queued')
  const press = () =>
    callAt(url, 'POST', pathOf(link), {
      key: null,
      raw: 'List-Unsubscribe=One-Click',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
  const pressed = await Promise.all([press(), press(), press()])
  deepEqual(
    pressed.map((it) => it.status),
    [200, 200, 200],
  )
  equal((await post.news(clientId)).reason, 'no_consent')
  equal(
    (await post.publishedEvents('ConsentChanged')).filter(
      (it: { ClientId: number }) => it.ClientId === clientId,
    ).length,
    2,
  )
  const { channels } = (await client.call('GET', '/v1/auth/subscriptions')).body.data.subscriptions
  const [email] = channels
  deepEqual([email.channel, email.granted, email.source], ['email', false, 'one_click'])
  equal((await post.code(client.email)).status, 'queued')
})

test('the unsubscribe page has three languages, accepts both form encodings and refuses foreign tokens', async () => {
  const client = await post.client()
  await post.consents(client.client.id, 'email', true)
  await post.news(Number(client.client.id))
  const link = pathOf(hrefs((await mailTo(client.email)).html!).find((it) => it.includes('/u/'))!)
  const page = async (lang: string) => (await callAt(url, 'GET', `${link}?lang=${lang}`, { key: null })).text
  match(await page('ru'), /<html lang="ru">[^]*Отписаться/)
  match(await page('uz'), /<html lang="uz">[^]*Obunani bekor qilish/)
  match(await page('en'), /<html lang="en">[^]*Unsubscribe/)
  const boundary = 'xyz'
  const reply = await callAt(url, 'POST', link, {
    key: null,
    raw: `--${boundary}\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--${boundary}--\r\n`,
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
  })
  equal(reply.status, 200)
  match(reply.headers.get('content-security-policy')!, /default-src 'none'/)
  equal((await post.news(Number(client.client.id))).reason, 'no_consent')
  for (const path of ['/u/x', link.slice(0, -2), `${link}A`, '/m/x', `/m/${link.slice(3)}`])
    equal((await callAt(url, 'GET', path, { key: null })).status, 404, path)
  equal((await callAt(url, 'DELETE', link, { key: null })).status, 405)
})

test('a tracked link redirects to its target and publishes the first click and open', async () => {
  const client = await post.client('A"><script>')
  await post.consents(client.client.id, 'email', true)
  const { id } = await post.news(Number(client.client.id))
  const mail = await mailTo(client.email)
  doesNotMatch(mail.html!, /<script>/)
  match(mail.text, /https:\/\/shop\.uz\/cart/)
  const [cart, news, bye] = hrefs(mail.html!)
  match(cart!, /^https:\/\/shop\.uz\/m\/[\w-]{46}$/)
  match(bye!, /^https:\/\/shop\.uz\/u\//)
  await post.became(id, 'sent')
  const follow = (link: string, method = 'GET') => fetch(url + pathOf(link), { method, redirect: 'manual' })
  // HEAD requests do not count as clicks.
  equal((await follow(cart!, 'HEAD')).status, 302)
  equal((await post.get(id)).clicked_at, null)
  for (let at = 0; at < 3; at++) {
    const led = await follow(cart!)
    equal(led.status, 302)
    equal(led.headers.get('location'), 'https://shop.uz/cart?from=mail&x=%221%22')
  }
  equal((await follow(news!)).headers.get('location'), 'https://shop.uz/news?a=1&b=2')
  const picture = /<img src="([^"]+)" width="1"/.exec(mail.html!)![1]!
  const seen = await follow(picture)
  equal(seen.headers.get('content-type'), 'image/gif')
  equal(
    Buffer.from(await seen.arrayBuffer())
      .subarray(0, 6)
      .toString(),
    'GIF89a',
  )
  await follow(picture)
  const record = await post.get(id)
  ok(record.opened_at && record.clicked_at)
  const clientId = Number(client.client.id)
  const about = { NotificationId: id, ClientId: clientId, CampaignId: 5 }
  const mine = async (type: string) =>
    (await post.publishedEvents(type)).filter((it: { NotificationId: string }) => it.NotificationId === id)
  deepEqual(await mine('NotificationClicked'), [{ ...about, Link: 1 }])
  deepEqual(await mine('NotificationOpened'), [about])
  deepEqual(await mine('NotificationSent'), [
    { NotificationId: id, Channel: 'email', Category: 'marketing', ClientId: clientId, CampaignId: 5 },
  ])
})

test('redirects links with non-ASCII characters in URL-encoded form', async () => {
  const client = await post.client()
  await post.consents(client.client.id, 'email', true)
  const html = '<a href="https://shop.uz/акции?код={{custom.code}}">a</a> <a href="https://shop.uz/\nб">b</a>'
  const texts = { ru: { subject: 'Акции', text: 'x', html } }
  const made = await call('POST', '/v1/marketing/templates', {
    body: { slug: 'letters', channel: 'email', texts },
  })
  equal(made.status, 201, made.text)
  await post.news(Number(client.client.id), {
    template: 'letters',
    variables: { custom: { code: 'Навруз' } },
  })
  const [first, second] = hrefs((await mailTo(client.email)).html!)
  const ledTo = async (link: string) => {
    const led = await fetch(url + pathOf(link), { redirect: 'manual' })
    return [led.status, decodeURI(led.headers.get('location')!)]
  }
  deepEqual(await ledTo(first!), [302, 'https://shop.uz/акции?код=Навруз'])
  deepEqual(await ledTo(second!), [302, 'https://shop.uz/б'])
})

test('publishes a delivery receipt once', async () => {
  const { id } = await post.code('receipt@mail.uz')
  await post.became(id, 'sent')
  for (let at = 0; at < 2; at++)
    equal((await call('POST', `/v1/marketing/notifications/${id}/delivered`)).status, 200)
  ok((await post.get(id)).delivered_at)
  equal((await post.publishedEvents('NotificationDelivered')).length, 1)
})

test('keeps consents with history, source and time, for clients and addresses', async () => {
  const client = await post.client()
  const consent = await post.consents(client.client.id, 'email', true)
  await post.consents(client.client.id, 'email', true)
  await client.call('PATCH', '/v1/auth/subscriptions', { body: { email: false } })
  const { history, granted } = (await call('GET', `/v1/marketing/consents/${consent.id}`)).body.data.consent
  equal(granted, false)
  deepEqual(
    history.map((it: { source: string; granted: boolean }) => `${it.source} ${it.granted}`),
    ['account false', 'checkout true'],
  )
  const body = { consents: [{ address: 'Guest@Mail.uz', channel: 'email', granted: true, source: 'footer' }] }
  equal((await call('PUT', '/v1/marketing/consents', { body })).status, 200)
  const found = (await call('GET', '/v1/marketing/consents?address=guest@mail.uz')).body.data.consents
  equal(found.length, 1)
  const { status } = await post.news(0, { to: { address: 'guest@mail.uz' } })
  equal(status, 'queued')
  const mail = await mailTo('guest@mail.uz')
  const link = /<(.+)>/.exec(mail.headers['list-unsubscribe']!)![1]!
  await callAt(url, 'POST', pathOf(link), {
    key: null,
    raw: '',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
  equal((await post.news(0, { to: { address: 'guest@mail.uz' } })).reason, 'no_consent')
})

test('live without a provider holds messages, and test never sends to live buyers', async () => {
  const live = (method: string, path: string, body?: object) =>
    callAt(url, method, path, { key: keys.live, ...(body && { body }) })
  const texts = { ru: { subject: 'x', text: 'x' } }
  equal(
    (await live('POST', '/v1/marketing/templates', { slug: 'hello', channel: 'email', texts })).status,
    201,
  )
  const sent = await live('POST', '/v1/marketing/notifications', {
    address: 'live@mail.uz',
    channel: 'email',
    template: 'hello',
  })
  const { id } = sent.body.data.notification
  const get = async () => (await live('GET', `/v1/marketing/notifications/${id}`)).body.data.notification
  await waitUntil(async () => (await get()).status === 'held')
  equal((await get()).reason, 'no_provider')
  equal((await call('GET', `/v1/marketing/notifications/${id}`)).status, 404)
  equal(
    server.mails.some((it) => it.to.includes('live@mail.uz')),
    false,
  )
  equal(
    (await live('POST', `/v1/marketing/notifications/${id}/cancel`)).body.data.notification.status,
    'cancelled',
  )
})

test('returns the same notification for a repeated key and refuses another recipient', async () => {
  await post.template({ slug: 'keyed', channel: 'email', texts: { ru: { subject: 'x', text: 'x' } } })
  const request = { channel: 'email', template: 'keyed', key: 'once' }
  const { id } = await post.send({ address: 'one@mail.uz', ...request })
  equal((await post.send({ address: 'One@mail.uz', ...request }, 200)).id, id)
  const other = await call('POST', '/v1/marketing/notifications', {
    body: { address: 'two@mail.uz', ...request },
  })
  equal(other.status, 409, other.text)

  await post.template({ slug: 'keyed', channel: 'sms', texts: { ru: { text: 'x' } } })
  const short = { channel: 'sms', template: 'keyed', key: 'short' }
  const sent = await post.send({ address: '+998 90 123-45-67', ...short })
  equal((await post.send({ address: '+998 90 123-45-67', ...short }, 200)).id, sent.id)
  const crossed = await call('POST', '/v1/marketing/notifications', {
    body: { address: 'one@mail.uz', ...request, key: 'short' },
  })
  equal(crossed.status, 409, crossed.text)
})
