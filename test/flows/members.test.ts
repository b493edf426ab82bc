// An owner and a developer run a shop. A journey over HTTP.

import { deepEqual, equal, match } from 'node:assert/strict'
import { test } from 'node:test'
import { memberAt, signedIn, testPassword } from '../support/member.ts'
import { callAt, openPlatform } from '../support/shop.ts'
import { waitUntil } from '../support/wait-until.ts'

test('an invited developer builds an application that keeps working after the developer leaves', async () => {
  const platform = await openPlatform()
  const { url } = platform
  const owner = await memberAt(platform, 'owner', 'owner@shop.uz')

  // The owner sends the link; the developer joins with a password of their own.
  const invited = await owner.call('POST', '/v1/admin/members/invitations', {
    body: { email: 'dev@shop.uz', role: 'developer' },
  })
  const joined = await callAt(url, 'POST', '/v1/admin/members/invitations/accept', {
    body: { token: invited.body.data.token, name: 'Dilshod', password: testPassword },
  })
  const developer = await signedIn(url, joined.body.data.member)

  // The developer registers the shop page in test, where it stays invisible to live.
  const scopes = ['catalog:read', 'cart:read', 'cart:write']
  const redirect_urls = ['https://shop.example/signed-in']
  const made = await developer.call('POST', '/v1/admin/applications', {
    body: { name: 'Shop page', type: 'web', scopes, redirect_urls },
  })
  const { application, key, api_key } = made.body.data
  const base = `/v1/admin/applications/${application.client_id}`
  equal((await developer.call('GET', base)).body.data.application.name, 'Shop page')
  equal((await developer.call('GET', base, { environment: 'live' })).status, 404)

  // The developer rotates the key and the secret without an interruption.
  const read = (it: string) => callAt(url, 'GET', '/v1/catalog/brands', { key: it })
  const fresh = await developer.call('POST', `${base}/keys/${key.id}/rotate`)
  for (const it of [api_key, fresh.body.data.api_key]) equal((await read(it)).status, 200)
  match((await developer.call('POST', `${base}/secrets/rotate`)).body.data.client_secret, /^sk_test_/)
  await waitUntil(async () => (await developer.call('GET', `${base}/usage`)).body.data.usage[0]?.calls === 2)

  // A developer may not manage members or grant campaign scopes.
  equal((await developer.call('POST', `/v1/admin/members/${owner.id}/deactivate`)).status, 403)
  const campaigns = { scopes: [...scopes, 'marketing:write'] }
  equal((await developer.call('PATCH', base, { body: campaigns })).status, 403)

  // The audit log shows the owner who did what.
  const log = await owner.call('GET', `/v1/admin/audit-log?actor=${developer.id}&sort=at`)
  deepEqual(
    log.body.data.records.map((it: { actor: { name: string }; events: string[] }) => [
      it.actor.name,
      it.events[0],
    ]),
    [
      ['Dilshod', 'ApplicationRegistered'],
      ['Dilshod', 'ApiKeyRotated'],
      ['Dilshod', 'ClientSecretRotated'],
    ],
  )

  // A deactivated developer loses access at once; the application keeps working.
  equal((await owner.call('POST', `/v1/admin/members/${developer.id}/deactivate`)).status, 200)
  equal((await developer.call('GET', base)).status, 401)
  equal((await read(fresh.body.data.api_key)).status, 200)
})
