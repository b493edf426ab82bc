// Who agreed to be written to, and everything that was ever said about it.

import type { Reader, Tx } from '../../base/db.ts'
import { type Listing, type Slice, sliceOf } from '../../base/listing.ts'
import { timedUuid } from '../../base/random.ts'
import type { Consent, ConsentChange } from '../consents/consent.ts'
import type { Wish } from '../consents/set-consent.ts'
import type { Channel } from '../templates/template.ts'

const columns = `id, holder, client_id as "clientId", channel, category, is_granted as "isGranted", source, at`

/** The consents of those who agreed to marketing over a channel, by `holder channel`. */
export async function grantedConsents(
  read: Reader,
  asked: readonly { holder: string; channel: Channel }[],
): Promise<Map<string, string>> {
  if (asked.length === 0) return new Map()
  const rows = await read.all<{ id: string; holder: string; channel: Channel }>(
    `select id, holder, channel from marketing_consents
     where (holder, channel) in (select * from unnest($1::text[], $2::text[])) and category = 'marketing' and is_granted`,
    [asked.map((it) => it.holder), asked.map((it) => it.channel)],
  )
  return new Map(rows.map((it) => [`${it.holder} ${it.channel}`, it.id]))
}

export const consentsOf = (read: Reader, holder: string): Promise<Consent[]> =>
  read.all(`select ${columns} from marketing_consents where holder = $1 order by channel`, [holder])

export const findConsent = (read: Reader, id: string): Promise<Consent | undefined> =>
  read.maybe(`select ${columns} from marketing_consents where id = $1`, [id])

/** All that was said about a consent, newest first. */
export const changesOf = (read: Reader, consentId: string, limit: number): Promise<ConsentChange[]> =>
  read.all(
    `select number, is_granted as "isGranted", source, at from marketing_consent_changes
     where consent_id = $1 order by number desc limit $2`,
    [consentId, limit],
  )

export const consentSorts = ['at'] as const

export function listConsents(
  read: Reader,
  filter: { holder: string | undefined; channel: Channel | undefined; isGranted: boolean | undefined },
  listing: Listing,
): Promise<Slice<Consent>> {
  const given: [string, unknown][] = [
    ['holder', filter.holder],
    ['channel', filter.channel],
    ['is_granted', filter.isGranted],
  ]
  const used = given.filter(([, value]) => value !== undefined)
  return sliceOf(
    read,
    {
      columns,
      from: 'marketing_consents',
      where: used.map(([name], at) => `${name} = $${at + 1}`),
      values: used.map(([, value]) => value),
      sorts: { at: { by: 'at', type: 'timestamptz' } },
      key: { by: 'id::text', type: 'text' },
    },
    listing,
  )
}

/** Writes a wish with its proof, unless it was known already; returns what has changed. */
export async function upsertConsent(tx: Tx, it: Wish): Promise<Consent | undefined> {
  const changed = await tx.maybe<Consent>(
    `insert into marketing_consents as consent (id, holder, client_id, channel, category, is_granted, source, at)
     values ($1, $2, $3, $4, 'marketing', $5, $6, $7)
     on conflict (holder, channel, category) do update
       set is_granted = excluded.is_granted, source = excluded.source, at = excluded.at
       where consent.is_granted <> excluded.is_granted
     returning ${columns}`,
    [timedUuid(tx.now), it.holder, it.clientId, it.channel, it.isGranted, it.source, tx.now],
  )
  if (changed)
    tx.later(
      `insert into marketing_consent_changes (consent_id, number, is_granted, source, at)
       select $1, coalesce(max(number), 0) + 1, $2, $3, $4 from marketing_consent_changes where consent_id = $1`,
      [changed.id, it.isGranted, it.source, tx.now],
    )
  return changed
}
