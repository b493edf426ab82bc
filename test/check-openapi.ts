// npm run check:openapi: two linters accept the OpenAPI document without a warning, and the output of three generators
// type-checks under `strict`. The tools are fetched by npx at exact versions; they are no packages of the project.

import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { elapsedMs } from '../src/base/clock.ts'

const root = join(import.meta.dirname, '..')
const document = join(root, 'docs/openapi.json')
const out = mkdtempSync(join(tmpdir(), 'bozor-openapi-'))
const deadlineMs = 600_000
const maxOutputBytes = 64 * 1024 * 1024

interface Tool {
  name: string
  packages: [string, ...string[]]
  binary: string
  args: string[]
  cwd: string
  /** What is wrong besides the exit code; undefined for nothing. */
  fault?(output: string): string | undefined
}

const rules = join(root, 'test/openapi')

/** Warnings do not change the exit code of Redocly. */
function redoclyFault(output: string): string | undefined {
  const { totals } = JSON.parse(output) as { totals: { errors: number; warnings: number } }
  return totals.errors + totals.warnings > 0 ? output : undefined
}

const tools: Tool[] = [
  {
    name: 'Redocly',
    packages: ['@redocly/cli@2.73.0'],
    binary: 'redocly',
    args: ['lint', document, '--config', 'redocly.yaml', '--format', 'json'],
    cwd: rules,
    fault: redoclyFault,
  },
  {
    name: 'Spectral',
    packages: ['@stoplight/spectral-cli@6.16.3'],
    binary: 'spectral',
    args: ['lint', document, '--ruleset', 'spectral.yaml', '--fail-severity', 'hint'],
    cwd: rules,
  },
  {
    name: 'openapi-typescript',
    packages: ['openapi-typescript@7.13.0', 'typescript@5.9.3'],
    binary: 'openapi-typescript',
    args: [document, '-o', join(out, 'openapi-typescript.ts')],
    cwd: out,
  },
  {
    name: 'Hey API',
    // It uses the compiler API of TypeScript 5.
    packages: ['@hey-api/openapi-ts@0.99.0', 'typescript@5.9.3'],
    binary: 'openapi-ts',
    args: ['-i', document, '-o', join(out, 'hey-api')],
    cwd: out,
  },
  {
    name: 'Orval',
    packages: ['orval@8.33.0', 'typescript@5.9.3'],
    binary: 'orval',
    args: ['--input', document, '--output', join(out, 'orval.ts'), '--client', 'fetch'],
    cwd: out,
  },
]

/** Runs a program and returns what is wrong. It reads nothing from this terminal: Spectral would wait for a document. */
function faultOf(command: string, args: string[], { cwd, fault }: Pick<Tool, 'cwd' | 'fault'>) {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: deadlineMs,
    maxBuffer: maxOutputBytes,
  })
  if (error) return error.message
  return status === 0 ? fault?.(stdout) : stdout + stderr
}

let failed = 0
function check(name: string, run: () => string | undefined): void {
  const startedMs = elapsedMs()
  const fault = run()
  if (fault !== undefined) failed++
  console.log(
    `${fault === undefined ? '✔' : '✖'} ${name} (${((elapsedMs() - startedMs) / 1000).toFixed(1)} s)`,
  )
  if (fault !== undefined) console.log(fault)
}

const strictProject = {
  compilerOptions: {
    strict: true,
    noEmit: true,
    target: 'es2022',
    module: 'esnext',
    moduleResolution: 'bundler',
    lib: ['es2023', 'dom', 'dom.iterable'],
    types: [],
  },
  include: ['**/*.ts'],
}

try {
  for (const tool of tools)
    check(`${tool.name}, ${tool.packages[0]}`, () =>
      faultOf(
        'npx',
        ['--yes', ...tool.packages.flatMap((it) => ['--package', it]), tool.binary, ...tool.args],
        tool,
      ),
    )
  writeFileSync(join(out, 'tsconfig.json'), JSON.stringify(strictProject))
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  check('the generated clients type-check under strict', () =>
    faultOf(process.execPath, [compiler, '-p', out], { cwd: out }),
  )
} finally {
  rmSync(out, { recursive: true, force: true })
}
process.exitCode = failed === 0 ? 0 : 1
