import { timingSafeEqual } from 'node:crypto'
import type { Reader } from '../base/db.ts'
import { sha256 } from '../base/random.ts'
import { workingSecretHashes } from './store/secrets.ts'

/** Whether an application of this environment may prove itself with this secret now: the newest, or an older one in its overlap. */
export async function verifiesSecret(read: Reader, clientId: string, secret: string): Promise<boolean> {
  const given = sha256(secret)
  const hashes = await workingSecretHashes(read, clientId)
  // Every one is compared, so the time tells nobody which of them it was.
  return hashes.map((it) => timingSafeEqual(it, given)).includes(true)
}
