// Promotions that are planned, begin, end, and are ended. They meet orders one after the other: what is sold in the very
// instant in which one begins may cost either.

import { endPromotion } from '../../../src/catalog/promotions/end-promotion.ts'
import { recordKinds } from '../../../src/catalog/index.ts'
import { moderatedIds, offerIds, type World } from '../world.ts'
import type { Deed } from './deed.ts'

const instant = (ms: number): string => new Date(ms).toISOString()

export const promote: Deed = async (world) => {
  const { chance, promised } = world
  const id = promised.promotions + 1
  const starts = world.now() + chance.pick([0, 0, 60_000, 3_600_000])
  const record = {
    id,
    slug: `promotion-${id}`,
    title: `Акция ${id}`,
    starts_at: instant(starts),
    ends_at: chance.percent(70) ? instant(starts + chance.pick([60_000, 3_600_000, 86_400_000])) : null,
    ...aboutSome(world),
    ...(chance.percent(70) ? { discount_percent: 1 + chance.below(99) } : { price_tiyin: 900_001 }),
  }
  const kind = recordKinds.find((it) => it.name === 'promotion')!
  const refused = await world.risky(world.fate(), (tx) => kind.load(tx, [record]))
  if (refused?.length === 0) promised.promotions = id
}

const aboutSome = ({ chance }: World) =>
  chance.pick([
    {
      offer_ids: [chance.pick(offerIds), chance.pick(offerIds)].filter(
        (it, at, all) => all.indexOf(it) === at,
      ),
    },
    { moderated_offer_ids: [chance.pick(moderatedIds)] },
    { partner_ids: [1 + chance.below(2)] },
    { category_ids: [1] },
  ])

export const endEarly: Deed = async (world) => {
  const { chance, promised } = world
  if (promised.promotions === 0) return
  const id = 1 + chance.below(promised.promotions)
  await world.risky(world.fate(), (tx) => endPromotion(tx, { id, ifMatch: undefined }))
}
