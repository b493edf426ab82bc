// The record format of a promotion.

import { Type } from 'typebox'
import { instantText } from '../../http/instant.ts'
import { integer, name, nullable, slug } from '../../http/schema.ts'
import { promotionKind } from '../entities/entity-kinds.ts'
import { type RecordForm, form, givenUuid, idOf, price, recordId } from '../entities/record-forms.ts'
import type { Promotion } from './promotion.ts'

/** For more, use a category, a brand or a partner. */
const maxMembers = 1_000
const ids = Type.Array(recordId, { maxItems: maxMembers, uniqueItems: true })
const named = { shape: ids, otherwise: [] }
const asIds = (given: unknown[]): number[] => [...new Set(given.map(idOf))]

/** The pattern accepts the 31st of February; such a date is invalid. */
function instantOf(sent: string): Date {
  const at = new Date(sent)
  const isOfCalendar = !Number.isNaN(at.getTime()) && at.toISOString().slice(0, 10) === sent.slice(0, 10)
  return isOfCalendar ? at : new Date(Number.NaN)
}

const plainForm: RecordForm<Promotion> = form(
  promotionKind,
  {
    required: { slug, title: name(300, 'Осенние скидки') },
    optional: {
      uuid: { shape: givenUuid, otherwise: undefined },
      title_uz: { shape: name(300, 'Kuzgi chegirmalar'), otherwise: undefined },
      title_en: { shape: name(300, 'Autumn sale'), otherwise: undefined },
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

/** One title stands for all languages. */
export const promotionForm: RecordForm<Promotion> = {
  ...plainForm,
  entityOf: (record) =>
    plainForm.entityOf({ title_uz: record['title'], title_en: record['title'], ...record }),
}
