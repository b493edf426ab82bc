import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { permits, unprivilegedAccount } from './account.ts'
import { parsePidFile } from './pid-file.ts'
import { postmasterArguments } from './settings.ts'
import { pauseMs } from './supervisor.ts'

test('root runs the database as the account nobody', () => {
  deepEqual(
    unprivilegedAccount('root:x:0:0::/:/bin/sh\nnobody:x:65534:65533::/:/bin/false\nzoe:x:1000:1000::/:\n'),
    {
      uid: 65534,
      gid: 65533,
    },
  )
})

test('without an account nobody, the last account is used', () => {
  deepEqual(unprivilegedAccount('root:x:0:0::/:/bin/sh\ndaemon:x:1:2::/:/bin/false\n'), { uid: 1, gid: 2 })
})

test('a system with no account but root has no unprivileged account', () =>
  equal(unprivilegedAccount('root:x:0:0::/:\n'), undefined))

test('owner, group and others each have their own permission bits', () => {
  const account = { uid: 7, gid: 8 }
  ok(permits({ uid: 7, gid: 0, mode: 0o40100 }, account, 0o1))
  ok(!permits({ uid: 7, gid: 0, mode: 0o40011 }, account, 0o1))
  ok(permits({ uid: 0, gid: 8, mode: 0o40010 }, account, 0o1))
  ok(permits({ uid: 0, gid: 0, mode: 0o40711 }, account, 0o1))
  ok(!permits({ uid: 0, gid: 0, mode: 0o40700 }, account, 0o1))
})

test('a pid file contains the process, its socket and its state', () => {
  const text = '812\n/data/postgres\n1700000000\n5432\n/data/socket\n\n 7 8\nready   \n'
  deepEqual(parsePidFile(text), { pid: 812, socketDir: '/data/socket', status: 'ready' })
  equal(parsePidFile(''), undefined)
})

test('the database never listens on the network, and its log never quotes a statement', () => {
  const args = postmasterArguments({ cluster: '/d/postgres', socketDir: '/a "b", c' }, {})
  for (const wanted of [
    'listen_addresses=',
    'log_min_error_statement=panic',
    'log_error_verbosity=terse',
    'log_parameter_max_length=0',
    'log_parameter_max_length_on_error=0',
    'fsync=on',
    'unix_socket_directories="/a ""b"", c"',
  ]) {
    ok(args.includes(wanted), wanted)
  }
})

test('settings of the caller override the defaults', () => {
  const args = postmasterArguments({ cluster: '/d', socketDir: '/s' }, { fsync: 'off' })
  ok(args.includes('fsync=off') && !args.includes('fsync=on'))
  match(args.join(' '), /^-D \/d -c /)
})

test('the first restart is immediate, and later ones wait ten seconds at most', () => {
  deepEqual([0, 1, 2, 20].map(pauseMs), [0, 200, 400, 10_000])
})
