import type { Reader } from '../../base/db.ts'
import { contactsOfClients } from '../../identity/index.ts'
import { clientsWithDevices } from '../store/devices.ts'
import type { Channel } from '../templates/template.ts'

/** Those of some clients who can be written to over a channel at all. */
export async function reachableAmong(
  read: Reader,
  channel: Channel,
  clientIds: readonly number[],
): Promise<Set<number>> {
  if (channel === 'push') return clientsWithDevices(read, clientIds)
  const contacts = await contactsOfClients(read, clientIds)
  return new Set(contacts.filter((it) => contactAddress(it, channel) !== null).map((it) => it.id))
}

/** Where a client is written to; of push messages null, for they go to his devices. */
export const contactAddress = (
  contact: { phone: string | null; email: string | null } | undefined,
  channel: Channel,
): string | null => (channel === 'email' ? contact?.email : channel === 'sms' ? contact?.phone : null) ?? null
