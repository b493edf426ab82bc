import {
  findApplication,
  issueKey,
  listKeys,
  maxOverlapSeconds,
  revokeKey,
  rotateKey,
} from '../identity/index.ts'
import { type Command, CommandError, environmentOf, explainMissing, table, UsageError } from './command.ts'
import { withStorage, audited } from './storage.ts'

export const keyCommand: Command = {
  usage: 'list|create CLIENT_ID | rotate|revoke CLIENT_ID KEY_ID [--env live|test]',
  help: `Manages the API keys of one application. A running server applies changes within a second.

  create CLIENT_ID --name NAME              creates a key with all scopes of the application
  list CLIENT_ID                            lists its keys, newest first
  rotate CLIENT_ID KEY_ID [--overlap 3600]  creates a successor; the old key works for that many seconds (default: a day)
  revoke CLIENT_ID KEY_ID                   revokes a key now
  --env ENV                                 live or test (default test)
  --json                                    print JSON`,
  actions: ['create', 'list', 'rotate', 'revoke'],
  options: {
    name: { type: 'string' },
    overlap: { type: 'string' },
    env: { type: 'string' },
    json: { type: 'boolean' },
  },
  async run(context, args) {
    const [action, applicationId, keyId] = args.positionals
    if (!applicationId) throw new UsageError('name the application by its client_id (see "app list")')
    const environment = environmentOf(args)
    const print = (value: object, text: string) =>
      context.print(args.flags['json'] ? JSON.stringify(value) : text)
    return withStorage(context, 'key', async ({ db }) => {
      const shopDb = db[environment]
      const missing = `application ${applicationId} has no key ${keyId} (see "key list ${applicationId}")`
      if (!(await findApplication(shopDb.read(), applicationId)))
        throw new CommandError(
          `there is no application ${applicationId} in ${environment} (see "app list --env ${environment}")`,
          'not_found',
        )
      if (action === 'list') {
        const keys = await listKeys(shopDb.read(), applicationId)
        const state = (it: (typeof keys)[number]) =>
          it.revokedAt ? 'revoked' : it.expiresAt ? `until ${it.expiresAt.toISOString()}` : 'valid'
        print(
          keys,
          table([['id', 'key', 'name', 'state'], ...keys.map((it) => [it.id, it.hint, it.name, state(it)])]),
        )
      } else if (action === 'create') {
        const input = {
          name: String(args.flags['name'] ?? 'key'),
          scopes: undefined,
          rateLimit: null,
          expiresAt: null,
        }
        const { key, apiKey } = await audited(shopDb, 'key create', (tx) =>
          issueKey(tx, applicationId, { input, callerScopes: null }),
        )
        print({ id: key.id, api_key: apiKey }, `${key.id}  ${apiKey}\n\nStore it now: it is not shown again.`)
      } else if (action === 'rotate' && keyId) {
        const overlapSeconds = Number(args.flags['overlap'] ?? 86_400)
        if (!Number.isInteger(overlapSeconds) || overlapSeconds < 0 || overlapSeconds > maxOverlapSeconds)
          throw new UsageError('--overlap must be whole seconds, at most 2592000 (30 days)')
        const { key, apiKey } = await explainMissing(
          audited(shopDb, 'key rotate', (tx) =>
            rotateKey(tx, applicationId, { keyId, overlapSeconds, callerScopes: null }),
          ),
          missing,
        )
        print(
          { id: key.id, api_key: apiKey },
          `${key.id}  ${apiKey}\n\nThe old key works for ${overlapSeconds} more seconds.`,
        )
      } else if (action === 'revoke' && keyId) {
        const key = await explainMissing(
          audited(shopDb, 'key revoke', (tx) => revokeKey(tx, applicationId, keyId)),
          missing,
        )
        print({ id: key.id, revoked_at: key.revokedAt }, `${key.id} is revoked.`)
      } else
        throw new UsageError('use "key list", "key create", "key rotate" or "key revoke"; see "help key"')
      return 0
    })
  },
}
