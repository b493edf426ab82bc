// The part of simple-oauth2 that the tests use; the package has no types.

declare module 'simple-oauth2' {
  interface AccessToken {
    token: Record<string, unknown>
    refresh(): Promise<AccessToken>
    revokeAll(): Promise<void>
  }

  export class AuthorizationCode {
    constructor(settings: object)
    authorizeURL(given: object): string
    getToken(given: object): Promise<AccessToken>
  }

  export class ClientCredentials {
    constructor(settings: object)
    getToken(given: object): Promise<AccessToken>
  }
}
