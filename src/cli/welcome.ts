// The text printed after a start: addresses, credentials and commands to try.

import type { Config } from '../base/config.ts'
import type { Database, Environment } from '../base/database.ts'
import type { Storage } from '../base/storage.ts'
import { scopes } from '../http/scopes.ts'
import {
  createMember,
  findApplicationByName,
  hasMembers,
  isNeverUsed,
  issueKey,
  listKeys,
  generatePassword,
  Passwords,
  registerApplication,
  replaceFirstPassword,
  revokeKey,
} from '../identity/index.ts'
import { audited } from './storage.ts'

export interface StartKeys {
  live: string
  test: string
  /** They stay valid after a restart. */
  lasting: boolean
}

const applicationName = 'First start'
const temporaryKeyName = 'until the next start'

/**
 * Keys for the person who has just started an embedded platform on their own machine. The first start creates lasting
 * ones; since only hashes are stored, a later start creates keys that are valid until the next start. In production
 * there are none.
 */
export async function createStartKeys(
  config: Config,
  db: Record<Environment, Database>,
  storage: Storage,
): Promise<StartKeys | undefined> {
  if (config.production || !storage.embedded) return undefined
  const [live, test] = await Promise.all([createKeyFor(db.live), createKeyFor(db.test)])
  return { live: live.apiKey, test: test.apiKey, lasting: live.lasting }
}

const createKeyFor = (db: Database): Promise<{ apiKey: string; lasting: boolean }> =>
  db.transaction(async (tx) => {
    const application = await findApplicationByName(tx, applicationName)
    if (!application) {
      const record = {
        name: applicationName,
        type: 'server' as const,
        scopes: [...scopes],
        redirectUrls: [],
        rateLimit: null,
      }
      return { apiKey: (await registerApplication(tx, record, null)).apiKey, lasting: true }
    }
    for (const key of await listKeys(tx, application.applicationId))
      if (key.name === temporaryKeyName && !key.revokedAt)
        await revokeKey(tx, application.applicationId, key.id)
    const input = { name: temporaryKeyName, scopes: undefined, rateLimit: null, expiresAt: null }
    return {
      apiKey: (await issueKey(tx, application.applicationId, { input, callerScopes: null })).apiKey,
      lasting: false,
    }
  })

export interface FirstOwner {
  email: string
  password: string
}

const firstEmail = 'owner@bozor.example'

/**
 * Creates the first owner of an embedded platform. The password is printed when the server is ready, and a start may end
 * before that: until the owner signs in, each start sets and prints another one.
 */
export async function createFirstOwner(
  config: Config,
  live: Database,
  storage: Storage,
): Promise<FirstOwner | undefined> {
  if (config.production || !storage.embedded) return undefined
  const isNew = !(await hasMembers(live.read()))
  if (!isNew && !(await isNeverUsed(live.read(), firstEmail))) return undefined
  const password = generatePassword()
  const passwordHash = await new Passwords().hash(password)
  const owner = { email: firstEmail, passwordHash }
  const isSet = await audited(live, 'start', async (tx) => {
    if (!isNew) return replaceFirstPassword(tx, owner)
    await createMember(tx, { ...owner, name: 'Owner', role: 'owner' })
    return true
  })
  return isSet ? { email: firstEmail, password } : undefined
}

export function welcome(start: {
  address: string
  keys: StartKeys | undefined
  member: FirstOwner | undefined
  /** Whether there is a storefront. */
  shop: boolean
  version: string
  config: Config
  /** Where the database is, if not in the data directory. */
  databaseElsewhere?: string | undefined
}): string {
  const { keys, member, shop, version, config } = start
  const address = (config.publicUrl ?? start.address).replace('0.0.0.0', '127.0.0.1')
  return `
  Bozor ${version} is ready.

${shop ? `  Shop        ${address}/shop\n` : ''}  Dashboard   ${address}/dashboard
  API         ${address}/v1
  Reference   ${address}/docs          OpenAPI ${address}/openapi.json
  Health      ${address}/healthz  ${address}/readyz  ${address}/metrics
${start.databaseElsewhere ? elsewhereText(start.databaseElsewhere, config.dataDir) : ''}${
    keys
      ? `${member ? ownerText(member, address) : ''}${keysText(keys, address)}`
      : `
  Register an application to get a key:
    npm run bozor -- app create --name "My app" --scopes "catalog:read cart:write" --env live

  Add yourself as the first owner:
    npm run bozor -- member create --email you@shop.uz --name "Your name"
`
  }`
}

const elsewhereText = (home: string, dataDir: string) =>
  `  Database    ${home}, because its account cannot enter ${dataDir}. To delete the shop, delete both folders.\n`

/** A slug that is unused also when the example was run after an earlier start. */
const brandSlug = ({ lasting, test }: StartKeys): string =>
  lasting ? 'my-brand' : `my-brand-${test.slice(-4).toLowerCase()}`

const ownerText = ({ email, password }: FirstOwner, address: string) => `
  You, the owner (until you sign in, each start sets another password; later: npm run bozor -- member reset-password ${email}):
    e-mail    ${email}
    password  ${password}
    sign in   curl -s ${address}/v1/admin/sessions -H 'Content-Type: application/json' -d '{"email":"${email}","password":"${password}"}'
`

/** Example searches in three languages, the last one with typos. */
const searches = [
  { language: 'ru', q: 'смартфон чёрный' },
  { language: 'uz', q: 'muzlatgich' },
  { language: 'en', q: 'wireles hedphones' },
]

const keysText = (keys: StartKeys, address: string) => `
  Your keys, with every scope${keys.lasting ? ' (shown once; create others with: npm run bozor -- app create --name "My app")' : ', valid until the next start'}:
    test      ${keys.test}
    live      ${keys.live}

  Try it:
${searches.map((it) => `    curl -sG ${address}/v1/catalog/products/search --data-urlencode 'q=${it.q}' -d per_page=3 -H 'Accept-Language: ${it.language}' -H 'Authorization: Bearer ${keys.test}'`).join('\n')}
    curl -s '${address}/v1/catalog/products?sort=-price&per_page=3' -H 'Authorization: Bearer ${keys.test}'
    curl -s ${address}/v1/catalog/brands -H 'Authorization: Bearer ${keys.test}' -H 'Content-Type: application/json' -H 'Idempotency-Key: my-first-brand' -d '{"slug":"${brandSlug(keys)}","name":"My brand"}'
    curl -s ${address}/api/cart/items -H 'Authorization: Bearer ${keys.test}' -H 'Content-Type: application/json' -d '{"ClientId":17,"OfferId":1,"Quantity":1}'
    curl -s ${address}/offers/recommended/v3 -H 'Content-Type: application/json' -d '{"user_id":"17","from_layer":"main_page","from_app":"shop"}'
    curl -s ${address}/v1/test/clock -H 'Authorization: Bearer ${keys.test}' -H 'Content-Type: application/json' -d '{"advance":"P1D"}'

  Ctrl-C stops it.
`
