// Request fields that most cart routes share: buyer, offer, quantity.

import { type TSchema, Type } from 'typebox'
import type { Reader } from '../../base/database.ts'
import { refuse } from '../../base/refusal.ts'
import * as catalog from '../../catalog/index.ts'
import type { RequestContext } from '../../http/route.ts'
import { id, idText, integer, list, text } from '../../http/schema.ts'
import { type BuyerFields, buyerOf, type Named } from '../../identity/index.ts'
import { type LineKey, maxUnitsPerLine } from './cart.ts'
import type { Shopper, CartSettings } from './shopper.ts'

export const sessionId = text({
  min: 8,
  max: 128,
  pattern: '^[\\x21-\\x7e]*$',
  description:
    'Identifies a guest: 8 to 128 visible characters. It is a secret: it gives access to the cart.',
  examples: ['gs_test_4f1c9a7be03d'],
})

/** Exactly one of them is required, unless the credential belongs to the client. */
export const buyerFields = {
  ClientId: Type.Optional(Type.Integer({ ...id, description: 'Identifies a client.' })),
  SessionId: Type.Optional(sessionId),
}

export const buyerQuery = Type.Object(buyerFields, { additionalProperties: false })

export interface BuyerNames {
  ClientId?: number
  SessionId?: string
}

/** The buyer named in the query or the body. Different values in both are refused. */
export function namedIn(...places: BuyerNames[]): Named {
  const one = <T>(values: (T | undefined)[]): T | undefined => {
    const given = [...new Set(values.filter((it) => it !== undefined))]
    if (given.length > 1) throw refuse('buyer_required', { accepted: ['ClientId', 'SessionId'] })
    return given[0]
  }
  return {
    clientId: one(places.map((it) => it.ClientId)),
    sessionId: one(places.map((it) => it.SessionId)),
  }
}

/** The buyer of a request. */
export const shopperOf = (
  settings: CartSettings,
  { principal }: Pick<RequestContext, 'principal'>,
  ...places: BuyerNames[]
): Shopper => shopperFor(settings, { principal }, { named: namedIn(...places) })

/** The same for a buyer who is named already. */
export const shopperFor = (
  settings: CartSettings,
  { principal }: Pick<RequestContext, 'principal'>,
  { named, fields }: { named: Named; fields?: BuyerFields },
): Shopper => ({
  settings,
  buyer: buyerOf(principal!, named, fields),
  applicationId: principal!.application?.id ?? null,
})

export const quantity = integer(1, maxUnitsPerLine)

/** Upper or lower case: client libraries format UUIDs differently. */
export const uuidInAnyCase = '[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}'

/** A moderated offer in a path: its numeric id or its UUID. */
export const moderatedIdText = Type.String({
  pattern: `^([1-9][0-9]{0,15}|${uuidInAnyCase})$`,
  examples: ['50'],
})

export const maxIds = 1_000
const idsInQuery = (shape: TSchema) => Type.Optional(Type.Unsafe<string[]>(list(shape, maxIds)))

/** Lines in a query, separated by commas. */
export const offerIdsInQuery = idsInQuery(idText)
export const moderatedIdsInQuery = idsInQuery(moderatedIdText)

/** The same in a body. */
export const moderatedId = Type.Unsafe<number | string>({
  type: ['integer', 'string'],
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
  pattern: `^${uuidInAnyCase}$`,
  description: 'Numeric id or UUID.',
  examples: [50],
})

export const ordinary = (offerId: number): LineKey => ({ isModerated: false, offerId })

/** Resolves numeric ids and UUIDs of moderated offers, each at its place; an unknown UUID is undefined. */
export async function moderatedKeysOf(
  read: Reader,
  ids: readonly (number | string)[],
): Promise<(LineKey | undefined)[]> {
  const isUuid = (it: number | string): it is string => typeof it === 'string' && it.includes('-')
  const uuids = ids.filter(isUuid)
  const found = uuids.length > 0 ? await catalog.findModeratedOffersByUuid(read, uuids) : new Map()
  const byUuid = new Map([...found].map(([offerId, { moderation }]) => [moderation?.uuid, offerId]))
  return ids.map((it) => {
    const offerId = isUuid(it) ? byUuid.get(it.toLowerCase()) : Number(it)
    return offerId === undefined ? undefined : { isModerated: true, offerId }
  })
}

/** The same without unknown UUIDs. */
export const moderatedKeys = async (read: Reader, ids: readonly (number | string)[]): Promise<LineKey[]> =>
  (await moderatedKeysOf(read, ids)).filter((it) => it !== undefined)

export async function moderatedKey(read: Reader, named: number | string): Promise<LineKey> {
  const [key] = await moderatedKeys(read, [named])
  if (!key) throw refuse('not_found', { resource: 'moderated_offer', id: String(named) })
  return key
}

/** Exactly one of them is required. */
export const offerFields = { OfferId: Type.Optional(id), ModeratedOfferId: Type.Optional(moderatedId) }

export interface OfferNames {
  OfferId?: number
  ModeratedOfferId?: number | string
}

/** The offer that a request names. Naming none or two is refused. */
export async function offerNamed(read: Reader, given: OfferNames, at = ''): Promise<LineKey> {
  const { OfferId, ModeratedOfferId } = given
  if ((OfferId === undefined) === (ModeratedOfferId === undefined))
    throw refuse('validation_failed', {
      fields: [{ path: `${at}OfferId`, rule: 'one_of', limit: Object.keys(offerFields) }],
    })
  return OfferId === undefined ? moderatedKey(read, ModeratedOfferId!) : ordinary(OfferId)
}

/** A line key as wire fields. */
export const wireName = ({ isModerated, offerId }: LineKey) =>
  isModerated ? { ModeratedOfferId: offerId } : { OfferId: offerId }
