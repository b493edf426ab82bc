// Faults between a notification and its recipient. The mail server and the gateway are real and fail as configured.

import { deepEqual, doesNotMatch, equal, match, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { openMailServer } from '../support/mail.ts'
import { openNotifications } from '../support/notifications.ts'
import { openReceiver } from '../support/receiver.ts'
import { assertRefused } from '../support/refused.ts'
import { callAt, openPlatform } from '../support/shop.ts'
import { waitUntil } from '../support/wait-until.ts'

const server = await openMailServer()
const gateway = await openReceiver()
const env = {
  TEST_SMTP_URL: server.url,
  TEST_SMS_URL: gateway.url,
  MAIL_FROM: 'Bozor <shop@bozor.uz>',
  PUBLIC_URL: 'https://shop.uz',
}
const platform = await openPlatform({ env })
const { app, call, connection, keys, url, makeKey } = platform
const post = await openNotifications(platform)
const mailsTo = (address: string) => server.mails.filter((it) => it.to.includes(address))
const idOf = (raw: string) => /^Message-ID: <(.+)@/m.exec(raw)![1]
const times = <T>(count: number, make: (at: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => make(at))

test('loses nothing while the mail server is down', async () => {
  const down = await openMailServer()
  await down.close()
  const shop = await openPlatform({ env: { ...env, TEST_SMTP_URL: down.url } })
  const letters = await openNotifications(shop)
  const sent = await Promise.all(times(3, (at) => letters.code(`down-${at}@mail.uz`)))
  for (const { id } of sent) {
    const record = await letters.became(id, 'retrying')
    match(record.log[0].error, /ECONNREFUSED/)
    equal(record.log[0].status, null)
    ok(Date.parse(record.next_attempt_at) - Date.parse(record.log[0].at) >= 60_000)
  }
  const back = await openMailServer({ port: down.port })
  await letters.advance('PT2M')
  for (const { id } of sent) equal((await letters.became(id, 'sent')).attempts, 2)
  deepEqual(back.mails.map((it) => it.to[0]).toSorted(), [
    'down-0@mail.uz',
    'down-1@mail.uz',
    'down-2@mail.uz',
  ])
})

test('retries 421, 450 and 451, and delivers the mail once', async () => {
  const steps = [
    ['connect', { code: 421, text: 'too busy' }],
    ['recipient', { code: 450, text: 'greylisted' }],
    ['mail', { code: 451, text: 'try later' }],
  ] as const
  for (const [step, answer] of steps) {
    const address = `${step}@mail.uz`
    // Idle connections are closed first, so that a new greeting is needed.
    server.answer({ [step]: () => answer, ...(step === 'connect' && { sender: () => answer }) })
    const { id } = await post.code(address)
    const record = await post.became(id, 'retrying')
    equal(record.log[0].status, answer.code, step)
    server.answer({})
    await post.advance('PT2M')
    await post.became(id, 'sent')
    equal(new Set(mailsTo(address).map((it) => idOf(it.raw))).size, 1)
  }
})

test('550 for the recipient or the mail is permanent: dead, published, retried only by an operator', async () => {
  for (const step of ['recipient', 'mail'] as const) {
    server.answer({ [step]: () => ({ code: 550, text: 'no such user' }) })
    const { id } = await post.code(`gone-${step}@mail.uz`)
    const record = await post.became(id, 'dead')
    deepEqual(
      [record.reason, record.attempts, record.log[0].status, record.log[0].outcome],
      ['refused', 1, 550, 'refused'],
    )
    await post.advance('P4D')
    equal((await post.get(id)).attempts, 1)
    server.answer({})
    equal(
      (await call('POST', `/v1/marketing/notifications/${id}/retry`)).body.data.notification.status,
      'queued',
    )
    equal((await post.became(id, 'sent')).attempts, 2)
    const events = await post.publishedEvents('NotificationFailed')
    equal(events.filter((it: { NotificationId: string }) => it.NotificationId === id).length, 1)
    assertRefused('invalid_transition', await call('POST', `/v1/marketing/notifications/${id}/retry`))
  }
})

test('a connection cut during a mail or before the reply is a failure, and the second copy has the same id', async () => {
  let cut = 0
  server.answer({ begin: () => (cut++ < 1 ? 'drop' : undefined) })
  const long = 'x'.repeat(5_000)
  await post.template({
    slug: 'long',
    channel: 'email',
    texts: { ru: { subject: 'x', text: `${long} {{custom.more}}` } },
  })
  const request = { channel: 'email', template: 'long', variables: { custom: { more: long } } }
  const half = await post.send({ address: 'half@mail.uz', ...request })
  await post.became(half.id, 'retrying')
  server.answer({ mail: () => (cut++ < 3 ? 'drop' : undefined) })
  const whole = await post.send({ address: 'whole@mail.uz', ...request })
  equal((await post.became(whole.id, 'retrying')).log[0].status, null)
  server.answer({})
  await post.advance('PT2M')
  for (const { id } of [half, whole]) await post.became(id, 'sent')
  equal(mailsTo('half@mail.uz').filter((it) => it.text.includes('xxx')).length >= 1, true)
  const copies = mailsTo('whole@mail.uz')
  equal(copies.length, 2)
  deepEqual(
    copies.map((it) => idOf(it.raw)),
    [whole.id, whole.id],
  )
})

test('fails after nine attempts over three days of the shop’s clock, and publishes that', async () => {
  server.answer({ recipient: (it) => (it === 'never@mail.uz' ? { code: 451, text: 'no' } : undefined) })
  const { id } = await post.code('never@mail.uz')
  for (const [at, pause] of ['PT2M', 'PT6M', 'PT34M', 'PT3H', 'PT7H', 'PT14H', 'PT27H', 'PT27H'].entries()) {
    await waitUntil(async () => (await post.get(id)).attempts === at + 1)
    equal((await post.get(id)).status, 'retrying')
    await post.advance(pause)
  }
  const record = await post.became(id, 'dead')
  deepEqual([record.attempts, record.reason, record.log.length], [9, 'too_many_attempts', 9])
  server.answer({})
  await call('POST', `/v1/marketing/notifications/${id}/retry`)
  equal((await post.became(id, 'sent')).attempts, 10)
})

test('a name with line breaks, quotes and markup stays one name in one mail', async () => {
  const name = 'Aziza"\r\nBcc: all@mail.uz\r\nX-Evil: 1\r\n\r\n<script>alert(1)</script>,\u0000 <x@y.uz>'
  const client = await post.client()
  await post.consents(client.client.id, 'email', true)
  const notice = {
    variables: { cart: { url: 'https://shop.uz' }, client: { name: name.replace('\0', '\u0007') } },
  }
  await post.news(Number(client.client.id), notice)
  await waitUntil(() => mailsTo(client.email).length === 1)
  const [mail] = mailsTo(client.email)
  deepEqual(mail!.to, [client.email])
  const head = mail!.raw.slice(0, mail!.raw.indexOf('\r\n\r\n'))
  doesNotMatch(head, /^(bcc|x-evil):/im)
  doesNotMatch(mail!.html!, /<script>/)
  match(mail!.html!, /&lt;script&gt;alert/)
  equal(Object.keys(mail!.headers).filter((it) => ['bcc', 'x-evil'].includes(it)).length, 0)
})

test('sends nothing when consent is withdrawn before sending', async () => {
  const client = await post.client()
  const clientId = Number(client.client.id)
  await post.consents(clientId, 'email', true)
  const inAnHour = new Date(app.shops.test.clock.now().getTime() + 3_600_000)
  const { id, status } = await post.news(clientId, { notBefore: inAnHour })
  equal(status, 'queued')
  await client.call('PATCH', '/v1/auth/subscriptions', { body: { email: false } })
  await post.advance('PT2H')
  const record = await post.became(id, 'suppressed')
  deepEqual([record.reason, record.attempts], ['no_consent', 0])
  equal(mailsTo(client.email).length, 0)
  const published = (await post.publishedEvents('NotificationSuppressed')).filter(
    (it: { NotificationId: string }) => it.NotificationId === id,
  )
  equal(published.length, 1)
})

test('two servers on one database send each mail once', async () => {
  const second = await openPlatform({ env, connection })
  const before = server.mails.length
  server.answer({ mail: () => new Promise((done) => setTimeout(() => done(undefined), 20)) })
  const all = await Promise.all(
    times(80, (at) => {
      const send = at % 2 === 0 ? call : second.call
      const body = {
        address: `twice-${at}@mail.uz`,
        channel: 'email',
        template: 'code',
        variables: { custom: { code: '1' } },
      }
      return send('POST', '/v1/marketing/notifications', { body, key: keys.test })
    }),
  )
  for (const it of all) await post.became(it.body.data.notification.id, 'sent')
  equal(server.mails.length - before, 80)
  equal(new Set(server.mails.slice(before).map((it) => it.to[0])).size, 80)
  server.answer({})
})

test('sends a mail once to a server that replies after the lease would end', async () => {
  await openPlatform({ env, connection })
  server.answer({ mail: () => new Promise((done) => setTimeout(() => done(undefined), 35_000)) })
  const { id } = await post.code('slow@mail.uz')
  await waitUntil(() => mailsTo('slow@mail.uz').length === 1)
  server.answer({})
  // Meanwhile SMS and mails over other connections are sent.
  const sms = {
    address: '+998901234567',
    channel: 'sms',
    template: 'short',
    variables: { custom: { code: '1' } },
  }
  await post.became((await post.send(sms)).id, 'sent')
  await post.became((await post.code('quick@mail.uz')).id, 'sent')
  equal((await post.get(id)).status, 'sending')
  assertRefused('invalid_transition', await call('POST', `/v1/marketing/notifications/${id}/cancel`))
  equal((await post.became(id, 'sent')).attempts, 1)
  equal(mailsTo('slow@mail.uz').length, 1)
})

test('a large campaign does not delay transactional messages', async () => {
  const client = await post.client()
  await post.consents(client.client.id, 'email', true)
  server.answer({ mail: () => new Promise((done) => setTimeout(() => done(undefined), 300)) })
  const news = []
  for (let at = 0; at < 40; at++) news.push((await post.news(Number(client.client.id))).id)
  const { id } = await post.code('urgent@mail.uz')
  await post.became(id, 'sent')
  const waiting = (await call('GET', '/v1/marketing/notifications?status=queued&category=marketing')).body
    .data
  ok(waiting.pagination.total > 10, String(waiting.pagination.total))
  server.answer({})
  for (const it of news) await post.became(it, 'sent')
})

test('retries a gateway after 500, 429, 401 and no reply, and stops after 422', async () => {
  const sms = {
    address: '+998901234567',
    channel: 'sms',
    template: 'short',
    variables: { custom: { code: '1' } },
  }
  for (const status of [500, 429, 401]) {
    gateway.answer((_it, response) =>
      response.writeHead(status, { 'retry-after': '600' }).end('{"error":"no"}'),
    )
    const { id } = await post.send(sms)
    const record = await post.became(id, 'retrying')
    equal(record.log[0].status, status)
    const waitMs = Date.parse(record.next_attempt_at) - Date.parse(record.log[0].at)
    equal(waitMs >= 600_000, status === 429, `${status} ${waitMs}`)
    gateway.answer(204)
    await post.advance('PT11M')
    await post.became(id, 'sent')
    const received = gateway.received.filter((it) => it.event.id === id)
    deepEqual(
      received.map((it) => it.headers['idempotency-key']),
      [id, id],
    )
  }
  gateway.answer((_it, response) => response.destroy())
  const cut = await post.send(sms)
  equal((await post.became(cut.id, 'retrying')).log[0].status, null)
  await call('POST', `/v1/marketing/notifications/${cut.id}/cancel`)
  gateway.answer(422)
  equal((await post.became((await post.send(sms)).id, 'dead')).reason, 'refused')
  gateway.answer(204)
  await post.advance('P1D')
  equal((await post.get(cut.id)).status, 'cancelled')
})

test('uses TLS and a password, and sends the mail after a wrong password is corrected', async () => {
  const seen: string[] = []
  let isRight = false
  const secure = await openMailServer({
    smtp: {
      authOptional: false,
      onAuth: ({ username = '', password = '' }, session, done) => {
        seen.push(`${username} ${password} ${session.secure}`)
        if (isRight) done(null, { user: username })
        else done(Object.assign(new Error('wrong'), { responseCode: 535 }))
      },
    },
  })
  const address = `smtp://shop:secret@127.0.0.1:${secure.port}?tls.rejectUnauthorized=false`
  const letters = await openNotifications(await openPlatform({ env: { ...env, TEST_SMTP_URL: address } }))
  const { id } = await letters.code('auth@mail.uz')
  equal((await letters.became(id, 'retrying')).log[0].status, 535)
  isRight = true
  await letters.advance('PT2M')
  await letters.became(id, 'sent')
  deepEqual([seen.at(-1), secure.mails.length], ['shop secret true', 1])
})

test('sends held messages when live gets a provider, and fails them after three days', async () => {
  const hold = async (shop: typeof platform, address: string) => {
    const key = shop.keys.live
    const body = { slug: 'live', channel: 'email', texts: { ru: { subject: 'x', text: 'x' } } }
    await callAt(shop.url, 'POST', '/v1/marketing/templates', { key, body })
    const sent = await callAt(shop.url, 'POST', '/v1/marketing/notifications', {
      key,
      body: { address, channel: 'email', template: 'live' },
    })
    const { id } = sent.body.data.notification
    const get = async (at = shop) =>
      (await callAt(at.url, 'GET', `/v1/marketing/notifications/${id}`, { key })).body.data.notification
    await waitUntil(async () => (await get()).status === 'held')
    return get
  }
  const first = await openPlatform()
  const get = await hold(first, 'held@mail.uz')
  const { TEST_SMTP_URL: SMTP_URL, ...rest } = env
  const second = await openPlatform({ env: { ...rest, SMTP_URL }, connection: first.connection })
  await waitUntil(async () => (await get(second)).status === 'sent')
  equal(mailsTo('held@mail.uz').length, 1)

  const late = await hold(platform, 'late@mail.uz')
  app.shops.live.clock.offsetMs = 4 * 86_400_000
  await app.shops.live.jobs.runNow('purge-notifications')
  app.shops.live.clock.offsetMs = 0
  deepEqual([(await late()).status, (await late()).reason], ['dead', 'no_provider'])
})

test('deletes a notification after ninety days, and its link with it', async () => {
  const client = await post.client()
  await post.consents(client.client.id, 'email', true)
  const { id } = await post.news(Number(client.client.id))
  await post.became(id, 'sent')
  const link = /href="https:\/\/shop\.uz(\/m\/[^"]+)"/.exec(mailsTo(client.email)[0]!.html!)![1]!
  await post.advance('P91D')
  equal((await call('GET', `/v1/marketing/notifications/${id}`)).status, 404)
  equal((await callAt(url, 'GET', link, { key: null })).status, 404)
  const bye = /href="https:\/\/shop\.uz(\/u\/[^"]+)"/.exec(mailsTo(client.email)[0]!.html!)![1]!
  equal((await callAt(url, 'GET', bye, { key: null })).status, 200)
})

test('nothing waits for the future after the clock is set back', async () => {
  server.answer({ recipient: (it) => (it === 'future@mail.uz' ? { code: 450, text: 'later' } : undefined) })
  const { id } = await post.code('future@mail.uz')
  await post.became(id, 'retrying')
  server.answer({})
  equal((await call('DELETE', '/v1/test/clock')).status, 200)
  await post.became(id, 'sent')
})

test('shows a refused form in the language of the caller', async () => {
  const messages = (language: string, address: string) =>
    call('POST', '/v1/marketing/notifications', {
      headers: { 'accept-language': language },
      body: { channel: 'email', template: 'code', variables: { custom: { code: '1' } }, address, key: 'a b' },
    }).then((it) => it.body.error.details.fields.map((fault: { message: string }) => fault.message))
  deepEqual(await messages('en', 'nobody'), ['has a wrong format; an example: code/4711'])
  const address = async (language: string) => {
    const body = {
      channel: 'email',
      template: 'code',
      variables: { custom: { code: '1' } },
      address: 'nobody',
    }
    const reply = await call('POST', '/v1/marketing/notifications', {
      headers: { 'accept-language': language },
      body,
    })
    return reply.body.error.details.fields[0].message
  }
  equal(await address('ru'), 'неверный формат; пример: name@mail.uz')
  equal(await address('uz'), 'formati noto‘g‘ri; namuna: name@mail.uz')
  equal(await address('en'), 'has a wrong format; an example: name@mail.uz')
})

test('refuses invalid bodies with all violations and stores nothing', async () => {
  const fieldsOf = async (body: object) => {
    const details = assertRefused(
      'validation_failed',
      await call('POST', '/v1/marketing/notifications', { body }),
    )
    return (details['fields'] as { path: string; rule: string }[]).map((it) => `${it.path} ${it.rule}`)
  }
  const mail = { channel: 'email', template: 'code' }
  const custom = { custom: { code: '1' } }
  deepEqual(await fieldsOf({ ...mail, variables: custom }), ['client_id one_of'])
  deepEqual(await fieldsOf({ ...mail, variables: custom, client_id: '1', address: 'a@b.uz' }), [
    'client_id one_of',
  ])
  deepEqual(await fieldsOf({ ...mail, variables: custom, address: 'a@b.uz\r\nBcc: c@d.uz' }), [
    'address format',
  ])
  deepEqual(await fieldsOf({ ...mail, variables: {}, address: 'a@b.uz' }), ['variables.custom.code required'])
  deepEqual(
    await fieldsOf({
      ...mail,
      address: 'a@b.uz',
      variables: {
        custom: { code: ['1'] },
        order: { total: 1.5, lines: [{ nmae: 'x', quantity: '1' }] },
        cart: { url: 7 },
        __proto: { x: 1 },
        client: { name: { fr: 'x' } },
      },
    }),
    [
      'variables.custom.code type',
      'variables.order.total type',
      'variables.order.lines.0.nmae known_variable',
      'variables.order.lines.0.quantity type',
      'variables.cart.url format',
      'variables.__proto.x known_variable',
      'variables.client.name type',
    ],
  )
  deepEqual(
    await fieldsOf({
      ...mail,
      address: 'a@b.uz',
      variables: {
        ...custom,
        cart: { url: 'javascript:alert(1)', lines: [{ image: '//i.uz/1.png' }] },
        shop: { url: 'https://other.uz' },
        unsubscribe: { url: 'https://other.uz' },
        order: { lines: Array.from({ length: 201 }, () => ({})) },
      },
    }),
    [
      'variables.cart.url format',
      'variables.cart.lines.0.image format',
      'variables.shop.url reserved',
      'variables.unsubscribe.url reserved',
      'variables.order.lines max_items',
    ],
  )
  deepEqual(await fieldsOf({ ...mail, variables: custom, client_id: 999_999 }), ['client_id exists'])
  assertRefused(
    'validation_failed',
    await call('POST', '/v1/marketing/notifications', {
      body: { ...mail, address: 'a@b.uz', category: 'marketing' },
    }),
  )
  assertRefused(
    'validation_failed',
    await call('PUT', '/v1/marketing/consents', {
      body: { consents: [{ client_id: '1', channel: 'fax', granted: true, source: 'x' }] },
    }),
  )
  const reader = await makeKey({ scopes: ['marketing:read'] })
  assertRefused(
    'insufficient_permissions',
    await call('POST', '/v1/marketing/notifications', {
      key: reader,
      body: { ...mail, address: 'a@b.uz', variables: custom },
    }),
  )
  equal((await callAt(url, 'GET', '/v1/auth/subscriptions', { key: null })).status, 401)
  equal((await callAt(url, 'GET', '/v1/auth/subscriptions', { key: keys.test })).status, 403)
})

test('sends one mail per key and refuses the key for another message', async () => {
  const body = {
    address: 'once@mail.uz',
    channel: 'email',
    template: 'code',
    variables: { custom: { code: '1' } },
    key: 'code/1',
  }
  const all = await Promise.all(times(20, () => call('POST', '/v1/marketing/notifications', { body })))
  // One call has created it, the others find it.
  deepEqual(all.map((it) => it.status).toSorted(), [...times(19, () => 200), 201])
  equal(new Set(all.map((it) => it.body.data.notification.id)).size, 1)
  await post.became(all[0]!.body.data.notification.id, 'sent')
  equal(mailsTo('once@mail.uz').length, 1)
  const other = await call('POST', '/v1/marketing/notifications', {
    body: { ...body, channel: 'sms', template: 'short', address: '+998901234567' },
  })
  deepEqual(assertRefused('conflict', other)['reason'], 'key_taken')
  const dry = await call('POST', '/v1/marketing/notifications', {
    body: { ...body, key: 'dry', address: 'dry@mail.uz' },
    headers: { prefer: 'dry-run' },
  })
  equal(dry.status, 201)
  equal((await call('GET', `/v1/marketing/notifications/${dry.body.data.notification.id}`)).status, 404)
})

test('a transactional message is not sent with an empty unsubscribe link', async () => {
  const texts = (text: string) => ({ ru: { subject: 'Код', text } })
  await post.template({
    slug: 'bare-link',
    channel: 'email',
    texts: texts('Отписаться: {{unsubscribe.url}}'),
  })
  await post.template({ slug: 'reset-link', channel: 'email', texts: texts('{{password_reset.url}}') })
  const guarded = 'Код 7{{#unsubscribe.url}} Отписаться: {{unsubscribe.url}}{{/unsubscribe.url}}'
  await post.template({ slug: 'guarded-link', channel: 'email', texts: texts(guarded) })
  const body = { address: 'links@mail.uz', channel: 'email' }
  for (const [template, link] of [
    ['bare-link', 'unsubscribe.url'],
    ['reset-link', 'password_reset.url'],
  ]) {
    const reply = await call('POST', '/v1/marketing/notifications', {
      body: { ...body, template },
      headers: { 'accept-language': 'en' },
    })
    const { fields } = assertRefused('validation_failed', reply) as { fields: { message: string }[] }
    deepEqual(fields, [
      {
        path: 'template',
        rule: 'empty_link',
        limit: link,
        message: `prints ${link}, which this message does not have; put the sentence between {{#${link}}} and {{/${link}}}, or choose another template`,
      },
    ])
  }
  const { id } = await post.send({ ...body, template: 'guarded-link' })
  await post.became(id, 'sent')
  equal(mailsTo('links@mail.uz')[0]!.text?.trim(), 'Код 7')
})
