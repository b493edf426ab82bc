import { equal, match } from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { bozor, startServer, temporaryFolder } from '../support/process.ts'

test('a backup of a running server is restored elsewhere with its keys; doctor knows its age', async () => {
  const [dataDir, target, other] = [temporaryFolder(), temporaryFolder(), temporaryFolder()]
  const server = await startServer({ DATA_DIR: dataDir })
  match((await bozor(['doctor'], { DATA_DIR: dataDir })).stdout, /^! backup: none was made yet/m)

  const made = await bozor(['backup', target, '--with-secret-key', '--json'], { DATA_DIR: dataDir })
  equal(made.code, 0, made.stderr)
  const { folder } = JSON.parse(made.stdout) as { folder: string }
  match((await bozor(['doctor'], { DATA_DIR: dataDir })).stdout, /^✓ backup: made 0 hours ago/m)
  const refused = await bozor(['restore', folder, '--replace'], { DATA_DIR: dataDir })
  equal(refused.code, 1)
  match(refused.stderr, /^bozor: A server or a command uses the database/)
  equal(await server.end('SIGTERM'), 0)

  const restored = await bozor(['restore', folder], { DATA_DIR: other })
  equal(restored.code, 0, restored.stderr)
  match(restored.stdout, /Every table equals the backup\.\nThe secret key was put into/)
  rmSync(join(folder, 'manifest.json'))
  match((await bozor(['backup', '--check', folder], {})).stderr, /not a complete backup/)

  const second = await startServer({ DATA_DIR: other })
  const reply = await second.call('GET', '/v1/catalog/categories', { key: server.keys.test })
  equal(reply.status, 200, reply.text)
  equal(await second.end('SIGTERM'), 0)
})
