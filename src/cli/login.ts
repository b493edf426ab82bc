import { hostname, userInfo } from 'node:os'
import { text as readAll } from 'node:stream/consumers'
import type { Environment, Tx } from '../base/database.ts'
import { type Scope, scopes as allScopes } from '../http/scopes.ts'
import {
  findApplicationByName,
  issueKey,
  listKeys,
  registerApplication,
  revokeKey,
} from '../identity/index.ts'
import { type Command, type CommandContext, environmentOf, UsageError } from './command.ts'
import {
  clientOf,
  type Credentials,
  explainErrors,
  readCredentials,
  storeCredentials,
} from './credentials.ts'
import { serverOrigin } from './server-address.ts'
import { audited, withStorage } from './storage.ts'

/** Test data may be changed by `trigger`; of live data the commands only read events. */
const scopesOf: Record<Environment, readonly Scope[]> = { test: allScopes, live: ['admin:read'] }

export const loginCommand: Command = {
  usage: '[--env live|test] [--url URL] [--json]',
  help: `Stores an API key for "listen", "events" and "trigger" in ~/.config/bozor/credentials.json, which only you can read.

Without --url: registers an application with its key in the shop of this DATA_DIR, for its own server. When it is
registered already, its keys are replaced.
With --url: reads an API key with the scope admin:read from stdin and checks it with that server.

  --env ENV  live or test (default test; with --url the key decides)
  --url URL  the origin of a server, such as https://shop.example
  --json     print JSON

  npm run bozor -- login
  npm run bozor -- login --url https://shop.example < key.txt

BOZOR_KEY and BOZOR_URL take the place of the file, for machines without a person.`,
  options: { env: { type: 'string' }, url: { type: 'string' }, json: { type: 'boolean' } },
  async run(context, args) {
    const given = args.flags['url'] as string | undefined
    const { environment, ...credentials } =
      given === undefined ? await register(context, environmentOf(args)) : await check(context, given)
    const { webhookSecret } = readCredentials(context.config)[environment] ?? {}
    storeCredentials(context.config, environment, { ...credentials, ...(webhookSecret && { webhookSecret }) })
    const { url } = credentials
    const file = context.config.credentialsFile
    context.print(
      args.flags['json']
        ? JSON.stringify({ environment, url, file })
        : `Signed in to the ${environment} environment of ${url}. The key is in ${file}.`,
    )
    return 0
  },
}

export const logoutCommand: Command = {
  usage: '[--env live|test] [--json]',
  help: `Removes the stored key of an environment from this machine. The key stays valid: "key revoke" revokes it.

  --env ENV  live or test (default test)
  --json     print JSON`,
  options: { env: { type: 'string' }, json: { type: 'boolean' } },
  run: async (context, args) => {
    const environment = environmentOf(args)
    const wasStored = readCredentials(context.config)[environment] !== undefined
    if (wasStored) storeCredentials(context.config, environment, undefined)
    const text = wasStored ? `Removed the key of ${environment}.` : `There is no key of ${environment}.`
    context.print(args.flags['json'] ? JSON.stringify({ environment, removed: wasStored }) : text)
    return 0
  },
}

type SignedIn = Credentials & { environment: Environment }

async function register(context: CommandContext, environment: Environment): Promise<SignedIn> {
  const record = {
    name: `Command line of ${userInfo().username} on ${hostname()}`.slice(0, 200),
    type: 'server' as const,
    scopes: [...scopesOf[environment]],
    redirectUrls: [],
    rateLimit: null,
  }
  const { apiKey } = await withStorage(context, 'login', ({ db }) =>
    audited(db[environment], 'login', async (tx) => {
      const known = await findApplicationByName(tx, record.name)
      return known ? replaceKeys(tx, known.applicationId) : registerApplication(tx, record, null)
    }),
  )
  return { environment, url: serverOrigin(context.config), key: apiKey }
}

/** Keys cannot be read again, so a second sign-in replaces them. */
async function replaceKeys(tx: Tx, applicationId: string): Promise<{ apiKey: string }> {
  for (const it of await listKeys(tx, applicationId))
    if (!it.revokedAt) await revokeKey(tx, applicationId, it.id)
  const input = { name: 'login', scopes: undefined, rateLimit: null, expiresAt: null }
  return issueKey(tx, applicationId, { input, callerScopes: null })
}

async function check(context: CommandContext, given: string): Promise<SignedIn> {
  if (!URL.canParse(given) || !/^https?:$/.test(new URL(given).protocol))
    throw new UsageError('--url must be the origin of a server, such as https://shop.example')
  context.printStatus('API key, then Ctrl-D:')
  const key = (await readAll(context.input())).trim()
  const environment = /^ak_(live|test)_\w+$/.exec(key)?.[1] as Environment | undefined
  if (!environment) throw new UsageError('an API key starts with ak_test_ or ak_live_')
  const credentials = { url: new URL(given).origin, key }
  await explainErrors(credentials, async () => {
    await clientOf(credentials).events.list({ per_page: 1 })
  })
  return { environment, ...credentials }
}
