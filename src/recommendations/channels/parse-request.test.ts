import { deepEqual, equal, ok, throws } from 'node:assert/strict'
import { test } from 'node:test'
import { uzs } from '../../base/money.ts'
import { Refusal } from '../../base/refusal.ts'
import type { RequestContext } from '../../http/route.ts'
import type { RequestBody } from './bodies.ts'
import { bodyOf, channels, type Settings } from './channels.ts'
import { parseRequest } from './routes.ts'

const settings: Settings = {
  cfBackend: 'cf',
  v2DefaultGroup: 'cf',
  miniAppIdV1: 'mini-one',
  miniAppIdV2: 'mini-two',
  r3Sunset: undefined,
  requireKey: false,
  logShare: 1,
  timezone: 'Asia/Tashkent',
}
const call = {
  principal: null,
  region: 'home',
  currency: uzs,
  language: 'en',
  origin: 'https://shop.uz',
} as unknown as RequestContext
const channelAt = (path: string) => channels.find((it) => it.path === path)!
const parsed = (path: string, sent: RequestBody, given = settings) =>
  parseRequest(channelAt(path), sent, call, given)

test('a call uses the fields that it declares and no others', () => {
  const foreign = { product_ids: 5, offer_ids: {}, category_id: 7, exp_id: 'b', mini_app_user_id: 'x' }
  const v1 = { mobi_user_id: 'm', phone: '+998901234567' }
  deepEqual(parsed('/offers/recommended', { ...v1, ...foreign } as never), parsed('/offers/recommended', v1))
  const place = (cfBackend: 'cf' | 'v2') =>
    parsed(
      '/mobile/cf/v1/recommended',
      { from_layer: 'main_page', region: 'Buxoro' },
      { ...settings, cfBackend },
    ).place
  deepEqual([place('cf'), place('v2')], [null, 'Buxoro'])
})

test('maps a test group to its meaning in each channel, in any letter case', () => {
  const groupAt = (path: string, value: string | null | undefined, given = settings) =>
    parsed(
      path,
      { from_layer: 'main_page', ...(value !== undefined && { test_group_value: value }) } as RequestBody,
      given,
    ).group
  const cases: [path: string, value: string | null | undefined, group: string][] = [
    ['/offers/recommended/v3', 'PrOd', 'prod'],
    ['/offers/recommended/v3', 'MOD_OFFERS', 'mod_offers'],
    ['/offers/recommended/v3', null, 'prod'],
    ['/offers/recommended/v3', 'whatever', 'prod'],
    ['/offers/recommended/v3', undefined, 'prod'],
    ['/mobile/offers/recommended/v3', 'Mod_Offers', 'mod_offers'],
    ['/offers/recommended/v2', 'prod', 'prod'],
    ['/offers/recommended/v2', 'PROD', 'prod'],
    ['/offers/recommended/v2', null, 'cf'],
    ['/offers/recommended/v2', 'mod_offers', 'cf'],
    ['/offers/recommended/v2', undefined, 'cf'],
    ['/web/client/offers/recommended-v3', 'prod', 'mod_offers'],
    ['/web/client/miniapp/offers/recommended/v3/', 'prod', 'mod_offers'],
    ['/mobile/cf/v1/recommended', undefined, 'cf'],
  ]
  for (const [path, value, group] of cases) equal(groupAt(path, value), group, `${path} ${value}`)
  equal(groupAt('/offers/recommended/v2', 'x', { ...settings, v2DefaultGroup: 'prod' }), 'prod')
  equal(
    groupAt('/mobile/cf/v1/recommended', 'x', { ...settings, cfBackend: 'v2', v2DefaultGroup: 'prod' }),
    'prod',
  )
})

test('the main page is about no offer, an offer’s page about one', () => {
  const at3 = (sent: RequestBody) => parsed('/offers/recommended/v3', sent)
  const rule = (sent: RequestBody) => {
    try {
      at3(sent)
    } catch (error) {
      return ((error as Refusal).details['fields'] as { rule: string }[])[0]!.rule
    }
    return null
  }
  equal(rule({ from_layer: 'main_page', offer_ids: ['1'] }), 'absent_on_main_page')
  equal(rule({ from_layer: 'main_page', offer_ids: [] }), 'absent_on_main_page')
  equal(rule({ from_layer: 'offer_page', offer_ids: ['1', '2'] }), 'max_items')
  deepEqual(at3({ from_layer: 'offer_page', offer_ids: ['1', '1'] }).offers, ['1'])
  deepEqual(at3({ from_layer: 'cart_page', offer_ids: ['1', '2', '1'] }).offers, ['1', '2'])
  equal(at3({ from_layer: 'offer_page' }).layer, 'main_page')
  equal(at3({ from_layer: 'cart_page', offer_ids: [] }).layer, 'main_page')
  throws(() => at3({ from_layer: 'main_page', offer_ids: ['1'] }), Refusal)
})

test('the most reliable id identifies the buyer', () => {
  const v1 = { user_id: '5', auth_id: 7, mobi_user_id: 'm', phone: '+998' }
  deepEqual(parsed('/offers/recommended', v1).identifiers, ['5', '7', 'm', '+998'])
  deepEqual(parsed('/web/client/offers/recommended-v3', { from_layer: 'main_page' }).identifiers, [])
  const mini = { user_id: 'u', mini_app_user_id: 'm', from_layer: 'main_page' }
  deepEqual(parsed('/web/client/miniapp/offers/recommended/v3/', mini).identifiers, ['m', 'u'])
  const own = { ...call, principal: { actor: { kind: 'client', clientId: 42 } } } as unknown as RequestContext
  deepEqual(
    parseRequest(channelAt('/web/client/miniapp/offers/recommended/v3/'), mini, own, settings).identifiers,
    ['42'],
  )
})

test('the deepest category in the request is used', () => {
  const at6 = (sent: RequestBody) => parsed('/mobile/recommended-offers/categories-page', sent).categoryId
  equal(at6({ category_id: 1, sub_category_id: 2, third_category_id: 3 }), 3)
  equal(at6({ category_id: 1, sub_category_id: 2 }), 2)
  equal(at6({ category_id: 1 }), 1)
  equal(at6({}), null)
})

test('every call finds the buyer by each identifier that it declares', () => {
  const sent = {
    user_id: '3f8e0d8a-0f1c-4b56-8a1b-6b1d7f0c2a11',
    mobi_user_id: 'm-17',
    phone: '90 123-45-67',
    from_layer: 'main_page',
    from_app: 'WebAndMobile',
  }
  for (const channel of channels) {
    const { properties } = bodyOf(channel, settings) as unknown as { properties: object }
    const { identifiers } = parseRequest(channel, sent, call, settings)
    for (const [field, identifier] of [
      ['user_id', sent.user_id],
      ['mobi_user_id', 'm-17'],
      ['phone', '+998901234567'],
    ] as const)
      equal(identifiers.includes(identifier), field in properties, `${channel.path} ${field}`)
  }
})

test('place, device and application of a call reach the request', () => {
  const body = { device_os: 'iOS', device_brand: 'Apple', from_app: 'WebAndMobile', region: 'Нукус' }
  const { place, platform } = parsed('/offers/recommended/v3', {
    user_id: '1',
    from_layer: 'main_page',
    ...body,
  })
  deepEqual([place, platform], ['Нукус', ['os=ios', 'brand=apple', 'app=webandmobile']])
})

test('the application of a mini-app call is always MiniApp, whatever the caller sends', () => {
  const path = '/web/client/miniapp/offers/recommended/v3/'
  const sent = { user_id: '1', from_layer: 'main_page', device_brand: 'Apple' }
  for (const body of [sent, { ...sent, from_app: 'WebAndMobile' }])
    deepEqual(parsed(path, body).platform, ['brand=apple', 'app=miniapp'])
})

test('every field of a call that names the buyer finds the buyer', () => {
  const names = ['user_id', 'auth_id', 'mobi_user_id', 'mini_app_user_id', 'phone'] as const
  for (const channel of channels)
    for (const cfBackend of ['cf', 'v2'] as const) {
      const { properties } = bodyOf(channel, { ...settings, cfBackend }) as { properties?: object }
      const listed = names.filter((it) => it in properties!)
      ok(listed.length > 0, channel.path)
      deepEqual(
        listed.filter((it) => !channel.buyer.includes(it)),
        [],
        channel.path,
      )
    }
})
