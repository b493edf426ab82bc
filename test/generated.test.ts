import { equal, ok } from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { generatedFiles } from './generated.ts'

const files = await generatedFiles()

for (const [path, content] of Object.entries(files))
  test(`${path} is fresh; "node test/generated.ts --write" makes it so`, () => {
    const committed = readFileSync(join(import.meta.dirname, '..', path), 'utf8')
    // Not one long difference: the remedy is in the name.
    ok(committed === content, `${path} does not say what the tables say`)
  })

test('making the files twice gives the same bytes', async () => {
  equal(JSON.stringify(await generatedFiles()), JSON.stringify(files))
})
