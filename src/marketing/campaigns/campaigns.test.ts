// Campaigns as operators see them: drafting, steps, validation, preview, and the rules for all.

import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { campaigns, openCampaigns } from '../../../test/support/campaigns.ts'
import { openPlatform } from '../../../test/support/shop.ts'

const shop = await openPlatform()
const setup = await openCampaigns(shop)
const { call } = shop
const post = (path: string, body: object) => call('POST', path, { body })
const fields = (reply: { body: { error: { details: { fields: { path: string; rule: string }[] } } } }) =>
  reply.body.error.details.fields.map((it) => `${it.path} ${it.rule}`)

test('creates a draft with defaults for missing fields', async () => {
  const template = await setup.template()
  const reply = await post(campaigns, {
    name: 'Monday letter',
    channel: 'email',
    template,
    when: { cron: '0 0 10 ? * 2' },
    audience: [{ ordered: { times: 1, days: 30 } }, { not: { inactive: { days: 60 } } }],
  })
  equal(reply.status, 201, reply.text)
  const { id, created_at, updated_at, ...rest } = reply.body.data.campaign
  equal(created_at, updated_at)
  deepEqual(rest, {
    name: 'Monday letter',
    state: 'draft',
    allowed: ['start', 'change', 'delete'],
    channel: 'email',
    template,
    variables: {},
    audience: [{ ordered: { times: 1, days: 30 } }, { not: { inactive: { days: 60 } } }],
    when: { cron: '0 0 10 ? * 2' },
    quiet_hours: null,
    repeat_days: 1,
    holdout_percent: 0,
    budget_messages: null,
    budget_tiyin: null,
    price_tiyin: 0,
    attribution_days: 7,
    ends_at: null,
    sent: 0,
    cost_tiyin: 0,
    pause_reason: null,
    finish_reason: null,
    started_at: null,
    finished_at: null,
  })
  deepEqual((await call('GET', `${campaigns}/${id}`)).body.data.campaign, reply.body.data.campaign)
  const listed = (await call('GET', `${campaigns}?state=draft&sort=-created_at`)).body.data
  equal(listed.campaigns[0].id, id)
  equal((await call('GET', `${campaigns}?state=running`)).body.data.pagination.total, 0)
})

test('reports all violations of a campaign with their paths', async () => {
  const reply = await post(campaigns, {
    name: 'x',
    channel: 'email',
    template: 'no-such-template',
    when: { cron: '0 * * * * ?' },
    audience: [{ bought: { category: '999', days: 3 } }, { not: { bought: { brand: '998', days: 3 } } }],
    budget_tiyin: 100,
    price_tiyin: 101,
  })
  equal(reply.status, 422, reply.text)
  deepEqual(fields(reply), [
    'when.cron too_often',
    'template exists',
    'audience.0.bought.category exists',
    'audience.1.not.bought.brand exists',
    'budget_tiyin minimum',
  ])
})

test('refuses a schedule without due times and a promotion that does not exist', async () => {
  const template = await setup.template()
  const faults = async (when: object) => {
    const reply = await call('POST', campaigns, {
      body: { name: 'x', channel: 'email', template, when },
      headers: { 'accept-language': 'en' },
    })
    return [reply.status, ...reply.body.error.details.fields]
  }
  deepEqual(await faults({ cron: '0 0 10 30 2 ?' }), [
    422,
    { path: 'when.cron', rule: 'never_due', message: 'never runs: there is no such day' },
  ])
  deepEqual(await faults({ promotion_started: { promotion: '999999' } }), [
    422,
    {
      path: 'when.promotion_started.promotion',
      rule: 'exists',
      message: 'there is no promotion 999999',
    },
  ])
})

test('refuses a cart duration longer than carts are kept', async () => {
  const template = await setup.template()
  const reply = await post(campaigns, {
    name: 'x',
    channel: 'email',
    template,
    when: { cart_abandoned: { days: 14 } },
    audience: [{ not: { cart_abandoned: { hours: 400 } } }],
  })
  deepEqual(fields(reply), ['when.cart_abandoned below', 'audience.0.not.cart_abandoned below'])
})

test('refuses unknown conditions, unknown triggers and two at once', async () => {
  const template = await setup.template()
  const base = { name: 'x', channel: 'email', template, when: { cart_abandoned: { days: 3 } } }
  const cases: [object, string][] = [
    [{ when: {} }, 'when min_fields'],
    [{ when: { cart_abandoned: { days: 3 }, cron: '0 0 10 * * ?' } }, 'when max_fields'],
    [{ when: { full_moon: {} } }, 'when.full_moon unknown_field'],
    [{ when: { cart_abandoned: { days: 0 } } }, 'when.cart_abandoned.days minimum'],
    [{ audience: [{ bought: { days: 3 } }] }, 'audience.0.bought min_fields'],
    [{ audience: [{ bought: { product: '1', brand: '1', days: 3 } }] }, 'audience.0.bought max_fields'],
    [
      { audience: [{ ordered: { times: 1, days: 3 }, spent: { tiyin: 1, days: 3 } }] },
      'audience.0 max_fields',
    ],
    [{ audience: [{ not: { not: { inactive: { days: 1 } } } }] }, 'audience.0.not.not unknown_field'],
    [{ quiet_hours: { from: '25:00', to: '09:00' } }, 'quiet_hours.from format'],
    [{ holdout_percent: 91 }, 'holdout_percent maximum'],
    [{ ends_at: '2026-02-31T00:00:00Z' }, 'ends_at format'],
    [{ sent: 5 }, 'sent unknown_field'],
  ]
  for (const [change, fault] of cases) {
    const reply = await post(campaigns, { ...base, ...change })
    equal(reply.status, 422, reply.text)
    ok(fields(reply).includes(fault), `${fault}: ${fields(reply)}`)
  }
})

test('refuses a template with cart variables for a campaign without a cart', async () => {
  const template = await setup.template('{{#cart.lines}}{{name}} {{/cart.lines}}{{custom.coupon}}')
  const body = { name: 'x', channel: 'email', template, when: { cron: '0 0 10 * * ?' } }
  const refused = await post(campaigns, body)
  deepEqual(fields(refused), ['template fillable'])
  ok(refused.body.error.details.fields[0].message.includes('cart.lines, custom.coupon'), refused.text)
  const variables = { coupon: 'NAVRUZ10' }
  equal((await post(campaigns, { ...body, variables, when: { cart_abandoned: { days: 1 } } })).status, 201)
  const audience = [{ cart_abandoned: { hours: 4 } }]
  equal((await post(campaigns, { ...body, variables, audience })).status, 201)
})

test('refuses a step that the state does not allow and lists the allowed ones', async () => {
  const { id } = await setup.draft()
  for (const [verb, status] of [
    ['pause', 409],
    ['resume', 409],
    ['finish', 409],
    ['start', 200],
    ['start', 409],
    ['pause', 200],
    ['resume', 200],
    ['finish', 200],
    ['finish', 409],
  ] as const)
    equal((await call('POST', `${campaigns}/${id}/${verb}`)).status, status, verb)
  const again = await call('POST', `${campaigns}/${id}/start`)
  equal(again.body.error.code, 'invalid_transition')
  deepEqual(again.body.error.details, { state: 'finished', requested: 'start', allowed: [] })
  equal((await call('DELETE', `${campaigns}/${id}`)).status, 409)
  const finished = await setup.events('CampaignFinished')
  deepEqual(finished.find((it) => it.subject === `campaign/${id}`)?.fields, {
    campaignId: Number(id),
    reason: 'by_hand',
    sent: 0,
  })
})

test('allows changing and deleting a draft but not a running campaign', async () => {
  const { id } = await setup.draft()
  const renamed = await call('PATCH', `${campaigns}/${id}`, {
    body: { name: 'Better', holdout_percent: 20 },
    headers: { 'if-match': '"1"' },
  })
  equal(renamed.status, 200, renamed.text)
  deepEqual([renamed.body.data.campaign.name, renamed.body.data.campaign.holdout_percent], ['Better', 20])
  const stale = await call('PATCH', `${campaigns}/${id}`, {
    body: { name: 'Worse' },
    headers: { 'if-match': '"1"' },
  })
  equal(stale.status, 412)
  await setup.step(id, 'start')
  const running = await call('PATCH', `${campaigns}/${id}`, { body: { name: 'No' } })
  deepEqual([running.status, running.body.error.details.allowed], [409, ['pause', 'finish']])
  await setup.step(id, 'pause')
  const spoiling = await call('PATCH', `${campaigns}/${id}`, {
    body: { name: 'Yes', holdout_percent: 30, when: { cart_abandoned: { days: 4 } } },
  })
  deepEqual(fields(spoiling), ['holdout_percent fixed', 'when fixed'])
  equal((await call('PATCH', `${campaigns}/${id}`, { body: { name: 'Yes' } })).status, 200)
  const other = await setup.draft()
  equal((await call('DELETE', `${campaigns}/${other.id}`)).status, 200)
  equal((await call('GET', `${campaigns}/${other.id}`)).status, 404)
})

test('refuses to start a campaign with a past date', async () => {
  const { id } = await setup.draft({ when: { at: '2020-01-01T00:00:00Z' }, ends_at: '2020-02-01T00:00:00Z' })
  const reply = await call('POST', `${campaigns}/${id}/start`)
  deepEqual([reply.status, fields(reply)], [422, ['when.at future', 'ends_at future']])
  const yearly = await setup.draft({ when: { cron: '0 0 10 1 1 ? 2020' } })
  deepEqual(fields(await call('POST', `${campaigns}/${yearly.id}/start`)), ['when.cron future'])
})

test('requires marketing:read for reads and marketing:write for changes', async () => {
  const key = await shop.makeKey({ scopes: ['marketing:read'] })
  const { id } = await setup.draft()
  equal((await call('GET', `${campaigns}/${id}/results`, { key })).status, 200)
  equal((await call('POST', `${campaigns}/${id}/start`, { key })).status, 403)
  equal(
    (await call('PATCH', '/v1/marketing/campaign-rules', { key, body: { messages_per_day: 1 } })).status,
    403,
  )
  const otherKey = await shop.makeKey({ scopes: ['catalog:read', 'admin:read'] })
  equal((await call('GET', campaigns, { key: otherKey })).status, 403)
  equal((await call('GET', `${campaigns}/999999`)).status, 404)
  equal((await call('GET', `${campaigns}/none`)).status, 404)
})

test('reads and changes the rules for all campaigns', async () => {
  const path = '/v1/marketing/campaign-rules'
  deepEqual((await call('GET', path)).body.data.campaign_rules, {
    quiet_hours: { from: '21:00', to: '09:00' },
    messages_per_day: 2,
    messages_per_week: 5,
  })
  const changed = await call('PATCH', path, {
    body: { messages_per_week: 50, quiet_hours: { from: '22:00', to: '08:00' } },
  })
  deepEqual(changed.body.data.campaign_rules, {
    quiet_hours: { from: '22:00', to: '08:00' },
    messages_per_day: 2,
    messages_per_week: 50,
  })
  equal((await call('PATCH', path, { body: { messages_per_day: -1 } })).status, 422)
})

test('a preview counts the audience, lists a sample and renders one message', async () => {
  const readers = [await setup.reader({ language: 'uz' }), await setup.reader()]
  const [one, two] = readers.map((it) => it.ClientId) as [number, number]
  const silent = await setup.reader({ consents: false })
  const offer = await setup.stock.offer({ price: 1_000 })
  await setup.put(readers[0]!, offer, 2)
  const ids = [one, two, silent.ClientId].map(String)
  const template = await setup.template(
    '{{client.name}}: {{#cart.lines}}{{name}} × {{quantity}} = {{amount}}{{/cart.lines}}',
  )
  const { id } = await setup.draft({ template, audience: [{ clients: { ids } }] })
  const preview = await setup.preview(id)
  deepEqual(preview.audience, { size: 2, is_exact: true, sample: [String(one), String(two)] })
  deepEqual(preview.message, {
    client_id: String(one),
    language: 'ru',
    subject: 'Привет',
    text: `Client ${one}: Товар ${offer} × 2 = 2\u00a0000 сум`,
    html: null,
    is_real: true,
  })
  const other = (await setup.preview(id, `?client_id=${two}`)).message
  deepEqual([other.client_id, other.is_real], [String(two), false])
  ok(other.text.startsWith(`Client ${two}: Смартфон`), other.text)
})

test('a draft is previewed in every language before it is stored', async () => {
  const reader = await setup.reader({ language: 'uz' })
  const texts = {
    ru: { subject: 'Корзина', text: '{{client.name}}, {{cart.total}}' },
    uz: { subject: 'Savat', text: '{{client.name}}, {{custom.coupon}}' },
  }
  await post('/v1/marketing/templates', { slug: 'two-languages', channel: 'email', texts })
  const before = (await call('GET', campaigns)).body.data.pagination.total
  const draft = { channel: 'email', audience: [{ clients: { ids: [String(reader.ClientId)] } }] }
  const bare = (await post(`${campaigns}/preview`, draft)).body.data.preview
  deepEqual(bare, {
    audience: { size: 1, is_exact: true, sample: [String(reader.ClientId)] },
    messages: [],
    missing_variables: [],
  })
  const written = { ...draft, template: 'two-languages', variables: { coupon: 'NAVRUZ10' } }
  const { messages, missing_variables: missing } = (await post(`${campaigns}/preview`, written)).body.data
    .preview
  deepEqual(
    messages.map((it: { language: string; subject: string }) => [it.language, it.subject]),
    [
      ['ru', 'Корзина'],
      ['uz', 'Savat'],
    ],
  )
  equal(messages[1].text, `Client ${reader.ClientId}, NAVRUZ10`)
  deepEqual(missing, ['cart.total'])
  const filled = { ...written, when: { cart_abandoned: { days: 1 } } }
  deepEqual((await post(`${campaigns}/preview`, filled)).body.data.preview.missing_variables, [])
  equal((await call('GET', campaigns)).body.data.pagination.total, before, 'a preview stores nothing')
})

test('a draft that names what does not exist is refused at its field', async () => {
  const audience = [{ bought: { category: '999', days: 3 } }]
  const reply = await post(`${campaigns}/preview`, { channel: 'email', audience })
  deepEqual([reply.status, fields(reply)], [422, ['audience.0.bought.category exists']])
  for (const scope of ['marketing:read', 'marketing:write'] as const) {
    const key = await shop.makeKey({ scopes: [scope] })
    equal(
      (await call('POST', `${campaigns}/preview`, { key, body: { channel: 'email' } })).status,
      403,
      scope,
    )
  }
})
