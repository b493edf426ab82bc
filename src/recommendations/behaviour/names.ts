// Who is meant by a name. A client goes by his number. Anybody else goes by the hash under which carts tell of him too:
// what he calls himself may be a session that opens his cart, so it is neither kept nor told.

import { guestName } from '../../base/buyer.ts'

const clientForm = /^[1-9]\d{0,15}$/
const toldForm = /^guest-[0-9a-f]{32}$/
const uuidForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const ourSessionForm = /^gs_(live|test)_/

export const isClientName = (name: string): boolean =>
  clientForm.test(name) && Number.isSafeInteger(Number(name))

/** Our name for whoever goes by this one. It is its own name. */
export const toldName = (name: string): string =>
  isClientName(name) || toldForm.test(name) ? name : guestName(name)

/** The name as it came, where it is another than ours and opens nothing. */
export const spelledName = (name: string): string | null =>
  isClientName(name) || toldForm.test(name) || ourSessionForm.test(name) ? null : name

/**
 * Our names for somebody whom another system knows by this id. UUIDs are the same in either case. Digits alone would be
 * another client's number, so they name nobody.
 */
export function outsideNames(id: string): string[] {
  if (isClientName(id)) return []
  const spellings = uuidForm.test(id) ? [id, id.toLowerCase(), id.toUpperCase()] : [id]
  return [...new Set(spellings.map(toldName))]
}
