// How a request names its buyer, and the other things that most calls of the cart name.

import { Type } from 'typebox'
import type { Reader } from '../../base/db.ts'
import { refuse } from '../../base/refusal.ts'
import * as catalog from '../../catalog/index.ts'
import type { Circumstances } from '../../http/route.ts'
import { id, integer, text } from '../../http/schema.ts'
import { buyerOf, type Named } from '../../identity/index.ts'
import { type LineKey, maxUnitsPerLine } from '../cart.ts'
import type { Shopper, Terms } from '../shopper.ts'

export const sessionId = text({
  min: 8,
  max: 128,
  pattern: '^[\\x21-\\x7e]*$',
  description: 'Names a guest: 8 to 128 visible characters. Whoever knows it holds the cart.',
  examples: ['gs_test_4f1c9a7be03d'],
})

/** Exactly one of them, unless the credential is the client's own. */
export const buyerFields = {
  ClientId: Type.Optional(Type.Integer({ ...id, description: 'Names a client.' })),
  SessionId: Type.Optional(sessionId),
}

export const buyerQuery = Type.Object(buyerFields, { additionalProperties: false })

interface BuyerNames {
  ClientId?: number
  SessionId?: string
}

/** Whom a request names, in its query or its body. Two names that differ are one too many. */
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

/** The buyer of a call. */
export const shopperOf = (
  terms: Terms,
  { principal }: Pick<Circumstances, 'principal'>,
  ...places: BuyerNames[]
): Shopper => ({ terms, buyer: buyerOf(principal!, namedIn(...places)) })

export const quantity = integer(1, maxUnitsPerLine)

export const uuidForm = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'

/** In either case: applications write the UUIDs of offers as their own libraries do. */
const spelledUuid = uuidForm.replaceAll('a-f', 'a-fA-F')

/** A moderated offer in a path: its number or its UUID. */
export const moderatedIdText = Type.String({
  pattern: `^([1-9][0-9]{0,15}|${spelledUuid})$`,
  examples: ['50'],
})

/** The same in a body. */
export const moderatedId = Type.Unsafe<number | string>({
  type: ['integer', 'string'],
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
  pattern: `^${spelledUuid}$`,
  description: 'Its number, or its UUID.',
  examples: [50],
})

export const ordinary = (offerId: number): LineKey => ({ isModerated: false, offerId })

/** The moderated offers behind numbers and UUIDs; UUIDs that stand for nothing are left out. */
export async function moderatedKeys(read: Reader, ids: readonly (number | string)[]): Promise<LineKey[]> {
  const isUuid = (it: number | string): it is string => typeof it === 'string' && it.includes('-')
  const uuids = ids.filter(isUuid)
  const found = uuids.length > 0 ? await catalog.moderatedOffersByUuid(read, uuids) : new Map()
  return [...ids.filter((it) => !isUuid(it)).map(Number), ...found.keys()].map((offerId) => ({
    isModerated: true,
    offerId,
  }))
}

export async function moderatedKey(read: Reader, named: number | string): Promise<LineKey> {
  const [key] = await moderatedKeys(read, [named])
  if (!key) throw refuse('not_found')
  return key
}
