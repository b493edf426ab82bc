import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { type Connection, DataDirectoryInUse, DataDirectoryUnusable, openEmbedded } from './embedded.ts'
import { readPidFile } from './pid-file.ts'
import { isAlive } from './process.ts'
import { waitUntil } from '../../../test/support/wait-until.ts'

// When the tests run as root, the database runs as another account, which must be able to enter.
const scratch = mkdtempSync(join(tmpdir(), 'bozor-pg-'))
chmodSync(scratch, 0o711)
after(() => rmSync(scratch, { recursive: true, force: true }))
let directories = 0
const freshDir = () => join(scratch, `data ${directories++}`)

/** A directory with an empty database: a copy, because creating one takes most of a second. */
async function stockedDir(): Promise<string> {
  const original = join(scratch, 'original')
  if (!existsSync(original)) await (await open(original)).close()
  const copy = freshDir()
  equal(spawnSync('cp', ['-a', original, copy]).status, 0)
  return copy
}

const open = (
  dataDir: string,
  role: 'server' | 'command' = 'server',
  log: (text: string) => void = () => {},
) => openEmbedded({ dataDir, role, commandName: role === 'server' ? 'start' : 'train', log })

test('the first start creates the database, and the second finds its rows', async () => {
  const dataDir = freshDir()
  const first = await open(dataDir)
  equal(first.wasEmpty, true)
  await query(first.connection, 'create table items as select 7 as id')
  await first.close()
  equal(existsSync(join(dataDir, 'lock')), false)

  const second = await open(dataDir)
  equal(second.wasEmpty, false)
  deepEqual(await query(second.connection, 'select id from items'), [{ id: 7 }])
  await second.close()
})

test('the database folds Cyrillic and Uzbek letters, uses UTC and has no TCP port', async () => {
  const db = await open(await stockedDir())
  const [row] = await query(
    db.connection,
    `select lower('ЎҚҒҲ ЙЎЛ Oʻ') as folded, current_setting('TimeZone') as zone,
       current_setting('listen_addresses') as address, current_setting('server_encoding') as encoding`,
  )
  deepEqual(row, { folded: 'ўқғҳ йўл oʻ', zone: 'UTC', address: '', encoding: 'UTF8' })
  await db.close()
})

test('started by root, the database refuses processes of the account that runs it', async () => {
  if (process.getuid!() !== 0) return
  const db = await open(await stockedDir())
  deepEqual(await query(db.connection, 'select current_user::text as who'), [{ who: 'bozor' }])
  const client = new Client(db.connection)
  client.on('error', () => {})
  // The server learns the account when the socket connects.
  process.seteuid!(65534)
  const connected = client.connect()
  process.seteuid!(0)
  await rejects(connected, /[Pp]eer authentication failed/)
  await db.close()
})

test('a failed statement leaves neither its text nor its values in the log', async () => {
  const dataDir = await stockedDir()
  const db = await open(dataDir)
  await query(db.connection, `create table keys (key text primary key)`)
  await query(db.connection, `insert into keys values ('secret-1')`)
  await rejects(query(db.connection, `insert into keys values ('secret-1')`))
  await rejects(query(db.connection, `select 'secret-2'::int`))
  await rejects(query(db.connection, `select $1::int`, ['secret-3']))
  await db.close()
  const log = readFileSync(join(dataDir, 'postgres.log'), 'utf8')
  match(log, /ready to accept connections/)
  ok(!log.includes('secret'), log)
})

test('a second server is refused at once and does not disturb the first', async () => {
  const dataDir = await stockedDir()
  const first = await open(dataDir)
  const begun = Date.now()
  await rejects(open(dataDir), (error: unknown) => {
    ok(error instanceof DataDirectoryInUse)
    match(
      error.message,
      new RegExp(`in use by process ${process.pid} \\(bozor start\\)\\. Stop it first or set DATA_DIR`),
    )
    return true
  })
  ok(Date.now() - begun < 1000)
  deepEqual(await query(first.connection, 'select 1 as one'), [{ one: 1 }])
  await first.close()
})

test('a command that finds another one running fails with a message that names it', async () => {
  const dataDir = await stockedDir()
  const first = await open(dataDir, 'command')
  await rejects(open(dataDir, 'command'), (error: unknown) => {
    ok(error instanceof DataDirectoryInUse)
    match(error.message, new RegExp(`in use by process ${process.pid} \\(bozor train\\)`))
    return true
  })
  deepEqual(await query(first.connection, 'select 1 as one'), [{ one: 1 }])
  await first.close()
})

test('a command beside a server shares its database and leaves it running', async () => {
  const dataDir = await stockedDir()
  const server = await open(dataDir)
  const command = await open(dataDir, 'command')
  deepEqual(command.connection, server.connection)
  await command.close()
  deepEqual(await query(server.connection, 'select 1 as one'), [{ one: 1 }])
  await server.close()
})

test('a command that runs while the server is starting waits for its database', async () => {
  const dataDir = freshDir()
  const [server, command] = await Promise.all([open(dataDir), sleep(50).then(() => open(dataDir, 'command'))])
  deepEqual(await query(command.connection, 'select 1 as one'), [{ one: 1 }])
  await command.close()
  await server.close()
})

test('a server and a second command wait for a short command', async () => {
  const dataDir = await stockedDir()
  const first = await open(dataDir, 'command')
  let isSecondOpen = false
  const second = open(dataDir, 'command').finally(() => (isSecondOpen = true))
  // Long enough for an open that does not wait.
  await sleep(300)
  equal(isSecondOpen, false)
  await first.close()
  const held = await second
  let isServerOpen = false
  const server = open(dataDir).finally(() => (isServerOpen = true))
  await sleep(300)
  equal(isServerOpen, false)
  await held.close()
  const opened = await server
  deepEqual(await query(opened.connection, 'select 1 as one'), [{ one: 1 }])
  await opened.close()
})

test('the database that a killed server left running is adopted with its rows, and stopped by its new owner', async () => {
  const dataDir = await stockedDir()
  await killedServer(dataDir)
  const orphan = postmasterOf(dataDir)
  ok(isAlive(orphan))

  const log: string[] = []
  const db = await open(dataDir, 'server', (text) => log.push(text))
  match(log.join(), /adopted/)
  equal(postmasterOf(dataDir), orphan)
  deepEqual(await query(db.connection, 'select id from items'), [{ id: 7 }])
  await db.close()
  equal(isAlive(orphan), false)
})

test('after the server and the database are both killed, the next start has every acknowledged row', async () => {
  const dataDir = await stockedDir()
  for (let round = 0; round < 3; round++) {
    await killedServer(dataDir)
    process.kill(postmasterOf(dataDir), 'SIGKILL')
    const db = await open(dataDir)
    deepEqual(await query(db.connection, 'select count(*)::int as rows from items'), [{ rows: round + 1 }])
    await db.close()
  }
})

for (const origin of ['started', 'adopted'] as const) {
  test(`a database that was ${origin} and is killed under a living server comes back at the same address`, async () => {
    const dataDir = await stockedDir()
    if (origin === 'adopted') await killedServer(dataDir)
    const db = await open(dataDir)
    await query(db.connection, 'create table kept as select 1 as id')
    for (let round = 0; round < 2; round++) {
      const before = postmasterOf(dataDir)
      process.kill(before, 'SIGKILL')
      await until(async () => {
        deepEqual(await query(db.connection, 'select id from kept'), [{ id: 1 }])
        ok(postmasterOf(dataDir) !== before)
      })
    }
    await db.close()
    await sleep(300)
    equal(readPidFile(join(dataDir, 'postgres')), undefined)
  })
}

test('a backend that outlives its killed database is waited for, because it may still write', async () => {
  const dataDir = await stockedDir()
  const db = await open(dataDir)
  const client = new Client(db.connection)
  client.on('error', () => {})
  await client.connect()
  const backend = (await client.query('select pg_backend_pid() as pid')).rows[0].pid as number
  process.kill(backend, 'SIGSTOP')
  process.kill(postmasterOf(dataDir), 'SIGKILL')
  const logged = () => readFileSync(join(dataDir, 'postgres.log'), 'utf8')
  await until(async () => match(logged(), /shared memory block .* is still in use/))
  await rejects(query(db.connection, 'select 1'))
  process.kill(backend, 'SIGCONT')
  await until(() => query(db.connection, 'select 1'))
  await db.close()
})

test('a pid file whose pid now belongs to another process does not prevent a start', async () => {
  const dataDir = await stockedDir()
  await killedServer(dataDir)
  const pid = postmasterOf(dataDir)
  process.kill(pid, 'SIGKILL')
  await until(async () => ok(!isAlive(pid)))
  const pidFile = join(dataDir, 'postgres', 'postmaster.pid')
  // PostgreSQL checks only whether a process of its own user has that pid.
  const otherProcess = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60000)'], {
    uid: ownerOf(),
    gid: ownerOf(),
  })
  for (const file of [pidFile, join(dataDir, 'postgres-socket', '.s.PGSQL.5432.lock')]) {
    writeFileSync(file, readFileSync(file, 'utf8').replace(/^\d+/, String(otherProcess.pid)))
  }
  const db = await open(dataDir)
  deepEqual(await query(db.connection, 'select count(*)::int as rows from items'), [{ rows: 1 }])
  equal(otherProcess.kill('SIGKILL'), true)
  await db.close()
})

test('a database whose creation was interrupted is created again', async () => {
  const dataDir = freshDir()
  mkdirSync(join(dataDir, 'postgres.making', 'base'), { recursive: true })
  writeFileSync(join(dataDir, 'postgres.making', 'PG_VERSION'), '18\n')
  const db = await open(dataDir)
  equal(db.wasEmpty, true)
  equal(existsSync(join(dataDir, 'postgres.making')), false)
  await db.close()
})

test('a deep data directory gets its socket at a short path', async () => {
  const dataDir = join(freshDir(), 'a-rather-long-name-for-a-folder/'.repeat(5))
  mkdirSync(dataDir, { recursive: true, mode: 0o755 })
  const db = await open(dataDir)
  ok(db.connection.host.length < 90)
  deepEqual(await query(db.connection, 'select 1 as one'), [{ one: 1 }])
  const command = await open(dataDir, 'command')
  equal(command.connection.host, db.connection.host)
  await db.close()
  rmSync(db.connection.host, { recursive: true })
})

test('files that are not a database are neither used as one nor removed', async () => {
  const dataDir = freshDir()
  mkdirSync(join(dataDir, 'postgres'), { recursive: true })
  writeFileSync(join(dataDir, 'postgres', 'letter.txt'), 'dear')
  await rejects(open(dataDir), DataDirectoryUnusable)
  ok(existsSync(join(dataDir, 'postgres', 'letter.txt')))
  equal(existsSync(join(dataDir, 'lock')), false)
})

test('a database of another PostgreSQL is refused with advice', async () => {
  const dataDir = await stockedDir()
  await (await open(dataDir)).close()
  writeFileSync(join(dataDir, 'postgres', 'PG_VERSION'), '14\n')
  await rejects(open(dataDir), /made by PostgreSQL 14, and this version brings PostgreSQL 18.*backup/)
})

test('a data directory that is a file is refused with advice', async () => {
  const file = freshDir()
  writeFileSync(file, '')
  await rejects(open(file), /not a directory.*Set DATA_DIR/)
})

test('when the data directory is deleted under a running database, closing does not hang and no new one is created', async () => {
  const dataDir = await stockedDir()
  const log: string[] = []
  const db = await open(dataDir, 'server', (text) => log.push(text))
  const pid = postmasterOf(dataDir)
  rmSync(dataDir, { recursive: true })
  process.kill(pid, 'SIGKILL')
  await until(async () => match(log.join(), /PostgreSQL restart failed; retrying/))
  await db.close()
  equal(existsSync(dataDir), false)
})

const isRoot = process.getuid!() === 0

test('an ordinary user has a database of their own', { skip: !isRoot && 'the other tests show it' }, () => {
  const dataDir = freshDir()
  mkdirSync(dataDir)
  chownSync(dataDir, 65534, 65534)
  const script = `
    const { openEmbedded } = await import(${JSON.stringify(new URL('./embedded.ts', import.meta.url).href)})
    const db = await openEmbedded({ dataDir: ${JSON.stringify(dataDir)}, role: 'server', commandName: 'start', log() {} })
    console.log(db.wasEmpty)
    await db.close()`
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--input-type=module', '--no-warnings', '-e', script],
    {
      uid: 65534,
      gid: 65534,
      cwd: '/',
      encoding: 'utf8',
    },
  )
  deepEqual({ stdout, stderr }, { stdout: 'true\n', stderr: '' })
})

test(
  'below a directory that only root can enter, the database finds another place and keeps it',
  { skip: !isRoot },
  async () => {
    const closed = freshDir()
    const dataDir = join(closed, 'data')
    mkdirSync(closed, { mode: 0o700 })
    const log: string[] = []
    const first = await open(dataDir, 'server', (text) => log.push(text))
    await query(first.connection, 'create table items as select 7 as id')
    await first.close()
    const { home } = JSON.parse(readFileSync(join(dataDir, 'postgres-home.json'), 'utf8')) as { home: string }
    after(() => rmSync(home, { recursive: true, force: true }))
    match(log.join(), new RegExp(`is in ${home}`))

    const second = await open(dataDir)
    deepEqual(await query(second.connection, 'select id from items'), [{ id: 7 }])
    await second.close()

    const copy = join(closed, 'copy')
    equal(spawnSync('cp', ['-a', dataDir, copy]).status, 0)
    await rejects(open(copy), /belongs to the data directory .* If .* was moved here/)
  },
)

async function query(connection: Connection, text: string, values: unknown[] = []): Promise<unknown[]> {
  const client = new Client(connection)
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(text, values)).rows
  } finally {
    await client.end()
  }
}

const postmasterOf = (dataDir: string) => readPidFile(join(dataDir, 'postgres'))!.pid

const ownerOf = () => (process.getuid!() === 0 ? 65534 : process.getuid!())

/** Another process that starts the database, commits a row and is killed. */
async function killedServer(dataDir: string): Promise<void> {
  const script = `
    const { openEmbedded } = await import(${JSON.stringify(new URL('./embedded.ts', import.meta.url).href)})
    const { Client } = await import(${JSON.stringify(import.meta.resolve('pg'))})
    const db = await openEmbedded({ dataDir: ${JSON.stringify(dataDir)}, role: 'server', commandName: 'start', log() {} })
    const client = new Client(db.connection)
    await client.connect()
    await client.query('create table if not exists items (id int)')
    await client.query('insert into items values (7)')
    process.kill(process.pid, 'SIGKILL')`
  const child = spawn(process.execPath, ['--input-type=module', '--no-warnings', '-e', script], {
    stdio: 'inherit',
  })
  const signal = await new Promise((done) => child.once('exit', (_, by) => done(by)))
  equal(signal, 'SIGKILL')
}

/** Waits until the check stops failing. */
const until = (check: () => Promise<unknown>): Promise<void> =>
  waitUntil(
    () =>
      check().then(
        () => true,
        () => false,
      ),
    { what: String(check), pollMs: 20 },
  )
