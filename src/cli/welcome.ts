// The first words of a started platform: where everything is, and lines that work when pasted.

import type { Config } from '../base/config.ts'
import type { Database, Environment } from '../base/db.ts'
import type { Storage } from '../base/storage.ts'
import { scopes } from '../http/scopes.ts'
import {
  createMember,
  findApplicationByName,
  hasMembers,
  issueKey,
  listKeys,
  newPassword,
  Passwords,
  registerApplication,
  revokeKey,
} from '../identity/index.ts'
import { noted } from './command.ts'

export interface NewcomersKeys {
  live: string
  test: string
  /** They stay good after a restart. */
  lasting: boolean
}

const applicationName = 'Newcomer'
const passingName = 'until the next start'

/**
 * Keys for the person who has just started an embedded platform on the own machine. The first start makes lasting
 * ones; since only hashes are kept, a later start makes keys that live until the next. In production there are none.
 */
export async function newcomersKeys(
  config: Config,
  db: Record<Environment, Database>,
  storage: Storage,
): Promise<NewcomersKeys | undefined> {
  if (config.production || !storage.embedded) return undefined
  const [live, test] = await Promise.all([keyFor(db.live), keyFor(db.test)])
  return { live: live.apiKey, test: test.apiKey, lasting: live.lasting }
}

const keyFor = (db: Database): Promise<{ apiKey: string; lasting: boolean }> =>
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
    for (const key of await listKeys(tx, application.clientId))
      if (key.name === passingName && !key.revokedAt) await revokeKey(tx, application.clientId, key.id)
    const wish = { name: passingName, scopes: undefined, rateLimit: null, expiresAt: null }
    return {
      apiKey: (await issueKey(tx, application.clientId, { wish, holder: null })).apiKey,
      lasting: false,
    }
  })

export interface NewcomersMember {
  email: string
  password: string
}

const firstEmail = 'owner@bozor.example'

/** The first owner of an embedded platform on the own machine, with a password that is shown once and then forgotten. */
export async function newcomersMember(
  config: Config,
  live: Database,
  storage: Storage,
): Promise<NewcomersMember | undefined> {
  if (config.production || !storage.embedded || (await hasMembers(live.read()))) return undefined
  const password = newPassword()
  const passwordHash = await new Passwords().hash(password)
  await noted(live, 'start', (tx) =>
    createMember(tx, { email: firstEmail, name: 'Owner', role: 'owner', passwordHash }),
  )
  return { email: firstEmail, password }
}

export function welcome(start: {
  address: string
  keys: NewcomersKeys | undefined
  member: NewcomersMember | undefined
  version: string
  config: Config
}): string {
  const { keys, member, version, config } = start
  const address = (config.publicUrl ?? start.address).replace('0.0.0.0', '127.0.0.1')
  return `
  Bozor ${version} is ready.

  API         ${address}/v1
  Reference   ${address}/docs          OpenAPI ${address}/openapi.json
  Health      ${address}/healthz  ${address}/readyz  ${address}/metrics
${
  keys
    ? `${member ? memberWords(member, address) : ''}${keyWords(keys, address)}`
    : `
  Register an application to get a key:
    npm run bozor -- app create --name "My app" --scopes "catalog:read cart:write" --env live

  Add yourself as the first owner:
    npm run bozor -- member create --email you@shop.uz --name "Your name"
`
}`
}

/** Another key is another caller, to whom the brand of an earlier start is taken already. */
const brandSlug = ({ lasting, test }: NewcomersKeys): string =>
  lasting ? 'my-brand' : `my-brand-${test.slice(-4).toLowerCase()}`

const memberWords = ({ email, password }: NewcomersMember, address: string) => `
  You, the owner (shown once; another password with: npm run bozor -- member reset-password ${email}):
    e-mail    ${email}
    password  ${password}
    sign in   curl -s ${address}/v1/admin/sessions -H 'Content-Type: application/json' -d '{"email":"${email}","password":"${password}"}'
`

/** Goods of the demo shop, asked for in three languages, the last time by somebody in a hurry. */
const searches = [
  { language: 'ru', q: 'смартфон чёрный' },
  { language: 'uz', q: 'muzlatgich' },
  { language: 'en', q: 'wireles hedphones' },
]

const keyWords = (keys: NewcomersKeys, address: string) => `
  Your keys, with every scope${keys.lasting ? ' (shown once; make others with: npm run bozor -- app create --name "My app")' : ', good until the next start'}:
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
