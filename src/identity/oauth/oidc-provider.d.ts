// The part of oidc-provider that we use. The package has no types of its own; what is not declared here is not used.

declare module 'oidc-provider' {
  import type { EventEmitter } from 'node:events'
  import type { IncomingMessage, ServerResponse } from 'node:http'

  export interface Payload {
    iat?: number
    exp?: number
    clientId?: string
    accountId?: string
    grantId?: string
    scope?: string
    consumed?: number
    [field: string]: unknown
  }

  export interface Adapter {
    upsert(id: string, payload: Payload, expiresIn: number): Promise<void>
    find(id: string): Promise<Payload | undefined>
    findByUid(uid: string): Promise<Payload | undefined>
    findByUserCode(code: string): Promise<Payload | undefined>
    consume(id: string): Promise<void>
    destroy(id: string): Promise<void>
    revokeByGrantId(grantId: string): Promise<void>
  }

  export interface Client {
    clientId: string
    scope?: string
    clientAuthMethod: string
    redirectUris: string[]
    redirectUriAllowed(requested: string): boolean
    grantTypeAllowed(type: string): boolean
    compareClientSecret(secret: string): boolean | Promise<boolean>
  }

  export interface Token {
    jti: string
    expiration: number
    scope?: string
    save(): Promise<string>
    generateTokenId(): string
  }

  export interface Grant extends Token {
    accountId: string
    clientId: string
    addOIDCScope(scope: string): void
  }

  export interface Session {
    accountId?: string
    destroyed: boolean
  }

  export interface Interaction {
    uid: string
    returnTo: string
    prompt: { name: string; reasons: string[] }
    params: Record<string, string | undefined>
    session?: { accountId?: string } | undefined
    result?: Record<string, unknown>
    lastSubmission?: Record<string, unknown>
    exp: number
    persist(): Promise<string>
  }

  interface Model<T> {
    new (fields?: object): T
    prototype: T
    find(id: string, options?: { ignoreExpiration?: boolean }): Promise<T | undefined>
  }

  export interface Context {
    req: IncomingMessage
    res: ServerResponse
    status: number
    body: unknown
    oidc: {
      provider: Provider
      client: Client
      account: { accountId: string } | undefined
      route: string
      params: Record<string, string | undefined>
      prompts: Set<string>
      result?: { consent?: { grantId?: string } }
      entities: Record<string, { jti: string } | undefined>
      entity(name: string, value: unknown): void
    }
  }

  export class Provider extends EventEmitter {
    constructor(issuer: string, configuration: object)
    /** The request in progress, readable from any code that it calls. */
    static readonly ctx: Context | undefined
    issuer: string
    proxy: boolean
    silent: boolean
    on(event: 'server_error', listener: (context: Context, error: unknown) => void): this
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>
    registerGrantType(name: string, handler: (context: Context) => Promise<void>, parameters: string[]): void
    readonly AccessToken: Model<Token>
    readonly AuthorizationCode: Model<Token>
    readonly RefreshToken: Model<Token>
    readonly ClientCredentials: Model<Token>
    readonly Grant: Model<Grant>
    readonly Interaction: Model<Interaction>
    readonly Session: Model<Session> & { get(context: Context): Promise<Session> }
    readonly Client: { prototype: Client; find(id: string): Promise<Client | undefined> }
  }

  export class OAuthError extends Error {
    constructor(description?: string, detail?: string)
  }

  export const errors: Record<
    'InvalidScope' | 'InvalidGrant' | 'InvalidRequest' | 'UnauthorizedClient',
    typeof OAuthError
  >
}
