import type { Payload } from 'oidc-provider'
import type { Reader } from '../../base/db.ts'
import { findApplication } from '../store/applications.ts'
import { environmentOfClientId } from './token.ts'

/** An application as OAuth describes it (RFC 7591). Its secrets are hashes, so what stands for them here opens nothing. */
export async function findMetadata(read: Reader, clientId: string): Promise<Payload | undefined> {
  if (environmentOfClientId(clientId) !== read.environment) return undefined
  const application = await findApplication(read, clientId)
  if (!application) return undefined
  const { name, type, scopes, redirectUrls } = application
  const isPublic = type === 'mobile'
  const mayRedirect = redirectUrls.length > 0
  return {
    client_id: clientId,
    client_name: name,
    application_type: type === 'mobile' ? 'native' : 'web',
    scope: scopes.join(' '),
    redirect_uris: redirectUrls,
    response_types: mayRedirect ? ['code'] : [],
    grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
    token_endpoint_auth_method: isPublic ? 'none' : 'client_secret_basic',
    ...(!isPublic && { client_secret: 'is kept as a hash' }),
  }
}
