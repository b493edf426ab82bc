import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { openMailServer } from '../../../test/support/mail.ts'
import { openNotifications } from '../../../test/support/notifications.ts'
import { assertRefused } from '../../../test/support/refused.ts'
import { openPlatform } from '../../../test/support/shop.ts'
import { waitUntil } from '../../../test/support/wait-until.ts'
import { contrastWithWhite } from './routes.ts'

const mail = await openMailServer()
const shop = await openPlatform({ env: { TEST_SMTP_URL: mail.url, MAIL_FROM: 'Platform <mail@shop.uz>' } })
const { call, makeKey } = shop
const notifications = await openNotifications(shop)
const logo = `/pictures/uploads/test/${'0f'.repeat(16)}-md.webp`

test('white on white has the contrast 1, white on black 21', () => {
  deepEqual([contrastWithWhite('#ffffff'), contrastWithWhite('#000000')], [1, 21])
})

test('a shop has the platform’s looks until it chooses its own, and each environment has its own', async () => {
  const all = { languages: ['ru', 'uz', 'en'], default_language: 'ru' }
  const plain = { name: null, logo_path: null, colour: null, ...all, version: 0 }
  deepEqual((await call('GET', '/v1/catalog/shop')).body.data.shop, plain)
  const saved = await call('PATCH', '/v1/admin/shop', { body: { name: 'Chorsu', colour: '#7a1f5c' } })
  equal(saved.status, 200, saved.text)
  await call('PATCH', '/v1/admin/shop', { body: { logo_path: logo } })
  const chosen = { name: 'Chorsu', logo_path: logo, colour: '#7a1f5c', ...all, version: 2 }
  deepEqual((await call('GET', '/v1/catalog/shop')).body.data.shop, chosen)
  deepEqual((await call('GET', '/v1/catalog/shop', { key: shop.keys.live })).body.data.shop, plain)
})

test('a light colour, a foreign picture, an old version and a key without the scope are refused', async () => {
  const light = await call('PATCH', '/v1/admin/shop', {
    body: { colour: '#ffe08a' },
    headers: { 'accept-language': 'ru' },
  })
  equal(light.status, 422, light.text)
  match(light.body.error.details.fields[0].message, /светлый/)
  for (const body of [{ logo_path: 'https://x.uz/a.png' }, { colour: 'red' }, { name: ' ' }, {}])
    assertRefused('validation_failed', await call('PATCH', '/v1/admin/shop', { body }))
  const old = await call('PATCH', '/v1/admin/shop', { body: { name: 'X' }, headers: { 'if-match': '"1"' } })
  assertRefused('version_mismatch', old)
  const key = await makeKey({ scopes: ['catalog:read', 'catalog:write'] })
  equal((await call('PATCH', '/v1/admin/shop', { key, body: { name: 'X' } })).status, 403)
})

test('mails carry the name, logo and colour', async () => {
  await notifications.template({
    slug: 'framed',
    channel: 'email',
    texts: { ru: { subject: 'Код', text: 'Код {{custom.code}}', html: '<p>Код {{custom.code}}</p>' } },
  })
  await notifications.send({
    template: 'framed',
    channel: 'email',
    address: 'aziza@example.uz',
    variables: { custom: { code: '7' } },
  })
  await waitUntil(() => mail.mails.length > 0, { what: 'the mail arrived' })
  const [sent] = mail.mails
  equal(sent!.headers['from'], 'Chorsu <mail@shop.uz>')
  match(sent!.html!, /background:#7a1f5c[^>]*>\s*<img src="[^"]+-md\.webp"[^>]*> Chorsu\s*<\/td>/)
  ok(sent!.html!.includes('<p>Код 7</p>'))
})

test('a shop offers at least one language, and its default is one of them', async () => {
  const refused = async (body: object) => {
    const reply = await call('PATCH', '/v1/admin/shop', { body, headers: { 'accept-language': 'ru' } })
    assertRefused('validation_failed', reply)
    return reply.body.error.details.fields[0]
  }
  equal((await refused({ languages: [] })).path, 'languages')
  equal((await refused({ languages: ['ru', 'ru'] })).path, 'languages')
  equal((await refused({ languages: ['de'] })).path, 'languages.0')
  deepEqual(await refused({ languages: ['uz', 'en'] }), {
    path: 'default_language',
    rule: 'choice',
    limit: ['uz', 'en'],
    message: 'допустимые значения: uz, en',
  })
  equal((await refused({ default_language: 'kk' })).path, 'default_language')
  const saved = await call('PATCH', '/v1/admin/shop', {
    body: { languages: ['uz', 'en'], default_language: 'uz' },
  })
  deepEqual([saved.body.data.shop.languages, saved.body.data.shop.default_language], [['uz', 'en'], 'uz'])
})

test('a message is written in a language that the shop offers', async () => {
  const text = (subject: string) => ({ subject, text: subject, html: `<p>${subject}</p>` })
  await notifications.template({
    slug: 'in-three',
    channel: 'email',
    texts: { ru: text('по-русски'), uz: text('o‘zbekcha'), en: text('in English') },
  })
  await notifications.template({ slug: 'in-one', channel: 'email', texts: { ru: text('только русский') } })
  const languageOf = async (template: string, language?: string) =>
    (
      await notifications.send({
        template,
        channel: 'email',
        address: 'nodir@example.uz',
        ...(language && { language }),
      })
    ).language
  deepEqual(
    [await languageOf('in-three', 'en'), await languageOf('in-three', 'ru'), await languageOf('in-three')],
    ['en', 'uz', 'uz'],
  )
  // A template without an offered language is sent in the one that it has.
  equal(await languageOf('in-one'), 'ru')
})
