import { deepEqual, equal, match, rejects } from 'node:assert/strict'
import { test } from 'node:test'
import { openPlatform } from '../../../test/support/shop.ts'
import type { Refusal } from '../../base/refusal.ts'
import { registerApplication, verifiesSecret } from '../index.ts'
import { revokeSecret, rotateSecret } from './client-secrets.ts'

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
const verifies = (applicationId: string, secrets: string[]) =>
  Promise.all(secrets.map((it) => verifiesSecret(db.read(), applicationId, it)))
const rotate = (applicationId: string, overlapSeconds: number) =>
  db.transaction((tx) => rotateSecret(tx, applicationId, { overlapSeconds, callerScopes: null }))

test('an application authenticates only with its own secret in its own environment', async () => {
  const [one, other] = [await register(), await register()]
  const { applicationId } = one.application
  deepEqual(await verifies(applicationId, [one.clientSecret!, other.clientSecret!, '', one.apiKey]), [
    true,
    false,
    false,
    false,
  ])
  equal(await verifiesSecret(app.shops.live.db.read(), applicationId, one.clientSecret!), false)
  equal(await verifiesSecret(db.read(), 'app_test_unknown', one.clientSecret!), false)
})

test('both secrets work during the overlap, and only the new one after it', async () => {
  const { application, clientSecret: old } = await register()
  const { applicationId } = application
  const { clientSecret: fresh, secret } = await rotate(applicationId, 3_600)
  match(fresh, /^sk_test_[0-9A-Za-z]{40}$/)
  equal(secret.hint, `sk_test_…${fresh.slice(-4)}`)
  deepEqual(await verifies(applicationId, [old!, fresh]), [true, true])
  await call('POST', '/v1/test/clock', { body: { advance: 'PT61M' } })
  deepEqual(await verifies(applicationId, [old!, fresh]), [false, true])
})

test('a revoked secret stops working, and revoking is idempotent', async () => {
  const { application, clientSecret: old } = await register()
  const { applicationId } = application
  const { clientSecret: fresh, replaced } = await rotate(applicationId, 3_600)
  const revoke = () => db.transaction((tx) => revokeSecret(tx, applicationId, replaced[0]!.id))
  const first = await revoke()
  deepEqual(await verifies(applicationId, [old!, fresh]), [false, true])
  deepEqual(await revoke(), first)
})

test('a shorter overlap shortens an earlier one, and a longer one does not extend it', async () => {
  const { application } = await register()
  await rotate(application.applicationId, 3_600)
  const { replaced } = await rotate(application.applicationId, 7_200)
  const [first, second] = replaced.map((it) => it.expiresAt!.getTime()).toSorted((a, b) => a - b)
  equal(second! - first! > 3_500_000, true)
  const { replaced: now } = await rotate(application.applicationId, 0)
  equal(now.length, 3)
  deepEqual(new Set(now.map((it) => it.expiresAt!.getTime())).size, 1)
})

test('at most ten secrets are valid, and two concurrent rotations both succeed', async () => {
  const { application } = await register()
  await Promise.all([rotate(application.applicationId, 3_600), rotate(application.applicationId, 3_600)])
  for (let at = 3; at < 10; at++) await rotate(application.applicationId, 3_600)
  await rejects(rotate(application.applicationId, 3_600), (it: Refusal) => it.code === 'conflict')
  await rotate(application.applicationId, 0)
})

test('a mobile application has no secret to rotate', async () => {
  const { application, clientSecret } = await register('mobile')
  equal(clientSecret, null)
  await rejects(rotate(application.applicationId, 0), (it: Refusal) => it.code === 'conflict')
})

test('the secrets of a deleted application do not work', async () => {
  const { application, clientSecret } = await register()
  await call('DELETE', `/v1/admin/applications/${application.applicationId}`)
  deepEqual(await verifies(application.applicationId, [clientSecret!]), [false])
})
