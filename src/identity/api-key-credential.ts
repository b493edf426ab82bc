import { rateOf } from '../base/rate.ts'
import type { CredentialKind } from './credential.ts'
import { environmentOfKey } from './key.ts'
import * as store from './store/applications.ts'

/** `ak_live_…` and `ak_test_…`: an application that calls for itself. */
export const apiKeyCredential: CredentialKind = {
  carrier: 'bearer',
  environmentOf: environmentOfKey,
  find: async (read, hash) => {
    const key = await store.findKeyByHash(read, hash)
    return (
      key && {
        principal: {
          id: key.keyId,
          environment: read.environment,
          actor: { kind: 'application' },
          application: { id: key.clientId, type: key.type },
          scopes: new Set(key.scopes),
          rate: key.rateLimit === null ? undefined : rateOf(key.rateLimit),
        },
        hash: key.hash,
        standsOn: [`key/${key.keyId}`, `application/${key.clientId}`],
        revokedAt: key.revokedAt,
        expiresAt: key.expiresAt,
      }
    )
  },
  noteUse: store.noteUse,
}
