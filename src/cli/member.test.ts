import { deepEqual, equal, match, notEqual, ok, rejects } from 'node:assert/strict'
import { once } from 'node:events'
import { after, test } from 'node:test'
import {
  bozor,
  bozorChild,
  preparedFolder,
  type RunningServer,
  startServer,
} from '../../test/support/process.ts'
import { callAt } from '../../test/support/shop.ts'
import { cookieIn } from '../../test/support/member.ts'
import { waitUntil } from '../../test/support/wait-until.ts'
import { parseArguments, UsageError, type CommandContext } from './command.ts'
import { memberCommand } from './member.ts'

test('members are created and deactivated by command while the server runs', async () => {
  const DATA_DIR = await preparedFolder()
  const server = await startServer({ DATA_DIR, DEMO: 'false' })
  const member = async (...args: string[]) => {
    const { code, stdout, stderr } = await bozor(['member', ...args, '--json'], { DATA_DIR })
    return { code, stderr, value: code === 0 ? JSON.parse(stdout) : undefined }
  }
  const signIn = (email: string, password: string) =>
    callAt(server.url, 'POST', '/v1/admin/sessions', { body: { email, password } })
  const me = (cookie: string) => callAt(server.url, 'GET', '/v1/admin/me', { headers: { cookie } })

  // The first start has created an owner and printed the password once.
  const [, first] = /password {2}(\S+)/.exec(server.output())!
  equal((await signIn('owner@bozor.example', first!)).status, 201)

  const { value: anna } = await member('create', '--email', 'Anna@shop.uz', '--name', 'Anna')
  deepEqual([anna.email, anna.role], ['anna@shop.uz', 'owner'])
  const cookie = cookieIn(await signIn('anna@shop.uz', anna.password))
  equal((await me(cookie)).body.data.member.role, 'owner')

  equal((await member('role', 'anna@shop.uz', 'analyst')).code, 0)
  await waitUntil(async () => (await me(cookie)).body.data?.member.role === 'analyst')
  await waitUntil(async () => !(await me(cookie)).body.data.scopes.includes('admin:write'))
  const last = await member('role', 'owner@bozor.example', 'analyst')
  equal(last.code, 4)
  match((await member('remove', 'unknown@shop.uz')).stderr, /there is no member unknown@shop.uz/)
  match(last.stderr, /last owner must remain/)
  match((await member('remove', 'owner@bozor.example')).stderr, /last owner must remain/)

  const { value: fresh } = await member('reset-password', 'anna@shop.uz')
  await waitUntil(async () => (await me(cookie)).status === 401)
  equal((await signIn('anna@shop.uz', anna.password)).status, 401)
  const again = cookieIn(await signIn('anna@shop.uz', fresh.password))
  equal((await member('remove', 'anna@shop.uz')).code, 0)
  await waitUntil(async () => (await me(again)).status === 401)
  equal((await signIn('anna@shop.uz', fresh.password)).status, 401)
  equal((await member('restore', 'anna@shop.uz')).code, 0)
  equal((await signIn('anna@shop.uz', fresh.password)).status, 201)

  const { value: invited } = await member('invite', '--email', 'bek@shop.uz', '--role', 'operator')
  equal(new URL(invited.link).origin, new URL(server.url).origin)
  const joined = await callAt(server.url, 'POST', '/v1/admin/members/invitations/accept', {
    body: { token: invited.token, name: 'Bek', password: 'a long enough one' },
  })
  equal(joined.body.data.member.role, 'operator')
  deepEqual(
    (await member('list')).value.map((it: { email: string; role: string }) => `${it.email} ${it.role}`),
    ['owner@bozor.example owner', 'anna@shop.uz analyst', 'bek@shop.uz operator'],
  )

  const { body } = await server.call('GET', '/v1/admin/audit-log?actor_kind=command_line&sort=at', {
    key: server.keys.live,
  })
  deepEqual(
    body.data.records.map((it: { path: string; events: string[] }) => `${it.path}: ${it.events.join(' ')}`),
    [
      'start: MemberJoined',
      'member create: MemberJoined',
      'member role: MemberRoleChanged',
      'member reset-password: MemberPasswordChanged',
      'member remove: MemberDeactivated',
      'member restore: MemberReactivated',
      'member invite: MemberInvited',
    ],
  )
  await server.end('SIGTERM')

  // A later start prints no password.
  const later = await startServer({ DATA_DIR, DEMO: 'false' })
  ok(!later.output().includes('password'))
  await later.end('SIGTERM')
})

test('invalid arguments get one sentence before storage is opened', async () => {
  const mistakes: [string[], RegExp][] = [
    [[], /use "member create"/],
    [['toString'], /use "member create"/],
    [['create', '--name', 'x'], /--email must be/],
    [['create', '--email', 'a@b.uz'], /--name is required/],
    [['create', '--email', 'a@b.uz', '--name', 'x', '--role', 'king'], /must be one of owner/],
    [['role', 'a@b.uz'], /must be one of owner/],
    [['remove'], /name the member/],
  ]
  const nothing = {} as CommandContext
  for (const [args, sentence] of mistakes)
    await rejects(
      async () => memberCommand.run(nothing, parseArguments(memberCommand, args)),
      (error: Error) => error instanceof UsageError && sentence.test(error.message),
      args.join(' '),
    )
})

test('an owner whose password was never shown gets one at the next start, until the first sign-in', async () => {
  const DATA_DIR = await preparedFolder()
  const first = bozorChild(['start'], { DATA_DIR })
  // The owner exists, but nothing is printed.
  after(() => first.kill('SIGKILL'))
  let output = ''
  for (const stream of [first.stdout!, first.stderr!])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  await waitUntil(() => output.includes('"listening"'))
  first.kill('SIGKILL')
  await once(first, 'exit')
  const password = (server: RunningServer) => /password {2}(\S+)/.exec(server.output())?.[1]
  const signIn = async (server: RunningServer, password: string | undefined) =>
    (
      await callAt(server.url, 'POST', '/v1/admin/sessions', {
        body: { email: 'owner@bozor.example', password },
      })
    ).status
  const second = await startServer({ DATA_DIR })
  equal(await signIn(second, password(second)), 201)
  await second.end('SIGTERM')
  const third = await startServer({ DATA_DIR })
  equal(password(third), undefined)
  equal(await signIn(third, password(second)), 201)
})

test('a start replaces no password that was set by command, nor when there is another member', async () => {
  const DATA_DIR = await preparedFolder()
  const shown = async () => {
    const server = await startServer({ DATA_DIR })
    await server.end('SIGTERM')
    return /password {2}(\S+)/.exec(server.output())?.[1]
  }
  const [first, again] = [await shown(), await shown()]
  ok(first && again)
  notEqual(first, again)
  await bozor(['member', 'create', '--email', 'anna@shop.uz', '--name', 'Anna'], { DATA_DIR })
  equal(await shown(), undefined)
  await bozor(['member', 'remove', 'anna@shop.uz'], { DATA_DIR })
  await bozor(['member', 'reset-password', 'owner@bozor.example'], { DATA_DIR })
  equal(await shown(), undefined)
})
