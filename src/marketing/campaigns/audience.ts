// Who is meant: clients who agreed to be written to and meet every condition, a page at a time, however many there are.

import type { Reader } from '../../base/db.ts'
import { clientsWithCartsAfter, clientsWithWishlistsAfter } from '../../cart/index.ts'
import { clientsWithOrdersAfter } from '../../orders/index.ts'
import { consentingAmong, consentingAfter } from '../store/consenting.ts'
import type { CampaignRecord } from './campaign.ts'
import { type Clause, type ConditionKind, conditions, type Source } from './conditions.ts'

type Meant = Pick<CampaignRecord, 'audience' | 'channel'>

interface Demand {
  kind: ConditionKind
  fields: never
  isNegated: boolean
}

/** Every condition of an audience, in the order in which they are asked. */
export function demandsOf(audience: readonly Clause[]): Demand[] {
  const asked = audience.map(({ not, ...stated }): Demand => {
    const [kind, fields] = Object.entries(not ?? stated)[0] as [ConditionKind, never]
    return { kind, fields, isNegated: not !== undefined }
  })
  const places = Object.keys(conditions)
  return asked.toSorted((a, b) => places.indexOf(a.kind) - places.indexOf(b.kind))
}

/** Those of some clients who are meant. */
export async function meantAmong(
  read: Reader,
  { audience, channel }: Meant,
  clientIds: readonly number[],
): Promise<number[]> {
  let left = await consentingAmong(read, channel, clientIds)
  for (const { kind, fields, isNegated } of demandsOf(audience)) {
    if (left.length === 0) return []
    const found = new Set(await conditions[kind].among(read, fields, left))
    left = left.filter((it) => found.has(it) !== isNegated)
  }
  return left
}

/**
 * The next clients along the narrowest walk that leads past everybody who may be meant, in the order of their ids. Fewer
 * than the limit are the last ones.
 */
export function candidatesAfter(
  read: Reader,
  { audience, channel }: Meant,
  { after, limit }: { after: number; limit: number },
): Promise<number[]> {
  const { kind, fields } =
    demandsOf(audience).find((it) => !it.isNegated && sourceOf(it.kind) !== undefined) ?? {}
  const source = kind && sourceOf(kind)
  return source === undefined
    ? consentingAfter(read, channel, { after, limit })
    : walks[source](read, { after, limit, fields: fields! })
}

const sourceOf = (kind: ConditionKind): Source | undefined => conditions[kind].source

type Walk = (read: Reader, page: { after: number; limit: number; fields: never }) => Promise<number[]>

const walks: Record<Source, Walk> = {
  named: async (_read, { after, limit, fields }) =>
    [...new Set((fields as { ids: string[] }).ids.map(Number))]
      .filter((it) => it > after)
      .toSorted((a, b) => a - b)
      .slice(0, limit),
  carts: (read, { after, limit }) => clientsWithCartsAfter(read, after, limit),
  wishlists: (read, { after, limit }) => clientsWithWishlistsAfter(read, after, limit),
  orders: (read, { after, limit }) => clientsWithOrdersAfter(read, after, limit),
}
