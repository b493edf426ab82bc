import { rateOf } from '../base/rate.ts'
import { type Scope, scopes as allScopes } from '../http/scopes.ts'
import {
  isRedirectUrl,
  type ApplicationType,
  applicationTypes,
  listApplications,
  registerApplication,
} from '../identity/index.ts'
import {
  atDesk,
  type Command,
  environmentOf,
  type Given,
  noted,
  table,
  UsageError,
  type World,
} from './command.ts'

export const appCommand: Command = {
  name: 'app',
  summary: 'register applications and list them',
  usage:
    'create --name NAME [--type web|mobile|server] [--scopes "…"] [--env live|test] | list [--env live|test]',
  help: `Registers an application and prints its client_id, client_secret and api_key, once.

  --name NAME        what it is called
  --type TYPE        web, mobile or server (default server); only server applications may act for any client
  --scopes "A B"     separated by spaces; "all" for every scope (default "catalog:read cart:read cart:write")
  --env ENV          live or test (default test)
  --redirect URL     where OAuth may lead back to; several with commas
  --rate-limit RATE  such as 100/10s, or none (default: the server's)
  --json             print JSON

Scopes: ${allScopes.join(' ')}

  npm run bozor -- app create --name Phone --type mobile --scopes "catalog:read cart:read cart:write"`,
  options: {
    name: { type: 'string' },
    type: { type: 'string' },
    scopes: { type: 'string' },
    env: { type: 'string' },
    redirect: { type: 'string' },
    'rate-limit': { type: 'string' },
    json: { type: 'boolean' },
  },
  async run(world, given) {
    const [what] = given.words
    if (what === 'create') return create(world, given)
    if (what === 'list') return listAll(world, given)
    throw new UsageError('say "app create" or "app list"')
  },
}

async function create(world: World, given: Given): Promise<number> {
  const environment = environmentOf(given)
  const record = recordOf(given)
  const made = await atDesk(world, 'app create', ({ db }) =>
    noted(db[environment], 'app create', (tx) => registerApplication(tx, record, null)),
  )
  const shown = {
    client_id: made.application.clientId,
    client_secret: made.clientSecret,
    api_key: made.apiKey,
  }
  if (given.flags['json']) world.print(JSON.stringify(shown))
  else
    world.print(
      `${table(Object.entries(shown).map(([name, value]) => [name, value ?? '(none: a mobile application keeps no secret)']))}\n\nKeep them: they are not shown again.`,
    )
  return 0
}

function recordOf({ flags }: Given) {
  const name = String(flags['name'] ?? '').trim()
  if (!name || name.length > 200) throw new UsageError('--name is needed, up to 200 characters')
  const type = String(flags['type'] ?? 'server')
  if (!applicationTypes.includes(type as ApplicationType))
    throw new UsageError('--type must be web, mobile or server')
  const rate = flags['rate-limit'] as string | undefined
  if (rate !== undefined && rateOf(rate) === undefined)
    throw new UsageError('--rate-limit must be such as 100/10s, or none')
  return {
    name,
    type: type as ApplicationType,
    scopes: scopesOf(String(flags['scopes'] ?? 'catalog:read cart:read cart:write')),
    redirectUrls: redirectsOf(flags['redirect'] as string | undefined, type as ApplicationType),
    rateLimit: rate ?? null,
  }
}

function scopesOf(text: string): Scope[] {
  if (text.trim() === 'all') return [...allScopes]
  const wanted = [...new Set(text.split(/[\s,]+/).filter(Boolean))]
  const unknown = wanted.filter((it) => !allScopes.includes(it as Scope))
  if (unknown.length > 0)
    throw new UsageError(`unknown scope ${unknown.join(', ')}; there are ${allScopes.join(', ')}`)
  if (wanted.length === 0) throw new UsageError('--scopes must name at least one scope')
  return wanted as Scope[]
}

function redirectsOf(text: string | undefined, type: ApplicationType): string[] {
  const urls = text?.split(',').map((it) => it.trim()) ?? []
  const bad = urls.find((it) => !isRedirectUrl(it, type))
  if (bad !== undefined)
    throw new UsageError(`--redirect ${bad} is no address that OAuth may lead a ${type} application back to`)
  return urls
}

async function listAll(world: World, given: Given): Promise<number> {
  const environment = environmentOf(given)
  const { rows, total } = await atDesk(world, 'app list', ({ db }) =>
    listApplications(db[environment].read(), {
      page: 1,
      perPage: 100,
      sort: 'created_at',
      cursor: undefined,
    }),
  )
  if (given.flags['json']) world.print(JSON.stringify(rows))
  else if (rows.length === 0) world.print(`No applications in ${environment}.`)
  else {
    const lines = rows.map((it) => [it.clientId, it.type, it.name, it.createdAt.toISOString().slice(0, 10)])
    world.print(table([['client_id', 'type', 'name', 'since'], ...lines]))
    if (total > rows.length) world.print(`… and ${total - rows.length} more`)
  }
  return 0
}
