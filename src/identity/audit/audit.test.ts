import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { test } from 'node:test'
import type { Principal } from '../../http/route.ts'
import { openPlatform } from '../../../test/support/shop.ts'
import { isAudited } from '../../http/audit-entry.ts'
import { actorOf } from './audit.ts'

const { app, call, keys, makeKey } = await openPlatform()
const log = '/v1/admin/audit-log'
const admin = '/v1/admin/applications'
const till = { name: 'Till', type: 'server', scopes: ['catalog:read'] }

async function register(options: { key?: string; headers?: Record<string, string> } = {}) {
  const reply = await call('POST', admin, { body: till, ...options })
  equal(reply.status, 201, reply.text)
  return reply
}
const records = async (query = '', key = keys.test) => {
  const { status, body, text } = await call('GET', `${log}?${query}`, { key })
  equal(status, 200, text)
  return body.data.records
}

const principal = (actor: Principal['actor'], application: Principal['application'] = null): Principal => ({
  id: 'x',
  environment: 'test',
  actor,
  application,
  scopes: new Set(),
  rate: undefined,
})
const machine = principal({ kind: 'application' }, { id: 'app_1', type: 'server' })
const anna = principal({ kind: 'member', memberId: 'member_1', role: 'analyst' })

test('audits all changes by members and all changes under /v1/admin', () => {
  const [shop, administration] = ['/v1/catalog/brands', '/v1/admin/applications']
  equal(isAudited({ principal: anna, route: shop }), true)
  equal(isAudited({ principal: anna, route: administration }), true)
  equal(isAudited({ principal: machine, route: administration }), true)
  equal(isAudited({ principal: machine, route: shop }), false)
  equal(isAudited({ principal: null, route: shop }), false)
  equal(isAudited({ principal: null, route: '/v1/admin/sessions' }), true)
})

test('the actor is the member, application or client; at sign-in the event names it', () => {
  deepEqual(actorOf(anna, 'brand/1'), { actorKind: 'member', actorId: 'member_1' })
  deepEqual(actorOf(machine, 'member/9'), { actorKind: 'application', actorId: 'app_1' })
  deepEqual(actorOf(principal({ kind: 'client', clientId: 7 }), null), { actorKind: 'client', actorId: '7' })
  deepEqual(actorOf(null, 'member/9'), { actorKind: 'member', actorId: '9' })
  deepEqual(actorOf(null, 'brand/9'), { actorKind: 'anonymous', actorId: null })
  deepEqual(actorOf(null, null), { actorKind: 'anonymous', actorId: null })
})

test('a change under /v1/admin writes one audit entry with actor, subject, path and events', async () => {
  const made = await register({ headers: { 'x-request-id': 'audited-1' } })
  const { client_id } = made.body.data.application
  const found = await records(`subject=application/${client_id}`)
  equal(found.length, 1)
  const [{ id, at, actor, ...rest }] = found
  match(id, /^[0-9a-f-]{36}$/)
  equal(at, made.body.meta.timestamp)
  match(actor.id, /^app_test_/)
  match(actor.credential, /^key_/)
  deepEqual([actor.kind, actor.name], ['application', 'test'])
  deepEqual(rest, {
    method: 'POST',
    path: admin,
    request_id: 'audited-1',
    environment: 'test',
    status: 201,
    subject: `application/${client_id}`,
    events: ['ApplicationRegistered', 'ApiKeyIssued'],
    changes: [],
  })
})

test('a change of a record is kept with the values before and after, a deletion with the last values', async () => {
  const { client_id } = (await register()).body.data.application
  equal((await call('PATCH', `${admin}/${client_id}`, { body: { name: 'Second till' } })).status, 200)
  const [changed] = await records(`subject=application/${client_id}`)
  deepEqual(changed.changes, [{ field: 'name', before: '"Till"', after: '"Second till"' }])
  equal((await call('DELETE', `${admin}/${client_id}`)).status, 200)
  const [deleted] = await records(`subject=application/${client_id}`)
  const name = deleted.changes.find((it: { field: string }) => it.field === 'name')
  deepEqual(name, { field: 'name', before: '"Second till"', after: null })
  ok(!JSON.stringify(deleted.changes).includes('secret'))
})

test('refused, dry-run and replayed requests write no audit entry', async () => {
  const before = (await records('per_page=100')).length
  equal((await call('POST', admin, { body: { ...till, scopes: ['x'] } })).status, 422)
  equal((await call('PATCH', `${admin}/app_test_${'x'.repeat(20)}`, { body: { name: 'y' } })).status, 404)
  const narrow = await makeKey({ scopes: ['admin:write'] })
  equal((await call('POST', admin, { key: narrow, body: till })).status, 403)
  await register({ headers: { prefer: 'dry-run' } })
  equal((await records('per_page=100')).length, before)
  for (let turn = 0; turn < 3; turn++) await register({ headers: { 'idempotency-key': 'audited' } })
  equal((await records('per_page=100')).length, before + 1)
})

test('changes by applications outside /v1/admin are not audited', async () => {
  const before = (await records('per_page=100')).length
  equal((await call('POST', '/v1/catalog/brands', { body: { slug: 'b', name: 'B' } })).status, 201)
  equal((await records('per_page=100')).length, before)
})

test('the audit log of one environment shows nothing of the other', async () => {
  const made = await register({ key: keys.live })
  const subject = `subject=application/${made.body.data.application.client_id}`
  equal((await records(subject)).length, 0)
  equal((await records(subject, keys.live)).length, 1)
})

test('lists audit entries newest first, filtered by actor, subject, path and time', async () => {
  const by = await makeKey()
  const made: { client_id: string; at: string }[] = []
  for (let turn = 0; turn < 5; turn++) {
    const { body } = await register({ key: by })
    made.push({ client_id: body.data.application.client_id, at: body.meta.timestamp })
  }
  const subjects = (found: { subject: string }[]) => found.map((it) => it.subject)
  const newestFirst = made.map((it) => `application/${it.client_id}`).toReversed()
  const [{ actor }] = await records('per_page=1')
  deepEqual(subjects(await records(`actor=${actor.id}`)), newestFirst)
  deepEqual(subjects(await records(`actor=${actor.id}&sort=at`)), newestFirst.toReversed())
  equal((await records(`actor=${actor.id}&actor_kind=member`)).length, 0)
  equal((await records(`actor=${actor.id}&path=${admin}`)).length, 5)
  equal((await records(`actor=${actor.id}&path=/v1/admin/app*`)).length, 5)
  equal((await records(`actor=${actor.id}&path=/v1/admin/jobs*`)).length, 0)
  equal((await records(`actor=${actor.id}&subject=application/*`)).length, 5)
  equal((await records(`actor=${actor.id}&from=${made[2]!.at}&to=${made[4]!.at}`)).length, 2)

  const seen: string[] = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const page = await call('GET', `${log}?actor=${actor.id}&per_page=2${cursor && `&cursor=${cursor}`}`)
    seen.push(...subjects(page.body.data.records))
    cursor = page.body.data.pagination.next_cursor
  }
  deepEqual(seen, newestFirst)
})

test('rejects invalid audit filters and says why', async () => {
  for (const query of [
    'from=yesterday',
    'to=2026-02-31T00:00:00Z',
    'actor_kind=ghost',
    'actor=',
    'who=me',
    'sort=path',
  ]) {
    const reply = await call('GET', `${log}?${query}`)
    equal(reply.status, 422, query)
    equal(reply.body.error.details.fields[0].path, query.split('=')[0])
  }
})

test('the audit log contains no secret and needs admin:read', async () => {
  const made = await register()
  const { api_key, client_secret, application } = made.body.data
  const rotated = await call('POST', `${admin}/${application.client_id}/secrets/rotate`)
  const { text } = await call('GET', `${log}?per_page=100`)
  ok(text.includes(application.client_id))
  for (const secret of [api_key, client_secret, rotated.body.data.client_secret]) ok(!text.includes(secret))
  equal((await call('GET', log, { key: await makeKey({ scopes: ['admin:write'] }) })).status, 403)
})

test('deletes audit entries after 400 days', async () => {
  const made = await register()
  const subject = `subject=application/${made.body.data.application.client_id}`
  const run = () => call('POST', '/v1/admin/jobs/purge-old-records/run')
  await call('POST', '/v1/test/clock', { body: { advance: 'P399D' } })
  equal((await run()).status, 200)
  equal((await records(subject)).length, 1)
  await call('POST', '/v1/test/clock', { body: { advance: 'P2D' } })
  equal((await run()).status, 200)
  equal((await records(subject)).length, 0)
  equal((await app.shops.live.db.read().all(`select 1 from live.identity_audit`)).length > 0, true)
})
