// Mandates on the wire, for their own routes and for those of staff.

import { Type } from 'typebox'
import type { Tx } from '../../base/database.ts'
import { asMoney, uzs } from '../../base/money.ts'
import { publish } from '../../base/outbox.ts'
import { timedUuid } from '../../base/random.ts'
import { refuse } from '../../base/refusal.ts'
import type { FieldFault } from '../../base/validation.ts'
import { exists } from '../../catalog/index.ts'
import { instantOf, instantText } from '../../http/instant.ts'
import {
  idInput,
  idText,
  instant,
  integer,
  list,
  name,
  named,
  nullable,
  oneOf,
  text,
  uuid,
} from '../../http/schema.ts'
import { findApplication } from '../../identity/index.ts'
import { money } from '../view.ts'
import {
  leftTiyin,
  type Mandate,
  mandateStatuses,
  maxActive,
  maxCategories,
  maxLifetimeMs,
  statusAt,
} from './mandate.ts'
import { insertMandate } from './store.ts'

/** The mandate that an order names. */
export const mandateId = {
  ...uuid,
  description:
    'The mandate under which an application orders for a client. Required once the client has granted one to the application.',
} as typeof uuid

export const mandateReply = named(
  'Mandate',
  Type.Object({
    id: uuid,
    customer_id: idText,
    application_id: Type.String({ description: 'The application that may order.' }),
    name: nullable(Type.String()),
    status: oneOf(mandateStatuses),
    budget: money,
    spent: money,
    left: money,
    category_ids: Type.Array(idText, {
      description: 'Products of these categories and of all below them; empty allows every category.',
    }),
    needs_confirmation: Type.Boolean({ description: 'The client confirms each order.' }),
    created_at: instant,
    expires_at: instant,
    revoked_at: nullable(instant),
  }),
)

export const mandateView = (it: Mandate, now: Date) => ({
  id: it.id,
  customer_id: String(it.clientId),
  application_id: it.applicationId,
  name: it.name,
  status: statusAt(it, now),
  budget: asMoney(it.budgetTiyin),
  spent: asMoney(it.spentTiyin),
  left: asMoney(leftTiyin(it)),
  category_ids: it.categoryIds.map(String),
  needs_confirmation: it.needsConfirmation,
  created_at: it.createdAt.toISOString(),
  expires_at: it.expiresAt.toISOString(),
  revoked_at: it.revokedAt?.toISOString() ?? null,
})

/** An amount in a body. Orders are charged in sums. */
export const amountIn = (description: string) =>
  Type.Object(
    {
      amount: integer(1, Number.MAX_SAFE_INTEGER, { description: 'In tiyin.' }),
      currency: oneOf([uzs.code]),
    },
    { additionalProperties: false, description, examples: [{ amount: 150_000_000, currency: uzs.code }] },
  )

export const mandateFields = {
  application_id: text({
    max: 100,
    description: 'The application that may order: its `client_id`.',
    examples: ['app_test_4f1c9a7be03d'],
  }),
  name: Type.Optional(nullable(name(100, 'Groceries'))),
  budget: amountIn('The most that all orders may cost together, with delivery.'),
  category_ids: Type.Optional(
    Type.Array(idInput, {
      maxItems: maxCategories,
      uniqueItems: true,
      description: 'Products of these categories and of all below them; all categories when left out.',
    }),
  ),
  expires_at: instantText,
  needs_confirmation: Type.Optional(
    Type.Boolean({ description: 'The client confirms each order; true when left out.' }),
  ),
}

interface SentMandate {
  application_id: string
  name?: string | null
  budget: { amount: number }
  category_ids?: (number | string)[]
  expires_at: string
  needs_confirmation?: boolean
}

/** Grants a mandate. */
export async function grantMandate(tx: Tx, clientId: number, sent: SentMandate): Promise<Mandate> {
  const categoryIds = (sent.category_ids ?? []).map(Number)
  const expiresAt = instantOf(sent.expires_at, 'expires_at')
  const fields = [
    ...(await applicationFaults(tx, sent.application_id)),
    ...(await categoryFaults(tx, categoryIds)),
    ...expiryFaults(expiresAt, tx.now),
  ]
  if (fields.length > 0) throw refuse('validation_failed', { fields })
  const mandate = await insertMandate(
    tx,
    {
      id: timedUuid(tx.now),
      clientId,
      applicationId: sent.application_id,
      name: sent.name ?? null,
      budgetTiyin: sent.budget.amount,
      categoryIds,
      needsConfirmation: sent.needs_confirmation ?? true,
      expiresAt,
    },
    maxActive,
  )
  if (!mandate) throw refuse('validation_failed', { fields: [{ path: '', rule: 'too_many' }] })
  publish(tx, {
    type: 'MandateGranted',
    mandateId: mandate.id,
    clientId,
    applicationId: mandate.applicationId,
    expiresAt: expiresAt.toISOString(),
  })
  return mandate
}

const applicationFaults = async (tx: Tx, applicationId: string): Promise<FieldFault[]> =>
  (await findApplication(tx, applicationId))
    ? []
    : [{ path: 'application_id', rule: 'exists', limit: applicationId }]

async function categoryFaults(tx: Tx, ids: readonly number[]): Promise<FieldFault[]> {
  const known = await Promise.all(ids.map((it) => exists(tx, 'category', it)))
  return ids.flatMap((it, at) =>
    known[at] ? [] : [{ path: `category_ids.${at}`, rule: 'exists', limit: String(it) }],
  )
}

function expiryFaults(expiresAt: Date, now: Date): FieldFault[] {
  const path = 'expires_at'
  const latest = new Date(now.getTime() + maxLifetimeMs)
  if (expiresAt <= now) return [{ path, rule: 'future', limit: now.toISOString() }]
  return expiresAt > latest ? [{ path, rule: 'past', limit: latest.toISOString() }] : []
}

export const mandateNotFound = (id: string) => refuse('not_found', { resource: 'mandate', id })

export const mandatesReply = { mandates: list(mandateReply, 100) }
