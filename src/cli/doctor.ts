import { accessSync, constants, existsSync, statfsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { migrations } from '../base/migrate.ts'
import { atDesk, type Command, type World } from './command.ts'

interface Finding {
  check: string
  good: boolean
  says: string
}

const roomyMegabytes = 500

export const doctorCommand: Command = {
  name: 'doctor',
  summary: 'check this machine, the configuration and the database',
  usage: '',
  help: 'Looks at everything a start needs and says what is wrong, and what to do. Exit code 1 when something is.',
  options: { json: { type: 'boolean' } },
  async run(world, given) {
    const findings = [runtime(), folder(world), room(world), ...(await database(world))]
    if (given.flags['json']) world.print(JSON.stringify(findings))
    else for (const { check, good, says } of findings) world.print(`${good ? '✓' : '✗'} ${check}: ${says}`)
    return findings.every((it) => it.good) ? 0 : 1
  },
}

const runtime = (): Finding => ({
  check: 'runtime',
  good: Number(process.versions.node.split('.')[0]) >= 24,
  says: `Node ${process.versions.node} on ${process.platform}-${process.arch}`,
})

const nearest = (path: string): string => (existsSync(path) ? path : nearest(dirname(path)))

function folder({ config }: World): Finding {
  const path = resolve(config.dataDir)
  try {
    accessSync(nearest(path), constants.W_OK)
    return { check: 'data folder', good: true, says: `${path}${existsSync(path) ? '' : ' (will be made)'}` }
  } catch {
    return {
      check: 'data folder',
      good: false,
      says: `${path} cannot be written; set DATA_DIR to a folder of yours`,
    }
  }
}

function room({ config }: World): Finding {
  const { bavail, bsize } = statfsSync(nearest(resolve(config.dataDir)))
  const megabytes = Math.round((bavail * bsize) / 1024 / 1024)
  return {
    check: 'room on disk',
    good: megabytes >= roomyMegabytes,
    says: `${megabytes} MB free, ${roomyMegabytes} wanted`,
  }
}

async function database(world: World): Promise<Finding[]> {
  try {
    return await atDesk(world, 'doctor', async ({ db }) => {
      const read = db.live.read()
      const { version } = await read.one<{ version: string }>(
        `select current_setting('server_version') as version`,
      )
      const { done } = await read.one<{ done: number }>(`select count(*) as done from platform.migrations`)
      const major = Number.parseInt(version, 10)
      const where = world.config.databaseUrl ? 'at DATABASE_URL' : 'embedded'
      return [
        {
          check: 'database',
          good: major >= 15,
          says: `PostgreSQL ${version}, ${where}; 15 or newer is needed`,
        },
        {
          check: 'migrations',
          good: done >= migrations().length,
          says: `${done} of ${migrations().length} have run`,
        },
      ]
    })
  } catch (error) {
    return [{ check: 'database', good: false, says: (error as Error).message }]
  }
}
