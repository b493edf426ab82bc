// SQL of consents with their history, and of the languages that clients have chosen.

import type { Reader, Tx } from '../../base/database.ts'
import { type ListRequest, type ListPage, loadPage } from '../../base/listing.ts'
import { timedUuid } from '../../base/random.ts'
import type { Consent, ConsentChange, ConsentInput } from './consent.ts'
import type { Channel } from '../templates/template.ts'
import type { Language } from '../../http/language.ts'

const columns = `id, holder, client_id as "clientId", channel, category, is_granted as "isGranted", source, at`

/** Ids of granted consents, by `holder channel`. */
export async function grantedConsents(
  read: Reader,
  keys: readonly { holder: string; channel: Channel }[],
): Promise<Map<string, string>> {
  if (keys.length === 0) return new Map()
  const rows = await read.all<{ id: string; holder: string; channel: Channel }>(
    `select id, holder, channel from marketing_consents
     where (holder, channel) in (select * from unnest($1::text[], $2::text[])) and category = 'marketing' and is_granted`,
    [keys.map((it) => it.holder), keys.map((it) => it.channel)],
  )
  return new Map(rows.map((it) => [`${it.holder} ${it.channel}`, it.id]))
}

export const consentsOf = (read: Reader, holder: string): Promise<Consent[]> =>
  read.all(`select ${columns} from marketing_consents where holder = $1 order by channel`, [holder])

export const findConsent = (read: Reader, id: string): Promise<Consent | undefined> =>
  read.maybe(`select ${columns} from marketing_consents where id = $1`, [id])

/** The history of a consent, newest first. */
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
  listing: ListRequest,
): Promise<ListPage<Consent>> {
  const given: [string, unknown][] = [
    ['holder', filter.holder],
    ['channel', filter.channel],
    ['is_granted', filter.isGranted],
  ]
  const used = given.filter(([, value]) => value !== undefined)
  return loadPage(
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

/** Saves a consent with a history entry, unless nothing changes; returns the changed consent. */
export async function upsertConsent(tx: Tx, it: ConsentInput): Promise<Consent | undefined> {
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

const isGranted = `channel = $2 and category = 'marketing' and is_granted`

/** Which of these clients consented to marketing over a channel. */
export const consentingAmong = async (
  read: Reader,
  channel: Channel,
  clientIds: readonly number[],
): Promise<number[]> => {
  const rows = await read.all<{ clientId: number }>(
    `select client_id as "clientId" from marketing_consents where holder = any($1::text[]) and ${isGranted}`,
    [clientIds.map((it) => `client/${it}`), channel],
  )
  const found = new Set(rows.map((it) => it.clientId))
  return clientIds.filter((it) => found.has(it))
}

/** Clients who consented to marketing over a channel, in the order of their ids. */
export const consentingAfter = async (
  read: Reader,
  channel: Channel,
  { after, limit }: { after: number; limit: number },
): Promise<number[]> =>
  (
    await read.all<{ clientId: number }>(
      `select client_id as "clientId" from marketing_consents
       where client_id > $1 and holder = 'client/' || client_id and ${isGranted} order by client_id limit $3`,
      [after, channel, limit],
    )
  ).map((it) => it.clientId)

/** The languages of clients who have chosen one. */
export async function languagesOf(
  read: Reader,
  clientIds: readonly number[],
): Promise<Map<number, Language>> {
  const rows = await read.all<{ clientId: number; language: Language }>(
    `select client_id as "clientId", language from marketing_languages where client_id = any($1::int8[])`,
    [clientIds],
  )
  return new Map(rows.map((it) => [it.clientId, it.language]))
}

export const saveLanguage = (tx: Tx, clientId: number, language: Language): void => {
  tx.later(
    `insert into marketing_languages (client_id, language) values ($1, $2)
     on conflict (client_id) do update set language = excluded.language`,
    [clientId, language],
  )
}
