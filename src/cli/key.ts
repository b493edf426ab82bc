import {
  findApplication,
  issueKey,
  listKeys,
  longestOverlapSeconds,
  revokeKey,
  rotateKey,
} from '../identity/index.ts'
import { atDesk, type Command, environmentOf, noted, table, UsageError } from './command.ts'

export const keyCommand: Command = {
  name: 'key',
  summary: 'make, list, rotate and revoke API keys',
  usage: 'list|create CLIENT_ID | rotate|revoke CLIENT_ID KEY_ID [--env live|test]',
  help: `Works on the keys of one application. A running server follows within a second.

  create CLIENT_ID --name NAME              a further key with all the application's scopes
  list CLIENT_ID                            its keys, newest first
  rotate CLIENT_ID KEY_ID [--overlap 3600]  a successor; the old key works for so many seconds more (default a day)
  revoke CLIENT_ID KEY_ID                   ends a key now
  --env ENV                                 live or test (default test)
  --json                                    print JSON`,
  options: {
    name: { type: 'string' },
    overlap: { type: 'string' },
    env: { type: 'string' },
    json: { type: 'boolean' },
  },
  async run(world, given) {
    const [what, clientId, keyId] = given.words
    if (!clientId) throw new UsageError('name the application by its client_id (see "app list")')
    const environment = environmentOf(given)
    const print = (value: object, text: string) =>
      world.print(given.flags['json'] ? JSON.stringify(value) : text)
    return atDesk(world, 'key', async ({ db }) => {
      const work = db[environment]
      if (!(await findApplication(work.read(), clientId)))
        throw new UsageError(`there is no application ${clientId} in ${environment} (see "app list --env …")`)
      if (what === 'list') {
        const keys = await listKeys(work.read(), clientId)
        const state = (it: (typeof keys)[number]) =>
          it.revokedAt ? 'revoked' : it.expiresAt ? `until ${it.expiresAt.toISOString()}` : 'good'
        print(
          keys,
          table([['id', 'key', 'name', 'state'], ...keys.map((it) => [it.id, it.hint, it.name, state(it)])]),
        )
      } else if (what === 'create') {
        const wish = {
          name: String(given.flags['name'] ?? 'key'),
          scopes: undefined,
          rateLimit: null,
          expiresAt: null,
        }
        const { key, apiKey } = await noted(work, 'key create', (tx) =>
          issueKey(tx, clientId, { wish, holder: null }),
        )
        print({ id: key.id, api_key: apiKey }, `${key.id}  ${apiKey}\n\nKeep it: it is not shown again.`)
      } else if (what === 'rotate' && keyId) {
        const overlapSeconds = Number(given.flags['overlap'] ?? 86_400)
        if (!Number.isInteger(overlapSeconds) || overlapSeconds < 0 || overlapSeconds > longestOverlapSeconds)
          throw new UsageError('--overlap must be whole seconds, at most 30 days of them')
        const { key, apiKey } = await noted(work, 'key rotate', (tx) =>
          rotateKey(tx, clientId, { keyId, overlapSeconds, holder: null }),
        )
        print(
          { id: key.id, api_key: apiKey },
          `${key.id}  ${apiKey}\n\nThe old key works for ${overlapSeconds} seconds more.`,
        )
      } else if (what === 'revoke' && keyId) {
        const key = await noted(work, 'key revoke', (tx) => revokeKey(tx, clientId, keyId))
        print({ id: key.id, revoked_at: key.revokedAt }, `${key.id} is revoked.`)
      } else
        throw new UsageError('say "key list", "key create", "key rotate" or "key revoke"; see "help key"')
      return 0
    })
  },
}
