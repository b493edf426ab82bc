// Formats of codes and tokens. The marker in each shows its environment without a database lookup.

import type { Environment } from '../../base/database.ts'
import { secretText } from '../../base/random.ts'

export type TokenKind = 'code' | 'access' | 'refresh'

const prefixes: Record<TokenKind, string> = { code: 'ac', access: 'at', refresh: 'rt' }
const randomLength = 43
const tokenForm = /^(ac|at|rt)_(live|test)_[0-9A-Za-z]{43}$/
const applicationIdForm = /^app_(live|test)_[0-9A-Za-z]{20}$/

// oxfmt-ignore
export const lifetimeSeconds = { code: 60, access: 3_600, refresh: 14 * 86_400, interaction: 3_600 } as const

export const newToken = (kind: TokenKind, environment: Environment): string =>
  `${prefixes[kind]}_${environment}_${secretText(randomLength)}`

/** The environment of a well-formed token of this kind; undefined for other text. */
export function environmentOfToken(text: string, kind: TokenKind): Environment | undefined {
  const [, prefix, environment] = tokenForm.exec(text) ?? []
  return prefix === prefixes[kind] ? (environment as Environment) : undefined
}

export const environmentOfAnyToken = (text: string): Environment | undefined =>
  tokenForm.exec(text)?.[2] as Environment | undefined

export const environmentOfApplicationId = (text: string): Environment | undefined =>
  applicationIdForm.exec(text)?.[1] as Environment | undefined
