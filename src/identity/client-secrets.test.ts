import { deepEqual, equal, match, rejects } from 'node:assert/strict'
import { test } from 'node:test'
import type { Refusal } from '../base/refusal.ts'
import { openPlatform } from '../../test/support/shop.ts'
import { registerApplication, verifiesSecret } from './index.ts'
import { revokeSecret } from './revoke-secret.ts'
import { rotateSecret } from './rotate-secret.ts'

const { app, call } = await openPlatform()
const { db } = app.shops.test

const register = (type: 'server' | 'web' | 'mobile' = 'server') =>
  db.transaction((tx) =>
    registerApplication(
      tx,
      { name: 'Till', type, scopes: ['catalog:read'], redirectUrls: [], rateLimit: null },
      null,
    ),
  )
const verifies = (clientId: string, secrets: string[]) =>
  Promise.all(secrets.map((it) => verifiesSecret(db.read(), clientId, it)))
const rotate = (clientId: string, overlapSeconds: number) =>
  db.transaction((tx) => rotateSecret(tx, clientId, { overlapSeconds, holder: null }))

test('an application proves itself with its own secret, in its own environment, and with nothing else', async () => {
  const [one, other] = [await register(), await register()]
  const { clientId } = one.application
  deepEqual(await verifies(clientId, [one.clientSecret!, other.clientSecret!, '', one.apiKey]), [
    true,
    false,
    false,
    false,
  ])
  equal(await verifiesSecret(app.shops.live.db.read(), clientId, one.clientSecret!), false)
  equal(await verifiesSecret(db.read(), 'app_test_nobody', one.clientSecret!), false)
})

test('while secrets are changed both prove the application; after the overlap only the new one does', async () => {
  const { application, clientSecret: old } = await register()
  const { clientId } = application
  const { clientSecret: fresh, secret } = await rotate(clientId, 3_600)
  match(fresh, /^sk_test_[0-9A-Za-z]{40}$/)
  equal(secret.hint, `sk_test_…${fresh.slice(-4)}`)
  deepEqual(await verifies(clientId, [old!, fresh]), [true, true])
  await call('POST', '/v1/test/clock', { body: { advance: 'PT61M' } })
  deepEqual(await verifies(clientId, [old!, fresh]), [false, true])
})

test('a secret that is revoked proves nothing from then on, and revoking it again changes nothing', async () => {
  const { application, clientSecret: old } = await register()
  const { clientId } = application
  const { clientSecret: fresh, replaced } = await rotate(clientId, 3_600)
  const revoke = () => db.transaction((tx) => revokeSecret(tx, clientId, replaced[0]!.id))
  const first = await revoke()
  deepEqual(await verifies(clientId, [old!, fresh]), [false, true])
  deepEqual(await revoke(), first)
})

test('a shorter overlap shortens an earlier one, and a longer one does not lengthen it', async () => {
  const { application } = await register()
  await rotate(application.clientId, 3_600)
  const { replaced } = await rotate(application.clientId, 7_200)
  const [first, second] = replaced.map((it) => it.expiresAt!.getTime()).toSorted((a, b) => a - b)
  equal(second! - first! > 3_500_000, true)
  const { replaced: now } = await rotate(application.clientId, 0)
  equal(now.length, 3)
  deepEqual(new Set(now.map((it) => it.expiresAt!.getTime())).size, 1)
})

test('ten secrets work at most, and two who change secrets at once both succeed', async () => {
  const { application } = await register()
  await Promise.all([rotate(application.clientId, 3_600), rotate(application.clientId, 3_600)])
  for (let at = 3; at < 10; at++) await rotate(application.clientId, 3_600)
  await rejects(rotate(application.clientId, 3_600), (it: Refusal) => it.code === 'conflict')
  await rotate(application.clientId, 0)
})

test('a mobile application keeps no secret, so it has none to change', async () => {
  const { application, clientSecret } = await register('mobile')
  equal(clientSecret, null)
  await rejects(rotate(application.clientId, 0), (it: Refusal) => it.code === 'conflict')
})

test('the secrets of an ended application prove nothing', async () => {
  const { application, clientSecret } = await register()
  await call('DELETE', `/v1/admin/applications/${application.clientId}`)
  deepEqual(await verifies(application.clientId, [clientSecret!]), [false])
})
