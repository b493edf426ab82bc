// What the storefront is given by the platform, and what its pages answer.

import type { Html } from '../../http/html.ts'

/** The storefront's own registered application of type `web`. */
export interface Credentials {
  clientId: string
  clientSecret: string
  apiKey: string
}

export interface StorefrontOptions {
  environment: 'live' | 'test'
  /** Sends requests to this platform on behalf of a visitor. */
  fetchFor(visitor: { address: string; userAgent: string }): typeof fetch
  /** Undefined until the application is registered. */
  credentials(): Promise<Credentials | undefined>
  /** Encrypts and authenticates a cookie's value. */
  seal(text: string): string
  /** Undefined if the value was not sealed here. */
  open(sealed: string): string | undefined
  timeZone: string
  /** The time of the environment, which tests may move. */
  now(): Date
}

/** What a page of the storefront answers with. */
export type Reply =
  /** `isPublic` if nothing on the page is a secret of the visitor; only such pages are compressed. */
  | { kind: 'html'; status?: number; content: Html; isPublic?: boolean }
  | { kind: 'redirect'; to: string; status?: 301 | 302 | 303 }
  | { kind: 'json'; status?: number; value: object }
  | { kind: 'text'; type: string; body: string }
