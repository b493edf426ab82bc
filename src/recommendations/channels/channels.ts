// The channels as a table: two of them differ here and nowhere else (SPEC-1 4.2).

import type { TSchema } from 'typebox'
import type { Group, Source } from '../ask.ts'
import * as bodies from './bodies.ts'
import * as shapes from './offer-shapes.ts'
import type { OfferShape } from './offer-shapes.ts'
import * as wrappers from './wrappers.ts'
import type { Wrapper } from './wrappers.ts'

export interface Settings {
  /** R5's backend: the collaborative one, or that of v2. */
  cfBackend: 'cf' | 'v2'
  /** R2's group when the caller names none that it knows. */
  v2DefaultGroup: 'cf' | 'prod'
  miniAppIdV1: string
  miniAppIdV2: string
  /** When the deprecated call ends, if that is known. */
  r3Sunset: Date | undefined
  requireKey: boolean
  /** Of the lists outside experiments, so many are written down: from 0 to 1. */
  logShare: number
  /** The shop's zone. */
  timezone: string
}

/** What the caller's `test_group_value` means, and whether it is a choice that experiments must respect. */
export type GroupRule = (
  sent: string | null | undefined,
  settings: Settings,
) => { group: Group; isChosen: boolean }

const chosen = (group: Group) => ({ group, isChosen: true })
const byDefault = (group: Group) => ({ group, isChosen: false })

const oneOf =
  (...known: Group[]): GroupRule =>
  (sent) => {
    const said = known.find((it) => it === sent?.toLowerCase())
    return said ? chosen(said) : byDefault('prod')
  }
const fixed =
  (group: Group): GroupRule =>
  () =>
    group === 'cf' ? chosen(group) : byDefault(group)
const secondGroup: GroupRule = (sent, { v2DefaultGroup }) =>
  sent === 'cf' || sent === 'prod' ? chosen(sent) : byDefault(v2DefaultGroup)
const ofBackend: GroupRule = (_sent, { cfBackend, v2DefaultGroup }) =>
  cfBackend === 'cf' ? chosen('cf') : byDefault(v2DefaultGroup)
const defaultGroup: GroupRule = (_sent, { v2DefaultGroup }) => byDefault(v2DefaultGroup)

/** What a call may send; where configuration chooses who answers, it depends on that. */
type Body = TSchema | ((settings: Settings) => TSchema)

export const bodyOf = ({ body }: Channel, settings: Settings): TSchema =>
  typeof body === 'function' ? body(settings) : body

const bodyOfBackend = ({ cfBackend }: Settings): TSchema =>
  cfBackend === 'cf' ? bodies.cfBody : bodies.cfSecondBody

/** Which fields name the buyer, the surest first. */
type BuyerFields = ('user_id' | 'auth_id' | 'mobi_user_id' | 'mini_app_user_id' | 'phone')[]

export interface Channel {
  path: string
  summary: string
  status: 'in development' | 'stable' | 'deprecated'
  body: Body
  buyer: BuyerFields
  group: GroupRule
  /** What collaborative filtering calls itself there. */
  cfSource: Source
  offer: OfferShape
  wrapper: Wrapper
}

const channel = (
  path: string,
  summary: string,
  status: Channel['status'],
  ...[body, buyer, group, cfSource, offer, wrapper]: [
    Body,
    BuyerFields,
    GroupRule,
    Source,
    OfferShape,
    Wrapper,
  ]
): Channel => ({ path, summary, status, body, buyer, group, cfSource, offer, wrapper })

const u: BuyerFields = ['user_id']
const anyName: BuyerFields = ['user_id', 'auth_id', 'mobi_user_id', 'phone']
const miniApp: BuyerFields = ['mini_app_user_id', 'user_id']
const cf = 'cf'
const long = 'collaborative_filtering'
const inGroups = oneOf('prod', 'mod_offers')

// oxfmt-ignore
export const channels: Channel[] = [
  //      path                                                     summary                                        status            body                   buyer    group               cf     offer                wrapper
  channel('/offers/recommended/v3',                                'Recommend offers (general)',                  'in development', bodies.generalBody,    u,       inGroups,           long,  shapes.generalOffer,  wrappers.withoutMiniApp),
  channel('/offers/recommended/v2',                                'Recommend offers (v2)',                       'stable',         bodies.secondBody,     u,       secondGroup,        cf,    shapes.classicOffer,  wrappers.withMiniApp('miniAppIdV2')),
  channel('/offers/recommended',                                   'Recommend offers (v1)',                       'deprecated',     bodies.firstBody,      anyName, defaultGroup,       cf,    shapes.classicOffer,  wrappers.withoutSource('miniAppIdV1')),
  channel('/mobile/offers/recommended/v3',                         'Recommend offers in the mobile app',          'in development', bodies.mobileBody,     u,       inGroups,           long,  shapes.mobileOffer,   wrappers.plain),
  channel('/mobile/cf/v1/recommended',                             'Recommend offers by what others took',        'stable',         bodyOfBackend,         u,       ofBackend,          cf,    shapes.cfOffer,       wrappers.plain),
  channel('/api/gateway/web/offers/recommended-cf',                'The collaborative backend',                   'stable',         bodies.cfBody,         u,       fixed('cf'),        cf,    shapes.cfOffer,       wrappers.plain),
  channel('/api/gateway/web/offers/recommended-v2',                'The v2 backend',                              'stable',         bodies.cfSecondBody,   u,       defaultGroup,       cf,    shapes.cfOffer,       wrappers.plain),
  channel('/mobile/recommended-offers/categories-page',            'Recommend offers of a category',              'stable',         bodies.categoryBody,   u,       fixed('prod'),      cf,    shapes.categoryOffer, wrappers.bareArray),
  channel('/api/gateway/categories-page/recommendations',          'The backend of the categories page',          'stable',         bodies.categoryBody,   u,       fixed('prod'),      cf,    shapes.categoryOffer, wrappers.bareArray),
  channel('/api/gateway/catalog/recommended-offers/v3/web',        'Recommend offers on the web',                 'in development', bodies.webBody,        u,       fixed('mod_offers'), long, shapes.webOffer,      wrappers.plain),
  channel('/web/client/offers/recommended-v3',                     'Recommend offers on the web, by the client',  'in development', bodies.webBody,        u,       fixed('mod_offers'), long, shapes.webOffer,      wrappers.plain),
  channel('/web/client/miniapp/offers/recommended/v3/',            'Recommend offers in a mini-app',              'in development', bodies.miniAppBody,    miniApp, fixed('mod_offers'), long, shapes.miniAppOffer,  wrappers.plain),
]
