// The catalog's records for import and export; referenced kinds first.

import { type TSchema, Type } from 'typebox'
import type { Tx } from '../../base/database.ts'
import type { RecordKind, RecordPage, RejectedRecord } from '../../base/records/record-kind.ts'
import { Refusal } from '../../base/refusal.ts'
import { httpUrl, integer, nullable, slug, text, localizedText } from '../../http/schema.ts'
import type { Category, CategoryRecord } from '../categories/category.ts'
import { changeCategory, createCategory } from '../categories/edit-categories.ts'
import { isForeignCurrency, setExchangeRate } from '../exchange-rates/exchange-rates.ts'
import type { Entity, EntityInput, Offer } from './entities.ts'
import { idOrNull, recordId, recordIdOrNull } from './record-forms.ts'
import { attributeForm } from '../attributes/record-form.ts'
import { deliveryMethodForm } from '../delivery/record-form.ts'
import { searchSynonymRecords } from '../search-synonyms/records.ts'
import { promotionForm } from '../promotions/record-form.ts'
import * as forms from './record-forms.ts'
import { tiyin } from '../exchange-rates/routes.ts'
import { saveEntities } from './save-entities.ts'
import * as categoryStore from '../categories/store.ts'
import { listRates } from '../exchange-rates/store.ts'
import { lockMany, pageAfter } from './store.ts'
import { maxUnits } from '../stock/stock.ts'

const shapeOf = (needed: Record<string, TSchema>, optional: Record<string, TSchema>): TSchema =>
  Type.Object(
    {
      ...needed,
      ...Object.fromEntries(Object.entries(optional).map(([name, shape]) => [name, Type.Optional(shape)])),
    },
    { additionalProperties: false },
  )

function recordKindOf<G extends Entity>(
  form: forms.RecordForm<G>,
  area: RecordKind['area'] = 'catalog',
): RecordKind {
  const { id: ownId, ...optional } = form.optional
  return {
    name: form.kind.name,
    area,
    shape: shapeOf(
      { id: ownId!.shape, ...form.required },
      Object.fromEntries(Object.entries(optional).map(([name, { shape }]) => [name, shape])),
    ),
    load: (tx, records, counts = { unchanged: 0 }) =>
      saveInRounds(records, async (round) => {
        const input = round.map((it) => form.entityOf(it))
        const { refused, unchanged } = await saveEntities(tx, form.kind, input)
        counts.unchanged += unchanged
        return refused
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

/** A record that occurs twice is saved twice, so that the last one counts. */
async function saveInRounds(
  records: readonly unknown[],
  save: (round: Record<string, unknown>[]) => Promise<RejectedRecord[]>,
): Promise<RejectedRecord[]> {
  const refused: RejectedRecord[] = []
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
    { id: recordId, slug, name: localizedText(200) },
    {
      parent_id: recordIdOrNull,
      description: forms.optionalTexts,
      image_url: nullable(httpUrl),
    },
  ),
  // Each category depends on the tree that the previous ones made, so they are saved one by one.
  load: async (tx, records, counts = { unchanged: 0 }) => {
    const refused: RejectedRecord[] = []
    for (const [at, record] of records.entries()) {
      const loaded = await loadCategory(tx, categoryOf(record as Record<string, unknown>))
      if (loaded === 'unchanged') counts.unchanged++
      else if (loaded !== 'stored') refused.push({ ...loaded, at })
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
): Promise<Omit<RejectedRecord, 'at'> | 'stored' | 'unchanged'> {
  try {
    return await tx.attempt(async () => {
      const [standing] = await categoryStore.findCategories(tx, [record.id])
      const saved = standing
        ? await changeCategory(tx, record.id, { changes: record, ifMatch: undefined })
        : await createCategory(tx, record)
      return saved.version === standing?.version ? 'unchanged' : 'stored'
    })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const { fields, field } = error.details as { fields?: RejectedRecord['faults']; field?: string }
    return { faults: fields ?? [{ path: field ?? 'id', rule: 'taken' }], isMissingReference: true }
  }
}

/** The stock of ordinary offers alone. Exports have it in the offers. */
const stock: RecordKind = {
  name: 'stock',
  shape: shapeOf({ id: recordId, quantity: integer(0, maxUnits) }, {}),
  load: (tx, records, counts = { unchanged: 0 }) =>
    saveInRounds(records, async (round) => {
      const ids = round.map((it) => Number(it['id']))
      const known = new Set((await lockMany(tx, forms.offerForm.kind.table, ids)).map((it) => it.id))
      const given = round.flatMap((it, at) => (known.has(ids[at]!) ? [{ at, it }] : []))
      const { refused, unchanged } = await saveEntities(
        tx,
        forms.offerForm.kind,
        given.map(({ it }) => ({ id: Number(it['id']), quantity: it['quantity'] }) as EntityInput<Offer>),
      )
      counts.unchanged += unchanged
      const missing = ids.flatMap((id, at) =>
        known.has(id)
          ? []
          : [{ at, faults: [{ path: 'id', rule: 'exists', limit: id }], isMissingReference: true }],
      )
      return [...missing, ...refused.map((it) => ({ ...it, at: given[it.at]!.at }))]
    }),
  page: async () => ({ records: [], last: null }),
}

const exchangeRate: RecordKind = {
  name: 'exchange_rate',
  key: 'currency',
  area: 'admin',
  shape: shapeOf({ currency: text({ max: 3, pattern: '^[A-Z]{3}$', examples: ['USD'] }), tiyin }, {}),
  load: async (tx, records, counts = { unchanged: 0 }) => {
    const refused: RejectedRecord[] = []
    for (const [at, record] of (records as { currency: string; tiyin: number }[]).entries())
      if (isForeignCurrency(record.currency)) {
        const { isChanged } = await setExchangeRate(tx, record)
        if (!isChanged) counts.unchanged++
      } else refused.push({ at, faults: [{ path: 'currency', rule: 'currency' }], isMissingReference: false })
    return refused
  },
  page: async (read) => ({
    records: (await listRates(read)).map(({ currency, tiyin: costs }) => ({ currency, tiyin: costs })),
    last: null,
  }),
}

export const recordKinds: RecordKind[] = [
  category,
  recordKindOf(forms.brandForm),
  recordKindOf(forms.partnerForm),
  recordKindOf(forms.loanConditionForm),
  recordKindOf(deliveryMethodForm),
  recordKindOf(attributeForm),
  recordKindOf(forms.productForm),
  recordKindOf(forms.variantForm),
  { ...recordKindOf(forms.offerForm), isOpen: (it) => it.is_visible === true },
  stock,
  { ...recordKindOf(forms.moderatedOfferForm), exportArea: 'admin' },
  recordKindOf(promotionForm, 'marketing'),
  exchangeRate,
  searchSynonymRecords,
]
