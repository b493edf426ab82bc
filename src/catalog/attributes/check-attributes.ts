// Checks that need the database: the attributes of products, and changes of definitions that products use.

import type { Tx } from '../../base/database.ts'
import type { FieldFault } from '../../base/validation.ts'
import { conflict } from '../../base/conflict.ts'
import type { EntityInput, Product } from '../entities/entities.ts'
import { categoryPaths } from '../offers/store.ts'
import { type Attribute, attributeFaults, lossOf } from './attribute.ts'
import { countProductsWith, loadAttributes, lockAttributes } from './store.ts'

/** An input as it would be stored, and what is stored now. */
export interface CheckedInput<G> {
  at: number
  input: G
  before: unknown
}

export interface InputFault {
  at: number
  fault: FieldFault
  /** A later record of an import may make it right. */
  isMissingReference: boolean
}

export async function productAttributeFaults(
  tx: Tx,
  inputs: readonly CheckedInput<EntityInput<Product>>[],
): Promise<InputFault[]> {
  const used = new Set(inputs.flatMap(({ input }) => Object.keys(input.attributes)))
  if (used.size === 0) return []
  const known = new Map(await loadAttributes(tx))
  // Rows that were locked are current; the cached ones only complete the list of codes.
  for (const code of used) known.delete(code)
  for (const it of await lockAttributes(tx, [...used])) known.set(it.code, it)
  const paths = await categoryPaths(tx)
  return inputs.flatMap(({ at, input }) => {
    const path = (paths.get(input.categoryId) ?? []).map((it) => it.id)
    return attributeFaults(input.attributes, { known, path }).map(({ fault, isUnknown }) => ({
      at,
      fault,
      isMissingReference: isUnknown,
    }))
  })
}

/** A definition cannot change in a way that makes stored values invalid. */
export async function attributeChangeFaults(
  tx: Tx,
  inputs: readonly CheckedInput<EntityInput<Attribute>>[],
): Promise<InputFault[]> {
  const faults: InputFault[] = []
  for (const { at, input, before } of inputs) {
    const old = before as Attribute | undefined
    const loss = old && lossOf(old, input)
    if (!loss) continue
    const products = await countProductsWith(tx, old.code, loss.kind === 'options' ? loss.values : null)
    const path = loss.kind === 'options' ? 'options' : loss.field
    if (products > 0)
      faults.push({ at, fault: { path, rule: 'in_products', limit: products }, isMissingReference: false })
  }
  return faults
}

export async function refuseUsedAttribute(tx: Tx, { id, code }: Attribute): Promise<void> {
  const products = await countProductsWith(tx, code, null)
  if (products > 0) throw conflict('in_use', { id: String(id), used_by: 'products', count: products })
}
