// What a shop says of a promotion: a line of an import, and the body of a write.

import { Type } from 'typebox'
import { instantText } from '../../http/instant.ts'
import { integer, name, nullable, slug } from '../../http/schema.ts'
import { promotionKind } from '../kinds.ts'
import { type Form, form, givenUuid, idOf, price, recordId } from '../records.ts'
import type { Promotion } from './promotion.ts'

/** For more, name what they have in common: a category, a brand, a partner. */
const mostNamed = 1_000
const ids = Type.Array(recordId, { maxItems: mostNamed, uniqueItems: true })
const named = { shape: ids, otherwise: [] }
const asIds = (given: unknown[]): number[] => [...new Set(given.map(idOf))]

/** The pattern lets the 31st of February pass; such a day is no instant. */
function instantOf(sent: string): Date {
  const at = new Date(sent)
  const isOfCalendar = !Number.isNaN(at.getTime()) && at.toISOString().slice(0, 10) === sent.slice(0, 10)
  return isOfCalendar ? at : new Date(Number.NaN)
}

const plainForm: Form<Promotion> = form(
  promotionKind,
  {
    needed: { slug, title: name(300, 'Осенние скидки') },
    optional: {
      uuid: { shape: givenUuid, otherwise: undefined },
      title_uz: { shape: name(300, 'Kuzgi chegirmalar'), otherwise: undefined },
      starts_at: { shape: instantText, otherwise: undefined },
      ends_at: { shape: nullable(instantText), otherwise: null },
      offer_ids: named,
      moderated_offer_ids: named,
      category_ids: named,
      brand_ids: named,
      partner_ids: named,
      discount_percent: { shape: nullable(integer(1, 99)), otherwise: null },
      price_tiyin: { shape: nullable(price), otherwise: null },
      loan_condition_ids: named,
    },
  },
  {
    fromRecord: {
      starts_at: (it: string) => ({ startsAt: instantOf(it) }),
      ends_at: (it: string | null) => ({ endsAt: it === null ? null : instantOf(it) }),
      offer_ids: (them: unknown[]) => ({ offerIds: asIds(them) }),
      moderated_offer_ids: (them: unknown[]) => ({ moderatedOfferIds: asIds(them) }),
      category_ids: (them: unknown[]) => ({ categoryIds: asIds(them) }),
      brand_ids: (them: unknown[]) => ({ brandIds: asIds(them) }),
      partner_ids: (them: unknown[]) => ({ partnerIds: asIds(them) }),
      loan_condition_ids: (them: unknown[]) => ({ loanConditionIds: asIds(them) }),
    },
    toRecord: ({ startsAt, endsAt }) => ({
      starts_at: startsAt.toISOString(),
      ends_at: endsAt?.toISOString() ?? null,
    }),
  },
)

/** A title in one language stands for both. */
export const promotionForm: Form<Promotion> = {
  ...plainForm,
  goodOf: (record) => plainForm.goodOf({ title_uz: record['title'], ...record }),
}
