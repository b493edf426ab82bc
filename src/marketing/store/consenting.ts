// Clients who agreed to be written to of the shop's own accord.

import type { Reader } from '../../base/db.ts'
import type { Channel } from '../templates/template.ts'

const agreed = `channel = $2 and category = 'marketing' and is_granted`

/** Those of some clients who agreed to marketing over a channel. */
export const consentingAmong = async (
  read: Reader,
  channel: Channel,
  clientIds: readonly number[],
): Promise<number[]> => {
  const rows = await read.all<{ clientId: number }>(
    `select client_id as "clientId" from marketing_consents where holder = any($1::text[]) and ${agreed}`,
    [clientIds.map((it) => `client/${it}`), channel],
  )
  const found = new Set(rows.map((it) => it.clientId))
  return clientIds.filter((it) => found.has(it))
}

/** Clients who agreed to marketing over a channel, in the order of their ids. */
export const consentingAfter = async (
  read: Reader,
  channel: Channel,
  { after, limit }: { after: number; limit: number },
): Promise<number[]> =>
  (
    await read.all<{ clientId: number }>(
      `select client_id as "clientId" from marketing_consents
       where client_id > $1 and holder = 'client/' || client_id and ${agreed} order by client_id limit $3`,
      [after, channel, limit],
    )
  ).map((it) => it.clientId)
