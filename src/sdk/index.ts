export { type Bozor, createBozor, type Operation } from './client.ts'
export { BozorConnectionError, BozorError, BozorTokenError } from './errors.ts'
export type {
  ConflictDetails,
  ConflictReasons,
  ErrorDetails,
  RuleCode,
  RuleFigures,
} from './error-details.ts'
export type { StreamOptions } from './event-stream.ts'
export {
  authorizationUrl,
  clientCredentials,
  exchangeCode,
  type OAuthOptions,
  refreshedTokens,
  type Tokens,
} from './oauth.ts'
export type { Page, PagedList } from './pages.ts'
export type * from './schema.ts'
export type { BozorOptions, RequestOptions, TokenSource } from './transport.ts'
export { verifyWebhook, WebhookSignatureError } from './webhooks.ts'
