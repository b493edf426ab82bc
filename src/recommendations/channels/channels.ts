// The recommendation channels as a table; all differences between them are here (SPEC-1 4.2).

import { type TSchema, Type } from 'typebox'
import { oneOf } from '../../http/schema.ts'
import { type Group, type Source, sources } from '../serving/request.ts'
import * as bodies from './bodies.ts'
import * as shapes from './offer-shapes.ts'
import type { OfferShape } from './offer-shapes.ts'

/** The reply around the offers: with or without `source` and `mini_app_id`, or a bare array. */
export interface Wrapper {
  shape(offer: TSchema): TSchema
  /** Fields beside the offers; null for a bare array. */
  fields(source: Source, settings: Settings): Record<string, string | null> | null
}

const source = oneOf(sources, { description: 'What ranked the list.' })
const miniAppId = Type.String({ description: 'Configured by the shop.', examples: ['bozor-mini'] })

export const plain: Wrapper = {
  shape: (offer) => Type.Object({ offers: Type.Array(offer), source }),
  fields: (from) => ({ source: from }),
}

/** General v3 has the field; it is always null. */
export const withoutMiniApp: Wrapper = {
  shape: (offer) => Type.Object({ offers: Type.Array(offer), mini_app_id: Type.Null(), source }),
  fields: (from) => ({ mini_app_id: null, source: from }),
}

export const withMiniApp = (name: 'miniAppIdV2'): Wrapper => ({
  shape: (offer) => Type.Object({ offers: Type.Array(offer), mini_app_id: miniAppId, source }),
  fields: (from, settings) => ({ mini_app_id: settings[name], source: from }),
})

export const withoutSource = (name: 'miniAppIdV1'): Wrapper => ({
  shape: (offer) => Type.Object({ offers: Type.Array(offer), mini_app_id: miniAppId }),
  fields: (_from, settings) => ({ mini_app_id: settings[name] }),
})

export const bareArray: Wrapper = {
  shape: (offer) => Type.Array(offer),
  fields: () => null,
}

export interface Settings {
  /** The backend of R5: collaborative filtering, or v2. */
  cfBackend: 'cf' | 'v2'
  /** R2's group when the caller sends none or an unknown one. */
  v2DefaultGroup: 'cf' | 'prod'
  miniAppIdV1: string
  miniAppIdV2: string
  /** When the deprecated call is switched off, if that is decided. */
  r3Sunset: Date | undefined
  requireKey: boolean
  /** The share of lists outside experiments that is logged, from 0 to 1. */
  logShare: number
  /** The shop's time zone. */
  timezone: string
}

/** Maps the caller's `test_group_value` to a group; experiments must respect a chosen one. */
export type GroupRule = (sent: string | undefined, settings: Settings) => { group: Group; isChosen: boolean }

const chosen = (group: Group) => ({ group, isChosen: true })
const byDefault = (group: Group) => ({ group, isChosen: false })

const groupAmong =
  (...known: Group[]): GroupRule =>
  (sent) => {
    const requested = known.find((it) => it === sent?.toLowerCase())
    return requested ? chosen(requested) : byDefault('prod')
  }
const fixed =
  (group: Group): GroupRule =>
  () =>
    group === 'cf' ? chosen(group) : byDefault(group)
const secondGroup: GroupRule = (sent, { v2DefaultGroup }) => {
  const requested = sent?.toLowerCase()
  return requested === 'cf' || requested === 'prod' ? chosen(requested) : byDefault(v2DefaultGroup)
}
const ofBackend: GroupRule = (_sent, { cfBackend, v2DefaultGroup }) =>
  cfBackend === 'cf' ? chosen('cf') : byDefault(v2DefaultGroup)
const defaultGroup: GroupRule = (_sent, { v2DefaultGroup }) => byDefault(v2DefaultGroup)

/** The body's schema; it depends on the settings where they choose the backend. */
type Body = TSchema | ((settings: Settings) => TSchema)

export const bodyOf = ({ body }: Channel, settings: Settings): TSchema =>
  typeof body === 'function' ? body(settings) : body

const bodyOfBackend = ({ cfBackend }: Settings): TSchema =>
  cfBackend === 'cf' ? bodies.cfBody : bodies.cfSecondBody

/** The fields that identify the buyer, the most reliable first. */
type BuyerFields = ('user_id' | 'auth_id' | 'mobi_user_id' | 'mini_app_user_id' | 'phone')[]

export interface Channel {
  path: string
  summary: string
  status: 'in development' | 'stable' | 'deprecated'
  body: Body
  buyer: BuyerFields
  group: GroupRule
  /** The value of `source` for collaborative filtering. */
  cfSource: Source
  offer: OfferShape
  wrapper: Wrapper
  /** The application that the server sets, whatever the caller sends as `from_app`. */
  fromApp?: string | undefined
}

const channel = (
  path: string,
  summary: string,
  status: Channel['status'],
  ...[body, buyer, group, cfSource, offer, wrapper, fromApp]: [
    Body,
    BuyerFields,
    GroupRule,
    Source,
    OfferShape,
    Wrapper,
    fromApp?: string,
  ]
): Channel => ({ path, summary, status, body, buyer, group, cfSource, offer, wrapper, fromApp })

const u: BuyerFields = ['user_id', 'mobi_user_id', 'phone']
const anyName: BuyerFields = ['user_id', 'auth_id', 'mobi_user_id', 'phone']
const miniApp: BuyerFields = ['mini_app_user_id', 'user_id', 'phone']
const cf = 'cf'
const long = 'collaborative_filtering'
const inGroups = groupAmong('prod', 'mod_offers')

// oxfmt-ignore
export const channels: Channel[] = [
  //      path                                                     summary                                        status            body                   buyer    group               cf     offer                wrapper
  channel('/offers/recommended/v3',                                'Recommend offers (general)',                  'in development', bodies.generalBody,    u,       inGroups,           long,  shapes.generalOffer,  withoutMiniApp),
  channel('/offers/recommended/v2',                                'Recommend offers (v2)',                       'stable',         bodies.secondBody,     u,       secondGroup,        cf,    shapes.classicOffer,  withMiniApp('miniAppIdV2')),
  channel('/offers/recommended',                                   'Recommend offers (v1)',                       'deprecated',     bodies.firstBody,      anyName, defaultGroup,       cf,    shapes.classicOffer,  withoutSource('miniAppIdV1')),
  channel('/mobile/offers/recommended/v3',                         'Recommend offers in the mobile app',          'in development', bodies.mobileBody,     u,       inGroups,           long,  shapes.mobileOffer,   plain),
  channel('/mobile/cf/v1/recommended',                             'Recommend offers by collaborative filtering',        'stable',         bodyOfBackend,         u,       ofBackend,          cf,    shapes.cfOffer,       plain),
  channel('/api/gateway/web/offers/recommended-cf',                'The collaborative backend',                   'stable',         bodies.cfBody,         u,       fixed('cf'),        cf,    shapes.cfOffer,       plain),
  channel('/api/gateway/web/offers/recommended-v2',                'The v2 backend',                              'stable',         bodies.cfSecondBody,   u,       defaultGroup,       cf,    shapes.cfOffer,       plain),
  channel('/mobile/recommended-offers/categories-page',            'Recommend offers of a category',              'stable',         bodies.categoryBody,   u,       fixed('prod'),      cf,    shapes.categoryOffer, bareArray),
  channel('/api/gateway/categories-page/recommendations',          'The backend of the categories page',          'stable',         bodies.categoryBody,   u,       fixed('prod'),      cf,    shapes.categoryOffer, bareArray),
  channel('/api/gateway/catalog/recommended-offers/v3/web',        'Recommend offers on the web',                 'in development', bodies.webBody,        u,       fixed('mod_offers'), long, shapes.webOffer,      plain),
  channel('/web/client/offers/recommended-v3',                     'Recommend offers on the web, by the client',  'in development', bodies.webBody,        u,       fixed('mod_offers'), long, shapes.webOffer,      plain),
  channel('/web/client/miniapp/offers/recommended/v3/',            'Recommend offers in a mini-app',              'in development', bodies.miniAppBody,    miniApp, fixed('mod_offers'), long, shapes.miniAppOffer,  plain, 'MiniApp'),
]
