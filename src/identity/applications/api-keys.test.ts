import { deepEqual, equal, match } from 'node:assert/strict'
import { test } from 'node:test'
import { openPlatform } from '../../../test/support/shop.ts'
import { environmentOfKey, newKey } from './credentials.ts'

const { call, makeKey } = await openPlatform()

async function register(scopes: string[]) {
  const reply = await call('POST', '/v1/admin/applications', {
    body: { name: 'Till', type: 'server', scopes },
  })
  equal(reply.status, 201, reply.text)
  return reply.body.data
}

test('a key has its environment, 32 random characters and a checksum', () => {
  const { key, hint } = newKey('live')
  match(key, /^ak_live_[0-9A-Za-z]{38}$/)
  equal(hint, `ak_live_…${key.slice(-4)}`)
  equal(environmentOfKey(key), 'live')
})

test('recognises a mistyped key or an edited prefix without a database lookup', () => {
  const { key } = newKey('live')
  equal(environmentOfKey(key.replace('live', 'test')), undefined)
  equal(environmentOfKey(key.slice(0, -1) + (key.endsWith('a') ? 'b' : 'a')), undefined)
  equal(environmentOfKey(key + '0'), undefined)
})

test('returns credentials once and lists keys without them', async () => {
  const made = await register(['catalog:read'])
  match(made.client_secret, /^sk_test_/)
  const { body, text } = await call('GET', `/v1/admin/applications/${made.application.client_id}`)
  deepEqual(
    body.data.keys.map((it: { id: string }) => it.id),
    [made.key.id],
  )
  equal(text.includes(made.api_key) || text.includes(made.client_secret), false)
})

test('a mobile application has no secret', async () => {
  const body = { name: 'Phone', type: 'mobile', scopes: ['catalog:read'] }
  equal((await call('POST', '/v1/admin/applications', { body })).body.data.client_secret, null)
})

test('removing scopes of an application removes them from its keys at once', async () => {
  const made = await register(['catalog:read', 'catalog:write'])
  const write = () =>
    call('POST', '/v1/catalog/brands?', {
      key: made.api_key,
      body: { slug: 'x', name: 'X' },
      headers: { prefer: 'dry-run' },
    })
  equal((await write()).status, 201)
  const path = `/v1/admin/applications/${made.application.client_id}`
  equal((await call('PATCH', path, { body: { scopes: ['catalog:read'] } })).status, 200)
  const refused = await write()
  equal(refused.status, 403)
  deepEqual(refused.body.error.details.current_scopes, ['catalog:read'])
})

test('the successor of a key created for a month is valid for a month', async () => {
  const made = await register(['catalog:read'])
  const keys = `/v1/admin/applications/${made.application.client_id}/keys`
  const month = 30 * 86_400_000
  const expires_at = new Date(Date.now() + month).toISOString()
  const { key } = (await call('POST', keys, { body: { name: 'short', expires_at } })).body.data
  const rotated = (await call('POST', `${keys}/${key.id}/rotate`, { body: { overlap_seconds: 60 } })).body
    .data
  const span = new Date(rotated.key.expires_at).getTime() - new Date(rotated.key.created_at).getTime()
  const before = new Date(key.expires_at).getTime() - new Date(key.created_at).getTime()
  equal(span, before)
})

test('a rotation needs no body, and a name must not be blank', async () => {
  const made = await register(['catalog:read'])
  const keys = `/v1/admin/applications/${made.application.client_id}/keys`
  equal((await call('POST', `${keys}/${made.key.id}/rotate`)).status, 201)
  const blank = await call('POST', keys, { body: { name: '   ' } })
  deepEqual([blank.status, blank.body.error.details.fields[0].path], [422, 'name'])
})

test('an application has at most a hundred valid keys', async () => {
  const made = await register(['catalog:read'])
  const keys = `/v1/admin/applications/${made.application.client_id}/keys`
  for (let at = 1; at < 100; at++) await call('POST', keys, { body: { name: `key ${at}` } })
  equal((await call('POST', keys, { body: { name: 'one too many' } })).status, 409)
  await call('POST', `${keys}/${made.key.id}/revoke`)
  equal((await call('POST', keys, { body: { name: 'in its place' } })).status, 201)
})

test('deleting an application revokes its keys', async () => {
  const made = await register(['catalog:read'])
  equal((await call('GET', '/v1/catalog/brands', { key: made.api_key })).status, 200)
  equal((await call('DELETE', `/v1/admin/applications/${made.application.client_id}`)).status, 200)
  const reply = await call('GET', '/v1/catalog/brands', { key: made.api_key })
  deepEqual([reply.status, reply.body.error.details.reason], [401, 'revoked'])
})

test('both successors of a key rotated twice have its original lifetime', async () => {
  const made = await register(['catalog:read'])
  const path = `/v1/admin/applications/${made.application.client_id}/keys/${made.key.id}/rotate`
  for (const overlap_seconds of [60, 30]) {
    const { key, replaced } = (await call('POST', path, { body: { overlap_seconds } })).body.data
    equal(key.expires_at, null)
    const leftMs = new Date(replaced.expires_at).getTime() - new Date(key.created_at).getTime()
    equal(leftMs, overlap_seconds * 1000)
  }
})

test('rejects an invalid redirect URL and names it', async () => {
  const good = 'https://shop.example/signed-in'
  const body = { name: 'Web', type: 'web', scopes: ['catalog:read'] }
  for (const bad of ['https://shop.example/#x', 'https://me:pw@shop.example/', 'https://', 'javascript:x']) {
    const reply = await call('POST', '/v1/admin/applications', {
      body: { ...body, redirect_urls: [good, bad] },
    })
    equal(reply.status, 422, bad)
    equal(reply.body.error.details.fields[0].path, 'redirect_urls.1')
  }
  const { application } = (await call('POST', '/v1/admin/applications', { body })).body.data
  const change = (redirect_urls: string[]) =>
    call('PATCH', `/v1/admin/applications/${application.client_id}`, { body: { redirect_urls } })
  equal((await change(['uz.shop.app:/back'])).status, 422)
  equal((await change([good])).status, 200)
})

test('a mobile application may register a custom scheme', async () => {
  const body = { name: 'App', type: 'mobile', scopes: ['catalog:read'], redirect_urls: ['uz.shop.app:/back'] }
  const reply = await call('POST', '/v1/admin/applications', { body })
  equal(reply.status, 201, reply.text)
  deepEqual(reply.body.data.application.redirect_urls, ['uz.shop.app:/back'])
})

test('expired keys do not count towards the maximum', async () => {
  const made = await register(['catalog:read'])
  const keys = `/v1/admin/applications/${made.application.client_id}/keys`
  const expires_at = new Date(Date.now() + 3_600_000).toISOString()
  for (let at = 1; at < 100; at++) await call('POST', keys, { body: { name: `key ${at}`, expires_at } })
  equal((await call('POST', keys, { body: { name: 'one too many' } })).status, 409)
  await call('POST', '/v1/test/clock', { body: { advance: 'PT2H' } })
  equal((await call('POST', keys, { body: { name: 'in their place' } })).status, 201)
})

test('lists valid keys older than 90 days as due for rotation', async () => {
  const [one, other, dead] = [
    await register(['catalog:read']),
    await register(['catalog:read']),
    await register(['catalog:read']),
  ]
  const due = async (query = '') => {
    const { body } = await call('GET', `/v1/admin/keys?due_for_rotation=true&sort=-created_at${query}`)
    return body.data.keys.map((it: { id: string }) => it.id) as string[]
  }
  const path = (it: typeof one) => `/v1/admin/applications/${it.application.client_id}`
  await call('POST', `${path(dead)}/keys/${dead.key.id}/revoke`)
  await call('POST', '/v1/test/clock', { body: { advance: 'P89D' } })
  equal((await due()).includes(one.key.id), false)
  await call('POST', '/v1/test/clock', { body: { advance: 'P2D' } })
  const young = await register(['catalog:read'])
  const listed = await due()
  deepEqual(
    [one, other, dead, young].map((it) => listed.includes(it.key.id)),
    [true, true, false, false],
  )
  deepEqual(await due(`&client_id=${one.application.client_id}`), [one.key.id])
  await call('POST', `${path(one)}/keys/${one.key.id}/rotate`, { body: { overlap_seconds: 0 } })
  deepEqual(await due(`&client_id=${one.application.client_id}`), [])
  const ofState = async (state: string, clientId: string) =>
    (await call('GET', `/v1/admin/keys?state=${state}&client_id=${clientId}`)).body.data.keys.length
  deepEqual(
    await Promise.all(['active', 'expired', 'revoked'].map((it) => ofState(it, one.application.client_id))),
    [1, 1, 0],
  )
  equal(await ofState('revoked', dead.application.client_id), 1)
})

test('rotates a client secret over HTTP, shows it once, and refuses callers with fewer scopes', async () => {
  const made = await register(['catalog:read', 'orders:write'])
  const base = `/v1/admin/applications/${made.application.client_id}`
  const rotated = await call('POST', `${base}/secrets/rotate`, { body: { overlap_seconds: 60 } })
  equal(rotated.status, 201)
  match(rotated.body.data.client_secret, /^sk_test_/)
  const { body, text } = await call('GET', base)
  equal(text.includes(rotated.body.data.client_secret), false)
  deepEqual(
    body.data.secrets.map((it: { id: string }) => it.id),
    [rotated.body.data.secret.id, rotated.body.data.replaced[0].id],
  )
  const revoked = await call('POST', `${base}/secrets/${rotated.body.data.secret.id}/revoke`)
  match(revoked.body.data.secret.revoked_at, /Z$/)
  const low = await makeKey({ scopes: ['admin:write', 'catalog:read'] })
  const refused = await call('POST', `${base}/secrets/rotate`, { key: low })
  deepEqual(refused.body.error.details.required_scopes, ['orders:write'])
})
