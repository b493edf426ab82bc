// Runs the tests: one PostgreSQL for all of them, a database of its own for every file that asks for one.
// Words after the command choose files by a part of their path.

import { spawn, spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { openTestStorage } from './support/storage.ts'

const words = process.argv.slice(2)
const chosen = globSync(['src/**/*.test.ts', 'test/**/*.test.ts', 'bin/**/*.test.ts'])
  .toSorted()
  .filter((file) => words.length === 0 || words.some((word) => file.includes(word)))
  .filter((file) => canRun(file))
if (chosen.length === 0) {
  console.error(`no test file is named like ${words.join(', ')}`)
  process.exit(1)
}

// A signal goes to the tests; they end, and then everything is put away here.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {})
const storage = await openTestStorage()
try {
  process.exitCode = await new Promise<number>((done) => {
    const flags = [
      '--test',
      '--test-concurrency=2',
      '--test-reporter=spec',
      '--disable-warning=ExperimentalWarning',
    ]
    const env = {
      ...process.env,
      BOZOR_TEST_STORAGE: storage.spelled,
      NODE_TEST_CONTEXT: undefined,
    }
    spawn(process.execPath, [...flags, ...chosen], { stdio: 'inherit', env }).once('exit', (code) =>
      done(code ?? 1),
    )
  })
} finally {
  await storage.close()
}

/** A few files talk to a program that npm does not bring; where it is missing they are left out, and that is said. */
function canRun(file: string): boolean {
  const program = file.startsWith('test/faults/bus') ? 'nats-server' : undefined
  if (!program || spawnSync(program, ['--version']).status === 0) return true
  console.error(`left out: ${file} needs the program ${program}`)
  return false
}
