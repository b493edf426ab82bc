import type { Reader } from '../base/db.ts'
import * as store from './store/wares.ts'

const numberForm = /^[1-9]\d{0,15}$/
const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** The products behind offers: digits name an ordinary one, a UUID a moderated one. What names nothing is passed over. */
export async function productsOfOffers(read: Reader, names: readonly string[]): Promise<Map<string, number>> {
  const ids = names.filter((it) => numberForm.test(it) && Number.isSafeInteger(Number(it)))
  const uuids = names.filter((it) => uuidForm.test(it))
  return ids.length + uuids.length === 0 ? new Map() : store.findProductsOfOffers(read, { ids, uuids })
}
