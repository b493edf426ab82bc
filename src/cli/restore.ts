import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Manifest, readManifest } from '../base/backup/manifest.ts'
import { restoreBackup } from '../base/backup/restore-backup.ts'
import { secretKeyFile } from '../base/backup/write-backup.ts'
import { openStorage } from '../base/storage.ts'
import { fingerprintOf, hasKey, placeKey } from '../base/vault.ts'
import { summary, totals } from './backup.ts'
import { type Command, type CommandContext, UsageError } from './command.ts'
import { restoreToTime } from './restore-to-time.ts'

export const restoreCommand: Command = {
  usage: 'FOLDER [--replace] [--json] | --to TIME [--json]',
  help: `Restores a backup into the database of this configuration (DATA_DIR, or DATABASE_URL). Stop the server first.

  FOLDER      the folder that "backup" wrote
  --replace   delete what the database holds now
  --to TIME   instead of FOLDER: the embedded database at that moment (2026-11-16T14:30:00Z, or latest), from WAL_ARCHIVE into
              an empty DATA_DIR
  --json      print JSON

Everything is loaded in one transaction and compared with the backup: it succeeds as a whole, or changes nothing.
Afterwards migrations newer than the backup run, so a newer version can restore a backup of an older one.
If the backup holds the secret key and DATA_DIR has none, the key is put there.`,
  options: { replace: { type: 'boolean' }, to: { type: 'string' }, json: { type: 'boolean' } },
  async run(context, args) {
    if (typeof args.flags['to'] === 'string') return restoreToTime(context, args)
    const [folder, ...more] = args.positionals
    if (folder === undefined || more.length > 0) throw new UsageError('name one FOLDER of a backup')
    const manifest = readManifest(folder)
    const { config, log, progress } = context
    const storage = await openStorage(config, { role: 'command', commandName: 'restore', log })
    try {
      const replace = args.flags['replace'] === true
      const dataDir = resolve(config.dataDir)
      await restoreBackup(storage.connection, { folder, manifest, dataDir, replace, log, progress })
    } finally {
      await storage.close()
    }
    progress('')
    const secretKey = keyAdvice(context, folder, manifest)
    if (args.flags['json'])
      context.print(
        JSON.stringify({ created_at: manifest.madeAt, ...totals(manifest), secret_key: secretKey }),
      )
    else {
      context.print(`Restored: ${summary(manifest)}. Every table equals the backup.`)
      context.print(secretKey)
    }
    return 0
  },
}

/** Says what the operator has to do about the key that decrypts stored secrets. */
function keyAdvice({ config }: CommandContext, folder: string, manifest: Manifest): string {
  const saved = join(folder, secretKeyFile)
  if (!hasKey(config) && existsSync(saved)) {
    placeKey(config, readFileSync(saved, 'utf8').trim())
    return `The secret key was put into ${join(config.dataDir, 'secret.key')}.`
  }
  const { secretKeyFingerprint: wanted } = manifest
  if (wanted === null || (hasKey(config) && fingerprintOf(config).toString('hex') === wanted))
    return 'The secret key matches the backup.'
  return (
    `${hasKey(config) ? 'The secret key of this configuration is not the one of the backup' : 'There is no secret key'}: before ` +
    'the next start set SECRET_KEY, or put the file secret.key of the old machine into DATA_DIR. If the key is lost, start ' +
    'once with --new-secret-key and rotate the webhook secrets.'
  )
}
