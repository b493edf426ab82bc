import { rateOf } from '../base/rate.ts'
import { type Scope, scopes as allScopes } from '../http/scopes.ts'
import {
  isRedirectUrl,
  type ApplicationType,
  applicationTypeOf,
  listApplications,
  registerApplication,
} from '../identity/index.ts'
import {
  type Command,
  environmentOf,
  type CommandArguments,
  table,
  UsageError,
  type CommandContext,
} from './command.ts'
import { withStorage, audited } from './storage.ts'

export const appCommand: Command = {
  usage:
    'create --name NAME [--type web|mobile|server] [--scopes "…"] [--env live|test] | list [--env live|test]',
  help: `Registers an application and prints its client_id, client_secret and api_key, once.

  --name NAME        display name
  --type TYPE        web, mobile or server (default server); only server applications may act for any client
  --scopes "A B"     separated by spaces; "all" for every scope (default "catalog:read cart:read cart:write")
  --env ENV          live or test (default test)
  --redirect URL     OAuth redirect URL; separate several with commas
  --rate-limit RATE  for example 100/10s, or none (default: the server's limit)
  --json             print JSON

Scopes: ${allScopes.join(' ')}

  npm run bozor -- app create --name Phone --type mobile --scopes "catalog:read cart:read cart:write"`,
  actions: ['create', 'list'],
  options: {
    name: { type: 'string' },
    type: { type: 'string' },
    scopes: { type: 'string' },
    env: { type: 'string' },
    redirect: { type: 'string' },
    'rate-limit': { type: 'string' },
    json: { type: 'boolean' },
  },
  async run(context, args) {
    const [action] = args.positionals
    if (action === 'create') return create(context, args)
    if (action === 'list') return listAll(context, args)
    throw new UsageError('use "app create" or "app list"')
  },
}

async function create(context: CommandContext, args: CommandArguments): Promise<number> {
  const environment = environmentOf(args)
  const record = recordOf(args)
  const registered = await withStorage(context, 'app create', ({ db }) =>
    audited(db[environment], 'app create', (tx) => registerApplication(tx, record, null)),
  )
  const credentials = {
    client_id: registered.application.applicationId,
    client_secret: registered.clientSecret,
    api_key: registered.apiKey,
  }
  if (args.flags['json']) context.print(JSON.stringify(credentials))
  else
    context.print(
      `${table(Object.entries(credentials).map(([name, value]) => [name, value ?? '(none: mobile applications have no secret)']))}\n\nStore them now: they are not shown again.`,
    )
  return 0
}

function recordOf({ flags }: CommandArguments) {
  const name = String(flags['name'] ?? '').trim()
  if (!name || name.length > 200) throw new UsageError('--name is required, up to 200 characters')
  const type = applicationTypeOf(String(flags['type'] ?? 'server'))
  if (type === undefined) throw new UsageError('--type must be web, mobile or server')
  const rate = flags['rate-limit'] as string | undefined
  if (rate !== undefined && rateOf(rate) === undefined)
    throw new UsageError('--rate-limit must look like 100/10s, or be none')
  return {
    name,
    type,
    scopes: scopesOf(String(flags['scopes'] ?? 'catalog:read cart:read cart:write')),
    redirectUrls: redirectsOf(flags['redirect'] as string | undefined, type),
    rateLimit: rate ?? null,
  }
}

function scopesOf(text: string): Scope[] {
  if (text.trim() === 'all') return [...allScopes]
  const wanted = [...new Set(text.split(/[\s,]+/).filter(Boolean))]
  const unknown = wanted.filter((it) => !allScopes.includes(it as Scope))
  if (unknown.length > 0)
    throw new UsageError(`unknown scope ${unknown.join(', ')}; known scopes: ${allScopes.join(', ')}`)
  if (wanted.length === 0) throw new UsageError('--scopes must name at least one scope')
  return wanted as Scope[]
}

function redirectsOf(text: string | undefined, type: ApplicationType): string[] {
  const urls = text?.split(',').map((it) => it.trim()) ?? []
  const bad = urls.find((it) => !isRedirectUrl(it, type))
  if (bad !== undefined)
    throw new UsageError(`--redirect ${bad} is not a valid redirect URL for a ${type} application`)
  return urls
}

async function listAll(context: CommandContext, args: CommandArguments): Promise<number> {
  const environment = environmentOf(args)
  const { rows, total } = await withStorage(context, 'app list', ({ db }) =>
    listApplications(db[environment].read(), {
      page: 1,
      perPage: 100,
      sort: 'created_at',
      cursor: undefined,
    }),
  )
  if (args.flags['json']) context.print(JSON.stringify(rows))
  else if (rows.length === 0) context.print(`No applications in ${environment}.`)
  else {
    const lines = rows.map((it) => [
      it.applicationId,
      it.type,
      it.name,
      it.createdAt.toISOString().slice(0, 10),
    ])
    context.print(table([['client_id', 'type', 'name', 'created'], ...lines]))
    if (total === null) context.print('… and more')
    else if (total > rows.length) context.print(`… and ${total - rows.length} more`)
  }
  return 0
}
