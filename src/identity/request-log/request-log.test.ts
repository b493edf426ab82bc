import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { test } from 'node:test'
import type { ApiCall } from '../../http/api-call.ts'
import { memberAt } from '../../../test/support/member.ts'
import { openPlatform } from '../../../test/support/shop.ts'
import { CallLog } from './call-log.ts'
import { maskReply, maskRequest, maskUrl } from './mask.ts'
import type { LoggedCall } from './store.ts'

const platform = await openPlatform()
const { app, call, keys, makeKey } = platform
const log = '/v1/admin/request-log'

const list = async (query: string, key = keys.test) => {
  const reply = await call('GET', `${log}?${query}`, { key })
  equal(reply.status, 200, reply.text)
  return reply.body.data.calls
}
const show = async (id: string) => (await call('GET', `${log}/${id}`)).body.data.call

test('masks secrets and personal data by name and by form, and leaves the rest', () => {
  deepEqual(
    maskRequest({
      Password: 'x',
      new_password: null,
      api_key: 'y',
      note: 'paid with 8600 1234 5678 9012 by ak_live_0123456789abcdefghij',
      lines: [{ quantity: 2, clientSecret: 'z', code: '1' }],
      contact: { phone: '+998901234567' },
      login: 'anna@mail.uz',
      comment: 'call +998901234567 or write to anna@mail.uz',
    }),
    {
      Password: '•••',
      new_password: null,
      api_key: '•••',
      note: 'paid with ••• by •••',
      lines: [{ quantity: 2, clientSecret: '•••', code: '•••' }],
      contact: '•••',
      login: '•••',
      comment: 'call ••• or write to •••',
    },
  )
  deepEqual(maskReply({ error: { code: 'not_found', token: 'x' } }), {
    error: { code: 'not_found', token: '•••' },
  })
  equal(
    maskUrl('/v1/x/12?q=phone&access_token=abc&page=2&flag'),
    '/v1/x/12?q=phone&access_token=•••&page=2&flag',
  )
  equal(maskUrl('/v1/clients?q=anna%40mail.uz&name=a'), '/v1/clients?q=•••&name=a')
  for (const phone of [
    '%2B998901234567',
    '998901234567',
    '%2B998+90+123-45-67',
    '%2B998%20%2890%29%201234567',
  ])
    equal(maskUrl(`/v1/clients?q=${phone}&page=2`), '/v1/clients?q=•••&page=2', phone)
  equal(maskUrl('/v1/admin/clients?q=Karimova&page=2'), '/v1/admin/clients?q=•••&page=2')
  equal(maskUrl('/v1/catalog/products/search?q=100%25&x=%'), '/v1/catalog/products/search?q=100%25&x=%')
  equal(maskUrl(`/reset/mpr_${'a'.repeat(40)}`), '/reset/•••')
})

test('names of persons are masked in bodies of refused calls, names of products are not', async () => {
  const name = 'Aziza Karimova'
  const masked = { name: '•••' }
  for (const path of [
    '/v1/auth/register',
    '/v1/auth/me',
    '/v1/admin/clients/5',
    '/global/v1/admin/clients/5',
    '/v1/admin/members/invitations/accept',
    '/v1/admin/me?x=1',
  ])
    deepEqual(maskRequest({ name }, path), masked, path)
  deepEqual(maskReply({ data: { member: { name } } }, '/v1/admin/members/1'), { data: { member: masked } })
  deepEqual(maskRequest({ name }, '/v1/catalog/brands'), { name })
  deepEqual(maskRequest({ name }, '/v1/admin/clientsx'), { name })
  deepEqual(
    maskRequest({ variables: { client: { name }, product: { name } } }, '/v1/marketing/notifications'),
    {
      variables: { client: masked, product: { name } },
    },
  )
  deepEqual(maskRequest({ record: 'client', id: 1, name }, '/v1/catalog/import'), {
    record: 'client',
    id: 1,
    ...masked,
  })
  const headers = { 'x-request-id': 'named-1' }
  await call('PATCH', '/v1/admin/clients/5', { body: { name, phone: 'x' }, headers })
  const [logged] = await list('request_id=named-1')
  deepEqual(JSON.parse((await show(logged.id)).request_body), { ...masked, phone: '•••' })
})

test('finds a call by key, request id, path and status, and shows its bodies without secrets', async () => {
  const made = await call('POST', '/v1/admin/applications', {
    body: { name: 'Till', type: 'server', scopes: ['catalog:write', 'catalog:read'] },
  })
  const { api_key: key, application } = made.body.data
  await call('GET', '/v1/catalog/brands', { key, headers: { 'x-request-id': 'served-1' } })
  const body = { slug: 'a b', name: 'B', password: 'hunter2hunter2' }
  await call('POST', '/v1/catalog/brands?x=1', { key, body, headers: { 'x-request-id': 'failed-1' } })

  const all = await list(`client_id=${application.client_id}`)
  deepEqual(
    all.map((it: { request_id: string; status: number }) => [it.request_id, it.status]),
    [
      ['failed-1', 422],
      ['served-1', 200],
    ],
  )
  const [failed, served] = all
  match(failed.credential, /^key_/)
  deepEqual(failed.application, { client_id: application.client_id, name: 'Till' })
  deepEqual([failed.path, failed.error_code], ['/v1/catalog/brands?x=1', 'validation_failed'])
  for (const query of [
    `q=${application.client_id}&method=POST`,
    'q=failed-1',
    'request_id=failed-1',
    'q=brands%3Fx',
    'status=failed',
    'status=4xx',
    'status=422',
    'path=/v1/catalog/brands%3F*',
    'method=POST',
  ])
    deepEqual(
      (await list(`key=${failed.credential}&${query}`)).map((it: { id: string }) => it.id),
      [failed.id],
      query,
    )
  deepEqual(await list(`key=${failed.credential}&status=5xx`), [])

  const shown = await show(failed.id)
  deepEqual(JSON.parse(shown.request_body), { ...body, password: '•••' })
  equal(JSON.parse(shown.reply_body).error.code, 'validation_failed')
  deepEqual([(await show(served.id)).request_body, (await show(served.id)).reply_body], [null, null])
})

test('logs a refused key in its environment without the key', async () => {
  const wrong = `ak_test_${'x'.repeat(38)}`
  const headers = { 'x-request-id': 'refused-1' }
  equal((await call('GET', '/v1/catalog/brands', { key: wrong, headers })).status, 401)
  const [found] = await list('q=refused-1')
  deepEqual([found.status, found.credential, found.application], [401, 'ak_test_…', null])
  ok(!JSON.stringify(await show(found.id)).includes('xxxx'))
  deepEqual(await list('q=refused-1', keys.live), [])
})

test('keeps calls of members out, and each environment for itself', async () => {
  const developer = await memberAt(platform, 'developer', 'dev@shop.uz')
  await developer.call('GET', '/v1/catalog/brands', { headers: { 'x-request-id': 'member-1' } })
  await call('GET', '/v1/catalog/brands', { key: keys.live, headers: { 'x-request-id': 'live-1' } })
  deepEqual(await list('q=member-1'), [])
  deepEqual(await list('q=live-1'), [])
  equal((await list('q=live-1', keys.live)).length, 1)
  const reply = await developer.call('GET', `${log}?q=/v1/catalog/brands`)
  equal(reply.status, 200, reply.text)
})

test('needs admin:read, and refuses filters that cannot match', async () => {
  const narrow = await makeKey({ scopes: ['catalog:read'] })
  equal((await call('GET', log, { key: narrow })).status, 403)
  equal((await call('GET', `${log}?status=bad`)).body.error.details.fields[0].path, 'status')
  equal((await call('GET', `${log}/019a8a52-7c00-7f3e-8a7e-2f1c9a7be03d`)).status, 404)
})

const apiCall = (status: number): ApiCall => ({
  principal: null,
  authorization: undefined,
  method: 'POST',
  url: '/v1/cart',
  route: '/v1/cart',
  requestId: 'r',
  status,
  ms: 1.26,
  userAgent: undefined,
  requestBody: Buffer.from('{"quantity":0}'),
  replyBody: '{"error":{"code":"x"}}',
})

const kept = async (calls: CallLog): Promise<LoggedCall[]> => {
  let all: LoggedCall[] = []
  await calls.flush(async (them) => void (all = them))
  return all
}

test('a flood of served calls is sampled, says how many are missing, and hides no failed call', async () => {
  let elapsed = 0
  const calls = new CallLog({ now: () => new Date(0) }, () => elapsed)
  for (let turn = 0; turn < 1_000; turn++) calls.note(apiCall(200))
  calls.note(apiCall(422))
  const first = await kept(calls)
  deepEqual([first.filter((it) => it.status === 200).length, first.at(-1)!.status], [200, 422])
  elapsed = 100
  calls.note(apiCall(200))
  calls.note(apiCall(200))
  deepEqual(
    (await kept(calls)).map((it) => it.skipped),
    [800],
  )
})

test('keeps no body of a served call, no long body and no text that is not JSON', async () => {
  const calls = new CallLog({ now: () => new Date(0) })
  calls.note(apiCall(200))
  calls.note({ ...apiCall(422), requestBody: Buffer.from(`{"password":"x`) })
  calls.note({ ...apiCall(422), requestBody: Buffer.from(JSON.stringify('y'.repeat(9_000))) })
  deepEqual(
    (await kept(calls)).map((it) => it.requestBody),
    [null, '(14 bytes that are not JSON)', '"(9002 bytes; bodies above 8192 bytes are not kept)"'],
  )
})

test('the job deletes calls after a week', async () => {
  await call('GET', '/v1/catalog/brands', { headers: { 'x-request-id': 'old-1' } })
  ok((await list('q=old-1')).length > 0)
  const week = await call('POST', '/v1/test/clock', { body: { advance: 'P8D' } })
  equal(week.status, 200, week.text)
  const run = await app.shops.test.jobs.runNow('purge-request-log')
  ok(run)
  // The calls of this test are in the log too, with old-1 in their paths.
  const old = (await list('q=old-1')).filter((it: { request_id: string }) => it.request_id === 'old-1')
  deepEqual(old, [])
})
