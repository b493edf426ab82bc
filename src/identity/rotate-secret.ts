import type { Tx } from '../base/db.ts'
import { publish } from '../base/outbox.ts'
import { refuse } from '../base/refusal.ts'
import type { Scope } from '../http/scopes.ts'
import { widening } from './application.ts'
import { type ClientSecret, isSecretWorking, keepsSecret, newSecret } from './client-secret.ts'
import * as store from './store/applications.ts'
import * as secrets from './store/secrets.ts'

/** Gives an application a new secret. Older ones work until the overlap is over; then only the new one does. */
export async function rotateSecret(
  tx: Tx,
  clientId: string,
  { overlapSeconds, holder }: { overlapSeconds: number; holder: ReadonlySet<Scope> | null },
): Promise<{ secret: ClientSecret; replaced: ClientSecret[]; clientSecret: string }> {
  const application = await store.lockApplication(tx, clientId)
  if (!application) throw refuse('not_found')
  if (!keepsSecret(application.type))
    throw refuse('conflict', { reason: 'a mobile application keeps no secret' })

  const refusal = widening(application.scopes, holder)
  if (refusal) throw refusal

  const endsAt = new Date(tx.now.getTime() + overlapSeconds * 1000)
  const replaced = await secrets.endSecretsAt(tx, clientId, endsAt)
  if (replaced.filter((it) => isSecretWorking(it, tx.now)).length >= secrets.maxSecrets)
    throw refuse('conflict', { reason: 'it has as many secrets as it may', limit: secrets.maxSecrets })

  const { secret: clientSecret, ...made } = newSecret(tx.environment)
  const secret = await secrets.insertSecret(tx, { ...made, clientId })
  await publish(tx, {
    type: 'ClientSecretRotated',
    clientId,
    secretId: secret.id,
    endsAt: endsAt.toISOString(),
  })
  return { secret, replaced, clientSecret }
}
