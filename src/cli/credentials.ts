// The API keys of this person for commands that call a server: one for each environment, in a file that only they read.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Config } from '../base/config.ts'
import type { Environment } from '../base/database.ts'
import { type Bozor, BozorConnectionError, BozorError, createBozor } from '../sdk/index.ts'
import { CommandError, exitOfRefusal } from './exit-codes.ts'
import { serverOrigin } from './server-address.ts'

export interface Credentials {
  /** The origin of the server. */
  url: string
  key: string
  /** Signs what `listen` forwards; the same every time, so that the receiver keeps its setting. */
  webhookSecret?: string
}

type Stored = Partial<Record<Environment, Credentials>>

export function readCredentials({ credentialsFile }: Config): Stored {
  try {
    return JSON.parse(readFileSync(credentialsFile, 'utf8')) as Stored
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {}
    throw new CommandError(`${credentialsFile} cannot be read: ${(error as Error).message}`)
  }
}

/** Replaces the credentials of one environment; undefined removes them. */
export function storeCredentials(
  config: Config,
  environment: Environment,
  credentials: Credentials | undefined,
): void {
  const { [environment]: _replaced, ...others } = readCredentials(config)
  const all: Stored = { ...others, ...(credentials && { [environment]: credentials }) }
  mkdirSync(dirname(config.credentialsFile), { recursive: true, mode: 0o700 })
  writeFileSync(config.credentialsFile, `${JSON.stringify(all, null, 2)}\n`, { mode: 0o600 })
}

/** BOZOR_KEY and BOZOR_URL if set, else what `login` stored. */
export function credentialsFor(config: Config, environment: Environment): Credentials {
  if (config.apiKey !== undefined) return { url: config.apiUrl ?? serverOrigin(config), key: config.apiKey }
  const stored = readCredentials(config)[environment]
  if (!stored)
    throw new CommandError(
      `there is no key for the ${environment} environment: run "bozor login --env ${environment}", or set BOZOR_KEY`,
      'refused',
    )
  return stored
}

export const clientOf = ({ url, key }: Credentials): Bozor =>
  createBozor({ baseUrl: url, apiKey: key, language: 'en' })

/** Errors of the server and the network as sentences for the person at the command line. */
export async function explainErrors<T>({ url }: Credentials, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof BozorConnectionError)
      throw new CommandError(
        `${url} cannot be reached (${error.message}); is the server running?`,
        'unreachable',
      )
    if (!(error instanceof BozorError)) throw error
    const { code, status, message } = error
    if (status === 401)
      throw new CommandError(`${url} does not accept the key; run "bozor login" again. ${message}`, 'refused')
    throw new CommandError(`${url} refused: ${message}`, exitOfRefusal(code))
  }
}
