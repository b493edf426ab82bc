import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { assertRefused } from '../../../test/support/refused.ts'
import { openPlatform } from '../../../test/support/shop.ts'
import { textViolations } from './template.ts'
import { knownVariables } from './variables.ts'

const { app, call, keys } = await openPlatform()

const path = '/v1/marketing/templates'
let made = 0
const newTemplate = async (more: object = {}) => {
  const texts = { ru: { subject: 'Привет, {{client.name}}', text: '{{custom.code}}' } }
  const reply = await call('POST', path, { body: { slug: `t-${++made}`, channel: 'email', texts, ...more } })
  equal(reply.status, 201, reply.text)
  return reply.body.data.template
}
const patch = (id: string, body: object, headers = {}) => call('PATCH', `${path}/${id}`, { body, headers })

test('creates, changes and deletes a template, and keeps its versions', async () => {
  const template = await newTemplate({ description: 'x' })
  deepEqual(template.variables, ['client.name', 'custom.code'])
  equal(template.is_active, true)
  equal((await patch(template.id, { is_active: true })).body.data.template.version, 1)
  const texts = { en: { subject: 'Hello', text: 'Hi' }, uz: { subject: 'Salom', text: 'Salom' } }
  const changed = (await patch(template.id, { texts }, { 'if-match': '"1"' })).body.data.template
  equal(changed.version, 2)
  deepEqual(Object.keys(changed.texts), ['uz', 'en'])
  assertRefused('version_mismatch', await patch(template.id, { description: 'y' }, { 'if-match': '"1"' }))
  const { versions } = (await call('GET', `${path}/${template.id}/versions`)).body.data
  deepEqual(
    versions.map((it: { version: number }) => it.version),
    [2, 1],
  )
  equal(versions[1].texts.ru.subject, 'Привет, {{client.name}}')
  equal((await call('DELETE', `${path}/${template.id}`)).status, 200)
  equal((await call('GET', `${path}/${template.id}`)).status, 404)
  equal((await newTemplate({ slug: template.slug })).version, 1)
  await app.shops.test.relay.catchUp()
  const { body } = await call('GET', '/v1/events?type=Template*&per_page=100')
  const own = body.data.events.filter((it: { subject: string }) => it.subject === `template/${template.id}`)
  deepEqual(
    own.map((it: { type: string }) => it.type),
    ['TemplateCreated', 'TemplateChanged', 'TemplateDeleted'],
  )
})

test('keeps one template per slug and channel, also with twenty concurrent requests', async () => {
  const body = { slug: 'one', channel: 'sms', texts: { ru: { text: 'x' } } }
  const all = await Promise.all(Array.from({ length: 20 }, () => call('POST', path, { body })))
  deepEqual(all.map((it) => it.status).toSorted(), [201, ...Array<number>(19).fill(409)])
  equal(
    (
      await call('POST', path, {
        body: { ...body, channel: 'push', texts: { ru: { subject: 'x', text: 'x' } } },
      })
    ).status,
    201,
  )
  const { templates } = (await call('GET', `${path}?slug=one`)).body.data
  deepEqual(templates.map((it: { channel: string }) => it.channel).toSorted(), ['push', 'sms'])
})

test('refuses an invalid template with all violations, and saves nothing', async () => {
  const texts = {
    ru: { subject: 'a\nb', text: '{{client.nmae}} {{#cart.lines}}', html: '<p title={{client.name}}>' },
    uz: { text: 'x' },
  }
  const { fields } = assertRefused(
    'validation_failed',
    await call('POST', path, { body: { slug: 'invalid', channel: 'email', texts } }),
  ) as { fields: { path: string; rule: string; message: string }[] }
  deepEqual(
    fields.map((it) => `${it.path} ${it.rule}`),
    [
      'texts.ru.subject one_line',
      'texts.ru.text template_syntax',
      'texts.ru.html placement',
      'texts.uz.subject required',
    ],
  )
  equal((await call('GET', `${path}?slug=invalid`)).body.data.templates.length, 0)
  const unknown = { ru: { subject: 'x', text: '{{client.nmae}}' } }
  const [fault] = assertRefused(
    'validation_failed',
    await call('POST', path, { body: { slug: 'invalid', channel: 'email', texts: unknown } }),
  )['fields'] as typeof fields
  match(JSON.stringify(fault), /: client\.nmae, client\.name, shop\.url,/)
  assertRefused(
    'validation_failed',
    await call('POST', path, { body: { slug: 'invalid', channel: 'email', texts: {} } }),
  )
})

test('refuses variables that a built-in template never gets', async () => {
  const { templates } = (await call('GET', `${path}?slug=order-placed&channel=email`)).body.data
  const texts = { ru: { subject: 'x', text: '{{order.id}} {{cart.url}}' } }
  const { fields } = assertRefused('validation_failed', await patch(templates[0].id, { texts })) as {
    fields: { rule: string }[]
  }
  deepEqual(
    fields.map((it) => it.rule),
    ['known_variable'],
  )
})

test('every built-in template is valid in three languages and both environments', async () => {
  for (const key of [keys.test, keys.live]) {
    const { templates } = (await call('GET', `${path}?per_page=100`, { key })).body.data
    const builtIn = templates.filter((it: { slug: string }) => it.slug.startsWith('order-'))
    equal(builtIn.length, 4)
    for (const it of builtIn) {
      deepEqual(textViolations(it.texts, it.channel), [])
      deepEqual(Object.keys(it.texts).toSorted(), ['en', 'ru', 'uz'])
      const preview = await call('POST', `${path}/${it.id}/preview`, { key, body: { language: 'uz' } })
      match(preview.body.data.preview.text, /10042/)
    }
  }
})

test('a preview shows samples, given values and drafts, and saves nothing', async () => {
  const template = await newTemplate({
    texts: {
      ru: {
        subject: '{{client.name}}',
        text: '{{#cart.lines}}{{name}} {{/cart.lines}}{{cart.total}} {{custom.code}}',
      },
    },
  })
  const preview = async (body: object) =>
    (await call('POST', `${path}/${template.id}/preview`, { body })).body.data.preview
  const sample = await preview({})
  equal(sample.subject, 'Aziza Karimova')
  match(sample.text, /^Смартфон Artel X5 Смартфон Artel X5 4.980.000 сум code$/)
  const own = await preview({ variables: { client: { name: 'Бек' }, cart: { total: 100 } } })
  equal(own.subject, 'Бек')
  match(own.text, / 1 сум code$/)
  const draft = await preview({ texts: { uz: { subject: 'x', text: '{{cart.url}}' } }, language: 'uz' })
  deepEqual([draft.language, draft.text], ['uz', 'https://shop.example/cart'])
  equal((await call('GET', `${path}/${template.id}`)).body.data.template.version, 1)
  const wrong = await call('POST', `${path}/${template.id}/preview`, {
    body: { variables: { cart: { total: 'x' } } },
  })
  assertRefused('validation_failed', wrong)
})

test('lists template variables with a sample of each', async () => {
  const { variables } = (await call('GET', '/v1/marketing/template-variables')).body.data
  deepEqual(
    variables.map((it: { path: string }) => it.path),
    Object.keys(knownVariables),
  )
  ok(
    variables.every(
      (it: { sample: unknown; description: string }) => it.sample !== undefined && it.description,
    ),
  )
})
