import type { Tx } from '../../base/db.ts'
import * as store from '../store/behaviour.ts'

/** How long after a click, or after being shown, a purchase still counts as a list's doing (ADR 0028). */
const windows: store.Windows = { clickDays: 7, shownDays: 1 }

/** Finds the lists from which purchases came that did not say so. */
export function attributePurchases(tx: Tx, deeds: readonly store.DeedKey[]): void {
  const bought = deeds.filter((it) => it.kind === 'purchase')
  if (bought.length > 0) store.attribute(tx, bought, windows)
}
