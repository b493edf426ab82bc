// Models and their training data at the command line, beside a running server.

import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { addGroupInteractions, stockTwoGroups, train } from '../../test/support/behaviour.ts'
import { databaseUrl } from '../../test/support/database.ts'
import { bozor, preparedFolder } from '../../test/support/process.ts'
import { openPlatform } from '../../test/support/shop.ts'
import { openStock } from '../../test/support/stock.ts'
import { waitUntil } from '../../test/support/wait-until.ts'
import { parseArguments, CommandError, type CommandContext } from './command.ts'
import { commands } from './index.ts'

const shop = await openPlatform()
const { db } = shop.app.shops.test
await stockTwoGroups(await openStock(shop))
await addGroupInteractions(db)
const { modelId } = await train(db)
const folder = await preparedFolder()
const command = (...args: string[]) => bozor(args, { DATABASE_URL: databaseUrl(shop.connection) })
const fileWith = (name: string, text: string) => {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}

test('factors are imported, listed, removed and restored, and the server follows', async () => {
  const lines = Array.from({ length: 81 }, (_, at) => JSON.stringify({ id: at + 1, features: [at % 2, 1] }))
  const done = await command('model', 'import', fileWith('factors.ndjson', lines.join('\n')), '--json')
  equal(done.code, 0, done.stderr)
  match(done.stderr, /81 lines or rows read: 80 of products that the model knows, 1 of others/)
  const [imported] = JSON.parse(done.stdout)
  deepEqual([imported.origin, imported.isActive, imported.external.kind], ['imported', true, 'factors'])
  const serving = async () =>
    (await shop.call('POST', '/v1/recommendations/explain', { body: { offer_ids: ['3'] } })).body.data
      .model_id
  await waitUntil(async () => (await serving()) === String(imported.id))

  match((await command('model', 'list')).stdout, /serves\s+imported.*factors of 80/)
  equal(JSON.parse((await command('model', 'remove', '--json')).stdout)[0].external, null)
  equal((await command('model', 'activate', String(modelId))).code, 0)
  await waitUntil(async () => (await serving()) === String(modelId))
})

test('the training data file equals the HTTP download', async () => {
  const out = join(folder, 'interactions.csv')
  equal((await command('training-data', 'interactions', out)).code, 0)
  const sent = await shop.call('GET', '/v1/recommendations/training-data/interactions.csv')
  equal(readFileSync(out, 'utf8'), sent.text)
  const at = db.clock.now().toISOString()
  const features = await command(
    'training-data',
    'features',
    '--days',
    '20',
    '--to',
    at,
    '--format',
    'ndjson',
  )
  equal(features.code, 0, features.stderr)
  const same = await shop.call('GET', `/v1/recommendations/training-data/features.ndjson?days=20&until=${at}`)
  ok(same.text.length > 100_000)
  ok(features.stdout === same.text)
})

const mistakes: [args: string[], says: RegExp][] = [
  [['model'], /use "model list"/],
  [['model', 'activate', 'newest'], /by its number/],
  [['model', 'import'], /name one FILE/],
  [['model', 'import', '/nowhere/factors'], /there is no file/],
  [['model', 'import', '-', '--alpha', 'much'], /--alpha must be a number/],
  [['model', 'import', '-', '--trained-until', 'monday'], /--trained-until must be an instant/],
  [['training-data'], /use "training-data interactions"/],
  [['training-data', 'features', '--days', '99'], /--days must be/],
  [['training-data', 'interactions', '--format', 'xml'], /--format must be/],
  [['training-data', 'interactions', '--from', 'monday'], /--from must be an instant/],
]
test('invalid arguments get one sentence before any storage is opened', async () => {
  const nothing = {} as CommandContext
  for (const [[name, ...args], says] of mistakes) {
    const command = await commands.find((it) => it.name === name)!.load()
    await rejects(command.run(nothing, parseArguments(command, args)), (error) => {
      ok(error instanceof CommandError)
      match(error.message, says)
      return true
    })
  }
})

test('errors name the lines of a file and the number of a missing model', async () => {
  const wrong = fileWith('bad.ndjson', '{"id":1,"features":[1]}\n{"id":2,"features":[1,2]}')
  const bad = await command('model', 'import', wrong)
  match(bad.stderr, /lines\.2\.features must have 1 numbers/)
  equal(bad.code, 4)
  match((await command('model', 'activate', '999')).stderr, /there is no model 999 \(see "model list"\)/)
})
