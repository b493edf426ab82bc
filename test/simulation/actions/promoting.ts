// Promotions are planned, start, end and are ended early, also while orders are placed.

import { endPromotion } from '../../../src/catalog/promotions/edit-promotions.ts'
import { recordKinds } from '../../../src/catalog/index.ts'
import { moderatedIds, offerIds, type World } from '../world.ts'
import type { Focus, Plan } from './action.ts'

const instant = (ms: number): string => new Date(ms).toISOString()

export const promote: Plan = (world, focus) => {
  const { chance, expected } = world
  const id = ++expected.promotions
  const starts = world.now() + chance.pick([0, 0, 60_000, 3_600_000])
  const record = {
    id,
    slug: `promotion-${id}`,
    title: `Акция ${id}`,
    starts_at: instant(starts),
    ends_at: chance.percent(70) ? instant(starts + chance.pick([60_000, 3_600_000, 86_400_000])) : null,
    ...aboutSome(world, focus),
    ...(chance.percent(70) ? { discount_percent: 1 + chance.below(99) } : { price_tiyin: 900_001 }),
  }
  const kind = recordKinds.find((it) => it.name === 'promotion')!
  return async (injectFault) => {
    await world.risky(injectFault, (tx) => kind.load(tx, [record]))
    return () => {}
  }
}

const aboutSome = ({ chance }: World, focus: Focus | undefined) =>
  chance.pick([
    ...(focus
      ? [
          focus.key.isModerated
            ? { moderated_offer_ids: [focus.key.offerId] }
            : { offer_ids: [focus.key.offerId] },
        ]
      : []),
    {
      offer_ids: [chance.pick(offerIds), chance.pick(offerIds)].filter(
        (it, at, all) => all.indexOf(it) === at,
      ),
    },
    { moderated_offer_ids: [chance.pick(moderatedIds)] },
    { partner_ids: [1 + chance.below(2)] },
    { category_ids: [1] },
  ])

/** Ends a random promotion. The request is refused unless the promotion exists and runs. */
export const endEarly: Plan = (world) => {
  const id = 1 + world.chance.below(Math.max(1, world.expected.promotions))
  return async (injectFault) => {
    await world.risky(injectFault, (tx) => endPromotion(tx, { id, ifMatch: undefined }))
    return () => {}
  }
}
