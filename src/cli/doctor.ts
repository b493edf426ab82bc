import { accessSync, constants, existsSync, statfsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { systemClock, hourMs } from '../base/clock.ts'
import { migrations } from '../base/migrate.ts'
import { pingReplica } from '../base/replica.ts'
import { pingMessageBus } from '../webhooks/index.ts'
import { type Command, type CommandContext } from './command.ts'
import { lastBackup } from '../base/backup/last-backup.ts'
import { withStorage } from './storage.ts'

interface Finding {
  check: string
  isOk: boolean
  /** Works, but the operator should act. */
  isWarning?: boolean
  message: string
}

const minFreeMegabytes = 500

export const doctorCommand: Command = {
  usage: '[--json]',
  help: `Checks everything that a start needs and says what to fix. Exits with 1 when a check fails.

  --json  print JSON`,
  options: { json: { type: 'boolean' } },
  async run(context, args) {
    const findings = [
      runtime(),
      folder(context),
      diskSpace(context),
      backup(context),
      ...(await checkDatabase(context)),
      ...(await checkDependencies(context)),
    ]
    if (args.flags['json']) context.print(JSON.stringify(findings))
    else
      for (const { check, isOk, isWarning, message } of findings)
        context.print(`${isWarning ? '!' : isOk ? '✓' : '✗'} ${check}: ${message}`)
    return findings.every((it) => it.isOk) ? 0 : 1
  },
}

const runtime = (): Finding => ({
  check: 'runtime',
  isOk: Number(process.versions.node.split('.')[0]) >= 24,
  message: `Node ${process.versions.node} on ${process.platform}-${process.arch}`,
})

const nearestExisting = (path: string): string => (existsSync(path) ? path : nearestExisting(dirname(path)))

function folder({ config }: CommandContext): Finding {
  const path = resolve(config.dataDir)
  try {
    accessSync(nearestExisting(path), constants.W_OK)
    return {
      check: 'data folder',
      isOk: true,
      message: `${path}${existsSync(path) ? '' : ' (will be created)'}`,
    }
  } catch {
    return {
      check: 'data folder',
      isOk: false,
      message: `${path} is not writable; set DATA_DIR to a writable folder`,
    }
  }
}

function diskSpace({ config }: CommandContext): Finding {
  const { bavail, bsize } = statfsSync(nearestExisting(resolve(config.dataDir)))
  const megabytes = Math.round((bavail * bsize) / 1024 / 1024)
  return {
    check: 'disk space',
    isOk: megabytes >= minFreeMegabytes,
    message: `${megabytes} MB free, ${minFreeMegabytes} MB required`,
  }
}

const maxBackupAgeHours = 48

/** A warning only: a new installation works without a backup. */
function backup({ config }: CommandContext): Finding {
  const last = lastBackup(config)
  const found = { check: 'backup', isOk: true }
  if (!last && config.databaseUrl)
    return { ...found, message: 'not known here; see docs/operations/backup.md for your own PostgreSQL' }
  if (!last)
    return { ...found, isWarning: true, message: 'none was made yet; run "bozor backup FOLDER" every day' }
  const hours = Math.round((systemClock().now().getTime() - Date.parse(last.madeAt)) / hourMs)
  const message = `made ${hours} hours ago in ${last.folder}`
  if (!existsSync(last.folder))
    return {
      ...found,
      isWarning: true,
      message: `${message}, which cannot be found; run "bozor backup FOLDER"`,
    }
  return hours > maxBackupAgeHours
    ? { ...found, isWarning: true, message: `${message}; run "bozor backup FOLDER" every day` }
    : { ...found, message }
}

async function checkDatabase(context: CommandContext): Promise<Finding[]> {
  try {
    return await withStorage(context, 'doctor', async ({ db, elsewhere }) => {
      const read = db.live.read()
      const { version } = await read.one<{ version: string }>(
        `select current_setting('server_version') as version`,
      )
      const { done } = await read.one<{ done: number }>(`select count(*) as done from platform.migrations`)
      const major = Number.parseInt(version, 10)
      const place = elsewhere ?? resolve(context.config.dataDir)
      const where = context.config.databaseUrl ? 'at DATABASE_URL' : `embedded, in ${place}`
      return [
        {
          check: 'database',
          isOk: major >= 15,
          message: `PostgreSQL ${version}, ${where}; 15 or newer is required`,
        },
        {
          check: 'migrations',
          isOk: done >= migrations().length,
          message: `${done} of ${migrations().length} applied`,
        },
      ]
    })
  } catch (error) {
    return [{ check: 'database', isOk: false, message: (error as Error).message }]
  }
}

/** What is configured besides the database. Addresses are not printed, because they may contain passwords. */
async function checkDependencies({ config }: CommandContext): Promise<Finding[]> {
  const { databaseReplicaUrl, redisUrl, natsUrl } = config
  const findings: Promise<Finding>[] = []
  if (databaseReplicaUrl)
    findings.push(reachable('replica', 'DATABASE_REPLICA_URL', () => pingReplica(databaseReplicaUrl)))
  // Loaded only when needed: most installations run without Redis.
  if (redisUrl)
    findings.push(
      reachable('Redis', 'REDIS_URL', async () =>
        (await import('../http/rate-limit-redis.ts')).pingRedis(redisUrl),
      ),
    )
  if (natsUrl) findings.push(reachable('NATS', 'NATS_URL', () => pingMessageBus(natsUrl)))
  return Promise.all(findings)
}

const reachable = (check: string, setting: string, ping: () => Promise<void>): Promise<Finding> =>
  ping().then(
    () => ({ check, isOk: true, message: 'reachable' }),
    (error: Error) => ({
      check,
      isOk: false,
      message: `unreachable (${error.message}); check ${setting} and that the server is running`,
    }),
  )
