import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict'
import { test } from 'node:test'
import { bozor, startServer, temporaryFolder } from '../../test/support/process.ts'
import { callAt } from '../../test/support/shop.ts'
import { cookieIn } from '../../test/support/member.ts'
import { until } from '../../test/support/until.ts'
import { givenOf, UsageError, type World } from './command.ts'
import { memberCommand } from './member.ts'

test('members are let in and shut out at the command line, while the server runs', async () => {
  const DATA_DIR = temporaryFolder()
  const server = await startServer({ DATA_DIR, DEMO: 'false' })
  const member = async (...args: string[]) => {
    const { code, stdout, stderr } = await bozor(['member', ...args, '--json'], { DATA_DIR })
    return { code, stderr, value: code === 0 ? JSON.parse(stdout) : undefined }
  }
  const signIn = (email: string, password: string) =>
    callAt(server.url, 'POST', '/v1/admin/sessions', { body: { email, password } })
  const me = (cookie: string) => callAt(server.url, 'GET', '/v1/admin/me', { headers: { cookie } })

  // The first start has made an owner and said the password once.
  const [, first] = /password {2}(\S+)/.exec(server.output())!
  equal((await signIn('owner@bozor.example', first!)).status, 201)

  const { value: anna } = await member('create', '--email', 'Anna@shop.uz', '--name', 'Anna')
  deepEqual([anna.email, anna.role], ['anna@shop.uz', 'owner'])
  const cookie = cookieIn(await signIn('anna@shop.uz', anna.password))
  equal((await me(cookie)).body.data.member.role, 'owner')

  equal((await member('role', 'anna@shop.uz', 'analyst')).code, 0)
  await until(async () => (await me(cookie)).body.data?.member.role === 'analyst')
  await until(async () => !(await me(cookie)).body.data.scopes.includes('admin:write'))
  const last = await member('role', 'owner@bozor.example', 'analyst')
  equal(last.code, 1)
  match((await member('remove', 'nobody@shop.uz')).stderr, /there is no member nobody@shop.uz/)
  match(last.stderr, /no owner left/)
  match((await member('remove', 'owner@bozor.example')).stderr, /no owner left/)

  const { value: fresh } = await member('reset-password', 'anna@shop.uz')
  await until(async () => (await me(cookie)).status === 401)
  equal((await signIn('anna@shop.uz', anna.password)).status, 401)
  const again = cookieIn(await signIn('anna@shop.uz', fresh.password))
  equal((await member('remove', 'anna@shop.uz')).code, 0)
  await until(async () => (await me(again)).status === 401)
  equal((await signIn('anna@shop.uz', fresh.password)).status, 401)
  equal((await member('restore', 'anna@shop.uz')).code, 0)
  equal((await signIn('anna@shop.uz', fresh.password)).status, 201)

  const { value: invited } = await member('invite', '--email', 'bek@shop.uz', '--role', 'operator')
  const joined = await callAt(server.url, 'POST', '/v1/admin/members/invitations/accept', {
    body: { token: invited.token, name: 'Bek', password: 'a long enough one' },
  })
  equal(joined.body.data.member.role, 'operator')
  deepEqual(
    (await member('list')).value.map((it: { email: string; role: string }) => `${it.email} ${it.role}`),
    ['owner@bozor.example owner', 'anna@shop.uz analyst', 'bek@shop.uz operator'],
  )

  const { body } = await server.call('GET', '/v1/admin/audit-log?actor_kind=machine&sort=at', {
    key: server.keys.live,
  })
  deepEqual(
    body.data.records.map((it: { path: string; facts: string[] }) => `${it.path}: ${it.facts.join(' ')}`),
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

  // A later start tells no password.
  const later = await startServer({ DATA_DIR, DEMO: 'false' })
  ok(!later.output().includes('password'))
  await later.end('SIGTERM')
})

test('a slip at the keyboard is told in a sentence, before anything is opened', async () => {
  const slips: [string[], RegExp][] = [
    [[], /say "member create"/],
    [['toString'], /say "member create"/],
    [['create', '--name', 'x'], /--email must be/],
    [['create', '--email', 'a@b.uz'], /--name is needed/],
    [['create', '--email', 'a@b.uz', '--name', 'x', '--role', 'king'], /must be one of owner/],
    [['role', 'a@b.uz'], /must be one of owner/],
    [['remove'], /name the member/],
  ]
  const nothing = {} as World
  for (const [args, sentence] of slips)
    await rejects(
      async () => memberCommand.run(nothing, givenOf(memberCommand, args)),
      (error: Error) => error instanceof UsageError && sentence.test(error.message),
      args.join(' '),
    )
})
