// Mandates and confirmations.

import type { Reader, Tx } from '../../base/database.ts'
import { type ListPage, type ListRequest, loadPage } from '../../base/listing.ts'
import type { Confirmation, Mandate, MandateStatus } from './mandate.ts'

const columns = `id, client_id as "clientId", application_id as "applicationId", name, budget_tiyin as "budgetTiyin",
  spent_tiyin as "spentTiyin", category_ids as "categoryIds", needs_confirmation as "needsConfirmation",
  created_at as "createdAt", expires_at as "expiresAt", revoked_at as "revokedAt"`

const confirmationColumns = `id, mandate_id as "mandateId", cart_version as "cartVersion", total_tiyin as "totalTiyin",
  created_at as "createdAt", expires_at as "expiresAt", checkout_id as "checkoutId"`

/** Adds a mandate unless the client has as many active ones already as allowed. */
export const insertMandate = (
  tx: Tx,
  it: Omit<Mandate, 'spentTiyin' | 'createdAt' | 'revokedAt'>,
  max: number,
): Promise<Mandate | undefined> =>
  tx.maybe(
    `insert into orders_mandates (id, client_id, application_id, name, budget_tiyin, category_ids, needs_confirmation,
       created_at, expires_at)
     select $1, $2, $3, $4, $5, $6::int8[], $7, $8, $9
     where (select count(*) from orders_mandates where client_id = $2 and revoked_at is null and expires_at > $8) < $10
     returning ${columns}`,
    [
      it.id,
      it.clientId,
      it.applicationId,
      it.name,
      it.budgetTiyin,
      it.categoryIds,
      it.needsConfirmation,
      tx.now,
      it.expiresAt,
      max,
    ],
  )

export const findMandate = (read: Reader, id: string): Promise<Mandate | undefined> =>
  read.maybe(`select ${columns} from orders_mandates where id = $1`, [id])

/** Locks a mandate: orders under it wait for each other, and for a revocation. */
export const lockMandate = (tx: Tx, id: string): Promise<Mandate | undefined> =>
  tx.maybe(`select ${columns} from orders_mandates where id = $1 for update`, [id])

/** Whether a client ever granted a mandate to an application. */
export const hasMandate = async (read: Reader, clientId: number, applicationId: string): Promise<boolean> =>
  (await read.maybe(`select 1 from orders_mandates where client_id = $1 and application_id = $2 limit 1`, [
    clientId,
    applicationId,
  ])) !== undefined

export const revokeMandate = (tx: Tx, id: string): Promise<Mandate> =>
  tx.one(
    `update orders_mandates set revoked_at = coalesce(revoked_at, $2) where id = $1 returning ${columns}`,
    [id, tx.now],
  )

/** Counts an amount against the budget; a negative amount is released. */
export const addSpent = (tx: Tx, id: string, amountTiyin: number): void => {
  tx.later(`update orders_mandates set spent_tiyin = greatest(0, spent_tiyin + $2) where id = $1`, [
    id,
    amountTiyin,
  ])
}

/** Stores a confirmation in place of those of the mandate that were not used. */
export async function insertConfirmation(
  tx: Tx,
  it: Omit<Confirmation, 'createdAt' | 'checkoutId'>,
): Promise<Confirmation> {
  tx.later(`delete from orders_mandate_confirmations where mandate_id = $1 and checkout_id is null`, [
    it.mandateId,
  ])
  return tx.one(
    `insert into orders_mandate_confirmations (id, mandate_id, cart_version, total_tiyin, created_at, expires_at)
     values ($1, $2, $3, $4, $5, $6) returning ${confirmationColumns}`,
    [it.id, it.mandateId, it.cartVersion, it.totalTiyin, tx.now, it.expiresAt],
  )
}

/** Confirmations of a mandate that were not used; a new one replaces the others, so there are few. */
export const unusedConfirmations = (read: Reader, mandateId: string): Promise<Confirmation[]> =>
  read.all(
    `select ${confirmationColumns} from orders_mandate_confirmations where mandate_id = $1 and checkout_id is null`,
    [mandateId],
  )

export const useConfirmation = (tx: Tx, id: string, checkoutId: string): void => {
  tx.later(`update orders_mandate_confirmations set checkout_id = $2 where id = $1`, [id, checkoutId])
}

export interface MandateFilters {
  clientId?: number | undefined
  applicationId?: string | undefined
  status?: MandateStatus | undefined
}

/** As `statusAt` decides. */
const statusConditions: Record<MandateStatus, (now: string) => string> = {
  active: (now) => `revoked_at is null and expires_at > ${now}`,
  expired: (now) => `revoked_at is null and expires_at <= ${now}`,
  revoked: (now) => `revoked_at <= ${now}`,
}

export function listMandates(
  read: Reader,
  listing: ListRequest,
  { clientId, applicationId, status }: MandateFilters,
): Promise<ListPage<Mandate>> {
  const used = [
    { value: clientId, condition: (at: string) => `client_id = ${at}` },
    { value: applicationId, condition: (at: string) => `application_id = ${at}` },
    ...(status ? [{ value: read.now, condition: statusConditions[status] }] : []),
  ].filter((it) => it.value !== undefined)
  return loadPage<Mandate>(
    read,
    {
      columns,
      from: 'orders_mandates',
      where: used.map((it, at) => it.condition(`$${at + 1}`)),
      values: used.map((it) => it.value),
      sorts: { created_at: { by: 'created_at', type: 'timestamptz' } },
      key: { by: 'id::text', type: 'text' },
    },
    listing,
  )
}

/** Moves the mandates of a duplicate to the client it was merged into. */
export async function moveMandates(tx: Tx, { from, into }: { from: number; into: number }): Promise<void> {
  await tx.all(`update orders_mandates set client_id = $2 where client_id = $1`, [from, into])
}

/** Ends the mandates of an erased client and removes their names. */
export async function eraseMandates(tx: Tx, clientId: number): Promise<void> {
  await tx.all(
    `update orders_mandates set revoked_at = coalesce(revoked_at, $2), name = null where client_id = $1`,
    [clientId, tx.now],
  )
}
