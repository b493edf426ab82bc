// The TypeScript of the guides and of all operations in the reference compiles under `strict`, as a reader pastes it.

import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { codeBlocks } from '../src/reference/markdown.ts'
import { readGuides } from '../src/reference/open-site.ts'
import { operationsOf } from '../src/reference/operation.ts'
import { referenceDocument } from '../src/reference/pages.ts'
import { snippetsOf } from '../src/reference/snippets.ts'
import { allRoutes } from './support/routes.ts'

const root = join(import.meta.dirname, '..')
const origin = 'https://shop.example'

const programs = new Map<string, string>()
for (const { slug, markdown } of readGuides(origin)) {
  const blocks = codeBlocks(markdown).filter((it) => it.language === 'ts')
  if (blocks.length > 0) programs.set(`guides/${slug}`, blocks.map((it) => it.code).join('\n'))
}
const document = referenceDocument(await allRoutes(), { version: '1', origin })
for (const call of document.tags.flatMap((it) => operationsOf(document, it.name)))
  programs.set(`operations/${call.operation.operationId}`, snippetsOf(call, origin)[1]!.code)

/** What the guide for mobile applications leaves to the reader. */
const platform = `import type { Tokens } from 'bozor/sdk'
export declare function openInBrowser(url: string): Promise<string>
export declare const keychain: { save(tokens: Tokens): Promise<void> }
`

const folder = mkdtempSync(join(tmpdir(), 'bozor-examples-'))
try {
  for (const it of ['guides', 'operations']) mkdirSync(join(folder, it))
  writeFileSync(join(folder, 'guides/platform.ts'), platform)
  for (const [name, code] of programs) writeFileSync(join(folder, `${name}.ts`), `${code}\nexport {}\n`)
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  const compilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
    module: 'nodenext',
    target: 'es2024',
    lib: ['es2024', 'dom'],
    types: ['node'],
    paths: { 'bozor/sdk': [join(root, 'src/sdk/index.ts')] },
  }
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, include: ['guides/*.ts', 'operations/*.ts'] }),
  )
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  const { status, stdout } = spawnSync(process.execPath, [compiler, '-p', '.'], {
    cwd: folder,
    encoding: 'utf8',
  })
  console.log(`${programs.size} examples`)
  if (status !== 0) console.log(stdout)
  process.exitCode = status === 0 ? 0 : 1
} finally {
  rmSync(folder, { recursive: true })
}
