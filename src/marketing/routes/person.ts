import { refuse } from '../../base/refusal.ts'

/** Whom a body names: a client or an address, and not both. */
export function personOf(
  body: { client_id?: number | string; address?: string },
  path = '',
): { clientId: number } | { address: string } {
  const { client_id: clientId, address } = body
  if (clientId !== undefined && address === undefined) return { clientId: Number(clientId) }
  if (address !== undefined && clientId === undefined) return { address }
  throw refuse('validation_failed', {
    fields: [{ path: `${path}client_id`, rule: 'one_of', limit: ['client_id', 'address'] }],
  })
}
