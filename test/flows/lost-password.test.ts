// Lost passwords of buyers and members: from the request to the mailed link and the new password.

import { deepEqual, doesNotMatch, equal, match } from 'node:assert/strict'
import { test } from 'node:test'
import { browserWith, password } from '../support/client.ts'
import { openMailServer } from '../support/mail.ts'
import { memberAt, testPassword } from '../support/member.ts'
import { openReceiver } from '../support/receiver.ts'
import { assertRefused } from '../support/refused.ts'
import { openPlatform } from '../support/shop.ts'
import { waitFor } from '../support/wait-until.ts'

const server = await openMailServer()
const sms = await openReceiver()
const platform = await openPlatform({
  env: {
    SMTP_URL: server.url,
    TEST_SMTP_URL: server.url,
    TEST_SMS_URL: sms.url,
    MAIL_FROM: 'Bozor <shop@bozor.uz>',
    PUBLIC_URL: 'https://shop.uz',
  },
})
const { app, call, keys, makeKey, url } = platform
const wanted = 'seven figs on a plate'

const linkTo = (address: string) =>
  waitFor(
    () => {
      const mail = server.mails.findLast((it) => it.to.includes(address))
      return mail && (/https:\/\/shop\.uz(\/[a-z/-]+)#(\w+)/.exec(mail.text) ?? undefined)
    },
    { what: `a mail to ${address}` },
  )
const requestAsMember = (email: string, options: object = {}) =>
  call('POST', '/v1/admin/password-reset', { key: null, body: { email }, ...options })
const completeAsMember = (token: string, chosen = wanted) =>
  call('POST', '/v1/admin/password-reset/complete', { key: null, body: { token, password: chosen } })
const signIn = (email: string, chosen: string) =>
  call('POST', '/v1/admin/sessions', { key: null, body: { email, password: chosen } })

test('a member resets a lost password by a mailed link that works once', async () => {
  const member = await memberAt(platform, 'operator', 'operator@shop.uz')
  deepEqual((await requestAsMember('Operator@Shop.uz')).body.data, { requested: true })
  const [, path, token = ''] = await linkTo(member.email)
  equal(path, '/dashboard/reset-password')
  match(token, /^mpr_\w{40}$/)

  assertRefused('validation_failed', await completeAsMember(token, 'short'))
  const race = await Promise.all(Array.from({ length: 5 }, () => completeAsMember(token)))
  deepEqual(race.map((it) => it.status).toSorted(), [200, 422, 422, 422, 422])
  equal((await member.call('GET', '/v1/admin/me')).status, 401)
  equal((await signIn(member.email, testPassword)).status, 401)
  equal((await signIn(member.email, wanted)).status, 201)
  const late = assertRefused('validation_failed', await completeAsMember(token, 'eight figs on a plate'))
  equal(late.fields[0].path, 'token')
})

test('the database and the list of messages hold no token of a member', async () => {
  const member = await memberAt(platform, 'analyst', 'secret@shop.uz')
  await requestAsMember(member.email)
  const [, , token = ''] = await linkTo(member.email)
  const { notifications } = (await call('GET', '/v1/marketing/notifications', { key: keys.live })).body.data
  const { id } = notifications.find((it: { to: string }) => it.to === member.email)
  const shown = await call('GET', `/v1/marketing/notifications/${id}`, { key: keys.live })
  match(shown.text, /dashboard\/reset-password\\n/)
  doesNotMatch(shown.text, /mpr_/)
  const { db } = app.shops.live
  const kept = await db.read().all(
    `select 1 from marketing_notifications where variables::text like '%' || $1 || '%'
     union all select 1 from outbox_events where fields::text like '%' || $1 || '%'`,
    [token.slice('mpr_'.length)],
  )
  deepEqual(kept, [])
})

test('a live key with marketing:read does not see the e-mail address of a member', async () => {
  const member = await memberAt(platform, 'analyst', 'hidden@shop.uz')
  await requestAsMember(member.email)
  await linkTo(member.email)
  const path = '/v1/marketing/notifications'
  const scopes = ['marketing:read', 'marketing:write'] as const
  const key = await makeKey({ environment: 'live', scopes })
  const shown = await call('GET', path, { key })
  equal(shown.status, 200)
  doesNotMatch(shown.text, /hidden@shop\.uz|member-password-reset/)

  const { notifications } = (await call('GET', path, { key: keys.live })).body.data
  const { id } = notifications.find((it: { to: string }) => it.to === member.email)
  assertRefused('not_found', await call('GET', `${path}/${id}`, { key }))
  for (const step of ['retry', 'cancel', 'delivered'])
    assertRefused('not_found', await call('POST', `${path}/${id}/${step}`, { key }))
})

test('a request of a member reveals no account and is limited', async () => {
  const owner = await memberAt(platform, 'owner', 'owner@shop.uz')
  const gone = await memberAt(platform, 'analyst', 'gone@shop.uz')
  equal(
    (
      await owner.call('POST', `/v1/admin/members/${gone.id}/deactivate`, {
        headers: { 'x-csrf-token': owner.csrfToken },
      })
    ).status,
    200,
  )
  for (const email of ['owner@shop.uz', 'gone@shop.uz', 'nobody@shop.uz', 'nonsense@']) {
    const reply = await requestAsMember(email)
    deepEqual([reply.status, reply.body.data], [200, { requested: true }])
  }
  await linkTo(owner.email)
  const requested = await app.shops.live.db
    .read()
    .all(`select 1 from identity_member_password_resets where member_id = $1`, [gone.id])
  deepEqual(requested, [])
  for (let at = 0; at < 4; at++) equal((await requestAsMember(owner.email)).status, 200)
  assertRefused('rate_limit_exceeded', await requestAsMember(owner.email))
})

test('the mail speaks the language of the request', async () => {
  const member = await memberAt(platform, 'analyst', 'language@shop.uz')
  await requestAsMember(member.email, { headers: { 'accept-language': 'uz' } })
  await linkTo(member.email)
  equal(server.mails.findLast((it) => it.to.includes(member.email))!.headers['content-language'], 'uz')
})

test('a buyer resets a lost password by the link in a mail', async () => {
  const email = 'malika@mail.uz'
  const browser = browserWith(
    url,
    await call('POST', '/v1/auth/register', { body: { email, password, name: 'Malika' } }),
  )
  equal((await call('POST', '/v1/auth/password-reset', { body: { login: email } })).status, 200)
  const [, path, token = ''] = await linkTo(email)
  equal(path, '/reset-password')
  const body = { token, password: wanted }
  equal((await call('POST', '/v1/auth/password-reset/complete', { body })).status, 200)
  equal((await browser.call('GET', '/v1/auth/me')).status, 401)
  assertRefused('validation_failed', await call('POST', '/v1/auth/password-reset/complete', { body }))
})

test('a buyer who asks by phone number gets an SMS', async () => {
  const body = { phone: '+998901112233', email: 'other@mail.uz', password, name: 'Aziza' }
  await call('POST', '/v1/auth/register', { body })
  await call('POST', '/v1/auth/password-reset', { body: { login: body.phone } })
  const message = await waitFor(() => sms.received[0], { what: 'an SMS' })
  match(message.text, /https:\/\/shop\.uz\/reset-password#pr_test_\w{40}/)
})

const origin = 'https://shop.uz'
const submit = (path: string, fields: Record<string, string>) =>
  call('POST', path, {
    key: null,
    raw: new URLSearchParams(fields).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin },
  })
const headingOf = (text: string) => /<h1>(.*?)<\/h1>/.exec(text)?.[1]

test('the pages for members lead from the e-mail address to a new password', async () => {
  const member = await memberAt(platform, 'developer', 'developer@shop.uz')
  const opened = await call('GET', '/dashboard/lost-password?lang=en', { key: null })
  equal(headingOf(opened.text), 'Lost password')
  const asked = await submit('/dashboard/lost-password', { email: member.email, lang: 'en' })
  const unknown = await submit('/dashboard/lost-password', { email: 'unknown@shop.uz', lang: 'en' })
  equal(asked.text, unknown.text)
  const [, path = '', token = ''] = await linkTo(member.email)
  const weak = await submit(path, { token, password: '12345678', lang: 'ru' })
  deepEqual([weak.status, weak.text.includes('слишком легко угадать')], [422, true])
  const saved = await submit(path, { token, password: wanted, lang: 'uz' })
  deepEqual([saved.status, headingOf(saved.text)], [200, 'Parol saqlandi'])
  equal((await signIn(member.email, wanted)).status, 201)
  const again = await submit(path, { token, password: wanted, lang: 'en' })
  deepEqual([again.status, again.text.includes('This link does not work, or no longer.')], [422, true])
})

test('the pages for buyers act in the environment of the account and return to where it began', async () => {
  const email = 'pages@mail.uz'
  await call('POST', '/v1/auth/register', { body: { email, password, name: 'Nodira' } })
  const signInPage = await call('GET', '/sign-in?return_to=/oauth/interaction/x&lang=en', { key: null })
  match(signInPage.text, /href="\/lost-password\?return_to=%2Foauth%2Finteraction%2Fx&amp;lang=en"/)
  const query = 'environment=test&return_to=/oauth/interaction/x&lang=en'
  const opened = await call('GET', `/lost-password?${query}`, { key: null })
  match(opened.text, /href="\/oauth\/interaction\/x\?lang=en"/)
  const elsewhere = await call('GET', '/lost-password?return_to=//evil.example', { key: null })
  doesNotMatch(elsewhere.text, /evil/)
  await submit('/lost-password', { login: email, environment: 'test', lang: 'en' })
  const [, path = '', token = ''] = await linkTo(email)
  equal((await submit(path, { token, password: wanted, lang: 'en' })).status, 200)
  const body = { login: email, password: wanted }
  equal((await call('POST', '/v1/auth/login', { body })).status, 200)
  equal((await submit('/lost-password', { login: ' ', lang: 'en' })).status, 422)
})

test('no message follows when a sender of the shop has fetched the token or the template is off', async () => {
  const { db, relay } = app.shops.test
  const email = 'own-sender@mail.uz'
  await call('POST', '/v1/auth/register', { body: { email, password, name: 'Olim' } })
  const templates = (await call('GET', '/v1/marketing/templates')).body.data.templates as {
    id: string
    slug: string
    channel: string
  }[]
  const { id } = templates.find((it) => it.slug === 'password-reset' && it.channel === 'email')!
  const off = await call('PATCH', `/v1/marketing/templates/${id}`, { body: { is_active: false } })
  equal(off.status, 200, off.text)
  await call('POST', '/v1/auth/password-reset', { body: { login: email } })
  await relay.catchUp()
  const stored = await db
    .read()
    .all(`select 1 from marketing_notifications where key like 'password-reset/%' and address = $1`, [email])
  deepEqual(stored, [])
})
