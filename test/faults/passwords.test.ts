// Sign-up and sign-in by attackers and by users with typos.

import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { test } from 'node:test'
import type { FindClientsWithData } from '../../src/identity/index.ts'
import { browserWith, password } from '../support/client.ts'
import { assertRefused } from '../support/refused.ts'
import { openPlatform, type Reply } from '../support/shop.ts'

const { app, call, url, connection, keys, makeKey } = await openPlatform()
const { db } = app.shops.test
const webKey = await makeKey({ type: 'web' })
let number = 0
const newLogin = () => `buyer${++number}@mail.uz`

const register = (fields: Record<string, unknown>) =>
  call('POST', '/v1/auth/register', { body: { name: 'Aziza', password, ...fields } })
const login = (who: string, secret: string, key = keys.test) =>
  call('POST', '/v1/auth/login', { key, body: { login: who, password: secret } })
const faultsOf = async (fields: Record<string, unknown>) =>
  assertRefused('validation_failed', await register(fields)).fields.map(
    (it: { path: string; rule: string }) => [it.path, it.rule],
  )

test('one phone number is one account in every spelling', async () => {
  equal((await register({ phone: '+998 90 123-45-67' })).body.data.client.phone, '+998901234567')
  for (const same of ['901234567', '998901234567', '00998901234567', '(90) 123 45 67']) {
    deepEqual(await faultsOf({ phone: same }), [['phone', 'taken']])
    equal((await login(same, password)).status, 200, same)
  }
})

test('e-mail addresses ignore case', async () => {
  equal((await register({ email: 'Olim@Mail.UZ' })).body.data.client.email, 'olim@mail.uz')
  deepEqual(await faultsOf({ email: 'OLIM@mail.uz' }), [['email', 'taken']])
  equal((await login('oLiM@mail.uz', password)).status, 200)
})

test('a registration reports all invalid fields at once', async () => {
  deepEqual(await faultsOf({ name: ' \u00a0 ', phone: '12', email: 'x', password: 'short' }), [
    ['name', 'required'],
    ['phone', 'format'],
    ['email', 'format'],
    ['password', 'min_length'],
  ])
  deepEqual(await faultsOf({}), [['phone', 'required']])
  deepEqual(await faultsOf({ email: newLogin(), id: 1 }), [['id', 'unknown_field']])
  deepEqual(await faultsOf({ email: newLogin(), name: 'x'.repeat(201) }), [['name', 'max_length']])
})

test('refuses easily guessed passwords and accepts long ones in any script', async () => {
  for (const easy of ['12345678', 'PASSWORD', 'aaaaaaaaaa', 'Toshkent'])
    deepEqual(await faultsOf({ email: newLogin(), password: easy }), [['password', 'guessable']], easy)
  deepEqual(await faultsOf({ phone: '+998907770001', password: '998907770001' }), [['password', 'guessable']])
  deepEqual(await faultsOf({ email: newLogin(), password: 'я'.repeat(201) }), [['password', 'max_length']])
  const [email, secret] = [newLogin(), '🍑 шафтоли '.repeat(20)]
  equal((await register({ email, password: secret })).status, 201)
  equal((await login(email, secret)).status, 200)
})

test('Unicode variants of a password are equal', async () => {
  const email = newLogin()
  await register({ email, password: 'caf\u00e9 caf\u00e9 oq' })
  equal((await login(email, 'cafe\u0301 cafe\u0301 oq')).status, 200)
})

test('wrong password, unknown login and account without password get the same reply', async () => {
  const email = newLogin()
  await register({ email })
  await db.transaction((tx) =>
    tx.all(
      `insert into identity_clients (name, email, created_at, updated_at) values ('Demo', 'demo@mail.uz', now(), now())`,
    ),
  )
  const replies = []
  for (const [who, secret] of [
    [email, 'not the right one'],
    ['nobody@mail.uz', password],
    ['demo@mail.uz', password],
    ['neither a phone nor a mail', password],
  ] as const) {
    const reply = await login(who, secret)
    deepEqual(assertRefused('invalid_credentials', reply), {})
    replies.push(JSON.stringify({ ...reply.body.error, headers: [...reply.headers.keys()].toSorted() }))
  }
  equal(new Set(replies).size, 1)
})

test('limits guessing to twenty attempts per account, also concurrently, after a restart and from other networks', async () => {
  const email = newLogin()
  await register({ email })
  const replies = await Promise.all(Array.from({ length: 30 }, (_, at) => login(email, `guess number ${at}`)))
  equal(replies.filter((it) => it.status === 401).length, 20)
  const details = assertRefused(
    'rate_limit_exceeded',
    replies.find((it) => it.status === 429)!,
  )
  ok(details.retry_after > 0 && details.retry_after <= 900)
  assertRefused('rate_limit_exceeded', await login(email, password))
  const restarted = await openPlatform({ connection })
  const body = { login: email.toUpperCase(), password }
  assertRefused(
    'rate_limit_exceeded',
    await restarted.call('POST', '/v1/auth/login', { key: keys.test, body }),
  )
  await call('POST', '/v1/test/clock', { body: { advance: 'PT15M1S' } })
  equal((await login(email, password)).status, 200)
})

test('limits attempts on unknown accounts like on existing ones', async () => {
  const replies = await Promise.all(Array.from({ length: 25 }, () => login('ghost@mail.uz', password)))
  deepEqual(
    [401, 429].map((status) => replies.filter((it) => it.status === status).length),
    [20, 5],
  )
})

test('a correct password resets the attempts', async () => {
  const email = newLogin()
  await register({ email })
  for (let round = 0; round < 3; round++) {
    for (let at = 0; at < 15; at++) equal((await login(email, 'mistyped again')).status, 401)
    equal((await login(email, password)).status, 200)
  }
})

test('limits a network that tries many accounts, but not a server application', async () => {
  const tries: Reply[] = []
  for (let at = 0; at < 104; at++) tries.push(await login(`spray${at}@mail.uz`, password, webKey))
  deepEqual(
    [401, 429].map((status) => tries.filter((it) => it.status === status).length),
    [100, 4],
  )
  equal((await login('spray-by-server@mail.uz', password)).status, 401)
})

test('a dry run of a sign-in counts as an attempt and opens no session', async () => {
  const email = newLogin()
  await register({ email })
  const rehearse = () =>
    call('POST', '/v1/auth/login', {
      headers: { prefer: 'dry-run' },
      body: { login: email, password: 'guess' },
    })
  const replies = await Promise.all(Array.from({ length: 22 }, rehearse))
  equal(replies.filter((it) => it.status === 429).length, 2)
})

test('a new password ends all other sessions, and the old one stops working', async () => {
  const email = newLogin()
  const here = browserWith(url, await register({ email }))
  const there = browserWith(url, await login(email, password))
  const change = (current_password: string, new_password: string) =>
    here.call('POST', '/v1/auth/password', { body: { current_password, new_password } })
  const wrong = assertRefused('validation_failed', await change('not the one', 'five pears in a bowl'))
  deepEqual([wrong.fields[0].path, wrong.fields[0].rule], ['current_password', 'wrong'])
  equal(assertRefused('validation_failed', await change(password, 'short')).fields[0].path, 'new_password')
  equal((await change(password, 'five pears in a bowl')).status, 200)
  equal((await here.call('GET', '/v1/auth/me')).status, 200)
  equal((await there.call('GET', '/v1/auth/me')).status, 401)
  equal((await login(email, password)).status, 401)
  equal((await login(email, 'five pears in a bowl')).status, 200)
})

interface ResetRequest {
  resetId: string
  fields: string
}
const lastResetRequest = async (): Promise<ResetRequest> => {
  const { fields } = await db
    .read()
    .one<{ fields: { resetId: string } }>(
      `select fields from outbox_events where type = 'PasswordResetRequested' order by sequence desc limit 1`,
    )
  return { resetId: fields.resetId, fields: JSON.stringify(fields) }
}
const requestReset = (who: string) => call('POST', '/v1/auth/password-reset', { body: { login: who } })
const fetchToken = async (resetId: string): Promise<string> =>
  (await call('POST', `/v1/admin/password-resets/${resetId}/token`)).body.data.token
const complete = (token: string, wanted: string) =>
  call('POST', '/v1/auth/password-reset/complete', { body: { token, password: wanted } })

test('a password reset: the event has no token, the token works once, and all sessions end', async () => {
  const email = newLogin()
  const browser = browserWith(url, await register({ email }))
  equal((await requestReset(email)).status, 200)
  const request = await lastResetRequest()
  equal(request.fields.includes('pr_'), false)
  const token = await fetchToken(request.resetId)
  match(token, /^pr_test_\w{40}$/)
  const race = await Promise.all(Array.from({ length: 10 }, () => complete(token, 'six figs on a plate')))
  equal(race.filter((it) => it.status === 200).length, 1)
  equal((await browser.call('GET', '/v1/auth/me')).status, 401)
  equal((await login(email, 'six figs on a plate')).status, 200)
  equal(
    assertRefused('validation_failed', await complete(token, 'seven figs on a plate')).fields[0].path,
    'token',
  )
})

test('a reset token expires after an hour or by a later token', async () => {
  const email = newLogin()
  await register({ email })
  await requestReset(email)
  const { resetId } = await lastResetRequest()
  const [first, second] = [await fetchToken(resetId), await fetchToken(resetId)]
  assertRefused('validation_failed', await complete(first, 'six figs on a plate'))
  assertRefused('validation_failed', await complete(`pr_test_${'0'.repeat(40)}`, 'six figs on a plate'))
  await call('POST', '/v1/test/clock', { body: { advance: 'PT1H1S' } })
  assertRefused('validation_failed', await complete(second, 'six figs on a plate'))
  assertRefused('not_found', await call('POST', `/v1/admin/password-resets/${resetId}/token`))
})

test('a reset request does not reveal accounts and is limited', async () => {
  const email = newLogin()
  await register({ email })
  const bodies = []
  for (const who of [email, 'nobody-at-all@mail.uz', 'nonsense']) {
    const reply = await requestReset(who)
    bodies.push(JSON.stringify([reply.status, reply.body.data]))
  }
  equal(new Set(bodies).size, 1)
  for (let at = 0; at < 4; at++) equal((await requestReset(email)).status, 200)
  assertRefused('rate_limit_exceeded', await requestReset(email))
})

test('of twenty concurrent registrations with one phone one succeeds, and the others are refused', async () => {
  const replies = await Promise.all(Array.from({ length: 20 }, () => register({ phone: '+998905550000' })))
  equal(replies.filter((it) => it.status === 201).length, 1)
  for (const it of replies.filter((one) => one.status !== 201))
    equal(assertRefused('validation_failed', it).fields[0].rule, 'taken')
})

test('a new client never gets an id that already owns data', async () => {
  const asked: number[] = []
  const clientsWithData: FindClientsWithData = async (_tx, ids) => {
    asked.push(...ids)
    return ids.filter((it) => it % 7 !== 0)
  }
  const platform = await openPlatform({ clientsWithData })
  for (const [at, id] of ['7', '14'].entries()) {
    const body = { name: 'New', email: `new${at}@mail.uz`, password }
    equal((await platform.call('POST', '/v1/auth/register', { body })).body.data.client.id, id)
  }
  ok(asked.includes(1))
})

test('a guest session id shows its environment and cannot be guessed', async () => {
  const ids = new Set<string>()
  for (const [key, form] of [
    [keys.test, /^gs_test_[0-9A-Za-z]{32}$/],
    [keys.live, /^gs_live_[0-9A-Za-z]{32}$/],
    [null, /^gs_live_[0-9A-Za-z]{32}$/],
  ] as const) {
    const reply = await call('POST', '/v1/auth/guest-session', { key })
    equal(reply.status, 201)
    match(reply.body.data.session_id, form)
    ids.add(reply.body.data.session_id)
  }
  equal(ids.size, 3)
})
