// The catalog's records, as the import and the export carry them; in the order in which they name each other.

import { type TSchema, Type } from 'typebox'
import type { Tx } from '../base/db.ts'
import type { RecordKind, RecordPage, Unloaded } from '../base/records.ts'
import { Refusal } from '../base/refusal.ts'
import { httpUrl, nullable, slug, text, words } from '../http/schema.ts'
import type { Category, CategoryRecord } from './category.ts'
import { changeCategory } from './change-category.ts'
import { createCategory } from './create-category.ts'
import { isForeignCurrency } from './exchange-rate.ts'
import type { Kept } from './goods.ts'
import { idOrNull, recordId, recordIdOrNull } from './records.ts'
import { promotionForm } from './promotions/promotion-form.ts'
import * as forms from './records.ts'
import { tiyin } from './routes/exchange-rates.ts'
import { saveGoods } from './save-goods.ts'
import { setExchangeRate } from './set-exchange-rate.ts'
import * as categoryStore from './store/categories.ts'
import { listRates } from './store/rates.ts'
import { pageAfter } from './store/table.ts'

const shapeOf = (needed: Record<string, TSchema>, optional: Record<string, TSchema>): TSchema =>
  Type.Object(
    {
      ...needed,
      ...Object.fromEntries(Object.entries(optional).map(([name, shape]) => [name, Type.Optional(shape)])),
    },
    { additionalProperties: false },
  )

function goods<G extends Kept>(form: forms.Form<G>, area: RecordKind['area'] = 'catalog'): RecordKind {
  const { id: ownId, ...optional } = form.optional
  return {
    name: form.kind.name,
    area,
    shape: shapeOf(
      { id: ownId!.shape, ...form.needed },
      Object.fromEntries(Object.entries(optional).map(([name, { shape }]) => [name, shape])),
    ),
    load: (tx, records) =>
      inRounds(records, async (round) => {
        const said = round.map((it) => form.goodOf(it))
        return (await saveGoods(tx, form.kind, said)).refused
      }),
    page: async (read, after, limit) =>
      pageOf(
        (await pageAfter(read, form.kind.table, { after: Number(after ?? 0), limit })).map(form.recordOf),
        limit,
      ),
  }
}

const pageOf = (records: Record<string, unknown>[], limit: number): RecordPage => ({
  records,
  last: records.length < limit ? null : String(records.at(-1)!['id']),
})

/** A record that is given twice is stored twice, one after the other: the last word counts. */
async function inRounds(
  records: readonly unknown[],
  save: (round: Record<string, unknown>[]) => Promise<Unloaded[]>,
): Promise<Unloaded[]> {
  const refused: Unloaded[] = []
  let seen = new Set<number>()
  let begin = 0
  const flush = async (end: number) => {
    const round = records.slice(begin, end) as Record<string, unknown>[]
    const found = round.length > 0 ? await save(round) : []
    refused.push(...found.map((it) => ({ ...it, at: it.at + begin })))
    begin = end
    seen = new Set()
  }
  for (const [at, record] of records.entries()) {
    const id = Number((record as { id: unknown }).id)
    if (seen.has(id)) await flush(at)
    seen.add(id)
  }
  await flush(records.length)
  return refused
}

const category: RecordKind = {
  name: 'category',
  shape: shapeOf(
    { id: recordId, slug, name: words(200) },
    {
      parent_id: recordIdOrNull,
      description: forms.noWords,
      image_url: nullable(httpUrl),
    },
  ),
  // Each stands in the tree that the ones before it made, so they go one after the other.
  load: async (tx, records) => {
    const refused: Unloaded[] = []
    for (const [at, record] of records.entries()) {
      const fault = await loadCategory(tx, categoryOf(record as Record<string, unknown>))
      if (fault) refused.push({ ...fault, at })
    }
    return refused
  },
  page: async (read, after, limit) =>
    pageOf(
      (await categoryStore.pageOfCategories(read, Number(after ?? 0), limit)).map(categoryRecord),
      limit,
    ),
}

const categoryOf = (it: Record<string, unknown>): CategoryRecord & { id: number } => ({
  id: Number(it['id']),
  parentId: idOrNull(it['parent_id'] ?? null),
  slug: it['slug'] as string,
  name: it['name'] as CategoryRecord['name'],
  description: (it['description'] ?? {}) as CategoryRecord['description'],
  imageUrl: (it['image_url'] ?? null) as string | null,
})

const categoryRecord = (it: Category): Record<string, unknown> => ({
  id: it.id,
  parent_id: it.parentId,
  slug: it.slug,
  name: it.name,
  description: it.description,
  image_url: it.imageUrl,
})

async function loadCategory(
  tx: Tx,
  record: CategoryRecord & { id: number },
): Promise<Omit<Unloaded, 'at'> | undefined> {
  try {
    await tx.attempt(async () => {
      const [standing] = await categoryStore.findCategories(tx, [record.id])
      await (standing
        ? changeCategory(tx, record.id, { changes: record, ifMatch: undefined })
        : createCategory(tx, record))
    })
    return undefined
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const { fields, field } = error.details as { fields?: Unloaded['faults']; field?: string }
    return { faults: fields ?? [{ path: field ?? 'id', rule: 'taken' }], mayComeLater: true }
  }
}

const exchangeRate: RecordKind = {
  name: 'exchange_rate',
  key: 'currency',
  area: 'admin',
  shape: shapeOf({ currency: text({ max: 3, pattern: '^[A-Z]{3}$', examples: ['USD'] }), tiyin }, {}),
  load: async (tx, records) => {
    const refused: Unloaded[] = []
    for (const [at, record] of (records as { currency: string; tiyin: number }[]).entries())
      if (isForeignCurrency(record.currency)) await setExchangeRate(tx, record)
      else refused.push({ at, faults: [{ path: 'currency', rule: 'currency' }], mayComeLater: false })
    return refused
  },
  page: async (read) => ({
    records: (await listRates(read)).map(({ currency, tiyin: costs }) => ({ currency, tiyin: costs })),
    last: null,
  }),
}

export const recordKinds: RecordKind[] = [
  category,
  goods(forms.brandForm),
  goods(forms.partnerForm),
  goods(forms.loanConditionForm),
  goods(forms.productForm),
  goods(forms.variantForm),
  goods(forms.offerForm),
  goods(forms.moderatedOfferForm),
  goods(promotionForm, 'marketing'),
  exchangeRate,
]
