// Everything beside the tests that must pass: types, lint, format, unused code, kernels that match their sources.

import { spawnSync } from 'node:child_process'

const checks: [string, string[]][] = [
  ['types', ['node_modules/typescript/bin/tsc', '-p', '.']],
  ['types of the pages', ['node_modules/typescript/bin/tsc', '-p', 'src/web']],
  ['types of the examples in the documents', ['test/example-types.ts']],
  ['lint, floating promises included', ['node_modules/oxlint/bin/oxlint', '--deny-warnings', '--type-aware']],
  ['format', ['node_modules/oxfmt/bin/oxfmt', '--check']],
  ['unused code', ['node_modules/knip/bin/knip.js']],
  ['kernels', ['src/ml/kernels/build.ts', '--check']],
]

let failed = 0
for (const [name, args] of checks) {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  const good = status === 0
  if (!good) failed++
  console.log(`${good ? '✔' : '✖'} ${name}`)
  if (!good) console.log(stdout + stderr)
}
process.exitCode = failed === 0 ? 0 : 1
