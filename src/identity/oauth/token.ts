// What the things look like that OAuth gives out. The mark in each tells its environment before anybody asks the database.

import type { Environment } from '../../base/db.ts'
import { secretText } from '../../base/random.ts'

export type TokenKind = 'code' | 'access' | 'refresh'

const prefixes: Record<TokenKind, string> = { code: 'ac', access: 'at', refresh: 'rt' }
/** 256 bits and a little more. */
const randomLength = 43
const tokenForm = /^(ac|at|rt)_(live|test)_[0-9A-Za-z]{43}$/
const clientIdForm = /^app_(live|test)_[0-9A-Za-z]{20}$/

// oxfmt-ignore
export const lifetimeSeconds = { code: 60, access: 3_600, refresh: 14 * 86_400, interaction: 3_600 } as const

export const newToken = (kind: TokenKind, environment: Environment): string =>
  `${prefixes[kind]}_${environment}_${secretText(randomLength)}`

/** The environment of a token of this kind that we may have made; undefined for any other text. */
export function environmentOfToken(text: string, kind: TokenKind): Environment | undefined {
  const [, prefix, environment] = tokenForm.exec(text) ?? []
  return prefix === prefixes[kind] ? (environment as Environment) : undefined
}

/** The environment of a token of any kind. */
export const environmentOfAnyToken = (text: string): Environment | undefined =>
  tokenForm.exec(text)?.[2] as Environment | undefined

export const environmentOfClientId = (text: string): Environment | undefined =>
  clientIdForm.exec(text)?.[1] as Environment | undefined
