// Structure rules as a test. Folders, tables and migrations are read from disk, so a new module is always covered.

import { deepEqual, ok } from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'

// An import may only point to a lower line than its own.
// oxfmt-ignore
const ladder = [
  ['main.ts'],
  ['cli'],
  ['app.ts', 'demo'],
  ['reference', 'web', 'mcp'],
  ['marketing', 'recommendations', 'webhooks'],
  ['orders'],
  ['cart'],
  ['identity', 'catalog'],
  ['ml', 'search'],
  ['http'],
  ['base'],
  ['events.ts'],
]
/** Other modules import these through index.ts only. */
const modules = [
  'marketing',
  'recommendations',
  'webhooks',
  'orders',
  'cart',
  'identity',
  'catalog',
  'search',
]
const rung = (home: string) => ladder.findIndex((line) => line.includes(home))
/** Commands that call a server use the SDK, as any other client does. */
const usesSdk = (from: string, to: string) => from === 'cli' && to === 'sdk'
const mayImport = (from: string, to: string) =>
  from === 'web' || from === 'mcp'
    ? ['sdk', 'http', 'base'].includes(to)
    : usesSdk(from, to) || (from !== 'sdk' && rung(from) < rung(to))
/** Code that runs in browsers; the rest of `web` runs in the server. */
const isForBrowsers = (file: string) => /^src\/web\/(dashboard\/(?!server\/)|[a-z]+\/client\/)/.test(file)

const maxLines = 400
const maxFunctionLines = 70
const maxReadmeLines = 80
const readmeHeadings = [
  'What it does',
  'Concepts',
  'Rules',
  'API',
  'Events',
  'Tables',
  'Where to change what',
]

/** The files of base and http that own tables; every other table belongs to the stores of the module it is named after. */
const owners: Record<string, RegExp> = {
  outbox: /^src\/base\/(outbox|relay|housekeeping|test-clock|[a-z-]*events?)\.ts$/,
  job: /^src\/base\/(jobs|housekeeping|test-clock|job-[a-z]+)\.ts$/,
  clock: /^src\/base\/(shop|test-clock)\.ts$/,
  idempotency: /^src\/http\/idempotency\.ts$/,
}
const ownerOf = (prefix: string) =>
  owners[prefix] ?? new RegExp(`^src/${prefix}/(.+/)?([a-z-]+-)?store(\\.ts$|/)`)
const migrations = globSync('migrations/*.sql')
  .map((file) => readFileSync(file, 'utf8'))
  .join('\n')
const renamed = new Map(
  [...migrations.matchAll(/^alter table (\w+) rename to (\w+)/gm)].map(([, from, to]) => [from!, to!]),
)
const tables = [...migrations.matchAll(/^create table (\w+)/gm)].map(
  ([, name]) => renamed.get(name!) ?? name!,
)

type Rule = (file: string, text: string) => string[]

const isOnTheLadder: Rule = (file) => {
  const [, home = ''] = file.split('/')
  return rung(home) < 0 && home !== 'sdk' ? [`"${home}" is on no line of the ladder`] : []
}

/** Paths of the files that `text` imports, types included. */
const importsOf = (file: string, text: string): string[] =>
  [...text.matchAll(/(?:from|import\(|^import) ?'(\.[^']+)'/gm)].map(([, path = '']) =>
    join(dirname(file), path),
  )

const importsPointDown: Rule = (file, text) => {
  const [, from = ''] = file.split('/')
  return importsOf(file, text).flatMap((target) => {
    const [, to = ''] = target.split('/')
    if (to === from || !target.startsWith('src/')) return []
    if (!mayImport(from, to) || (isForBrowsers(file) && to !== 'sdk')) return [`may not import ${to}`]
    return modules.includes(to) && !target.endsWith('/index.ts') ? [`imports ${to} past its index.ts`] : []
  })
}

const tablesAreNamedByTheirOwner: Rule = (file, text) =>
  tables
    .filter((table) => new RegExp(`\\b(from|into|update|join|table) ${table}\\b`).test(text))
    .filter((table) => !ownerOf(table.split('_')[0]!).test(file))
    .map((table) => `names the table ${table}`)

const filesAreShort: Rule = (_file, text) =>
  text.split('\n').length > maxLines ? [`is longer than ${maxLines} lines`] : []

/** Lines that open a function body: declarations, methods and arrow functions. The formatter aligns the closing brace. */
const opensFunction =
  /(?:\bfunction\*? ?\w*.*|^ *(?:static )?(?:async )?(?:get )?#?\w+\(.*\).*|^ *\).*|=>) \{$/
const isStatement = /^ *(?:if|for|while|switch|catch|else|do|try|return|\} else|\} catch)\b/

const functionsFitAScreen: Rule = (_file, text) => {
  const lines = text.split('\n')
  return lines.flatMap((line, at) => {
    const isFunction = opensFunction.test(line) && !(isStatement.test(line) && !line.endsWith('=> {'))
    if (!isFunction) return []
    const indent = /^ */.exec(line)![0]
    const length = lines.slice(at + 1).findIndex((it) => it.startsWith(`${indent}}`)) + 2
    return length > maxFunctionLines ? [`line ${at + 1} opens a function of ${length} lines`] : []
  })
}

const onlyBaseReadsClockAndChance: Rule = (file, text) =>
  /^src\/(base\/(clock|random)\.ts|web\/|sdk\/)/.test(file)
    ? []
    : [...text.matchAll(/\b(Date\.now\(\)|new Date\(\)|Math\.random\(\))/g)].map(([, it]) => `calls ${it}`)

const onlyMainReadsTheEnvironment: Rule = (file, text) =>
  file !== 'src/main.ts' && /\bprocess\.env\b/.test(text) && !file.startsWith('src/base/postgres/')
    ? ['reads the environment']
    : []

/** It keeps what follows from a template, which is part of the program. */
const keepsPartsOfTemplates = 'src/http/html.ts'

const noStateInModules: Rule = (file, text) =>
  /^(?:export )?let /m.test(text) ||
  (file !== keepsPartsOfTemplates &&
    !file.endsWith('.test.ts') &&
    /^(?:export )?const \w+(?!: Readonly)(?:: .*)? = new (?:Weak)?(?:Map|Set)\b[^(]*\(\)/m.test(text))
    ? ['keeps state in the module']
    : []

const namesSaySomething: Rule = (file) => {
  const bad = /\b(utils?|helpers?|common|types|service|manager|misc)\b/i.exec(file.replace(/.*\//, ''))
  return bad ? [`is named "${bad[0]}"`] : []
}

const noDefaultExports: Rule = (_file, text) =>
  /^export default/m.test(text) ? ['has a default export'] : []

const constantsAreCamelCase: Rule = (_file, text) =>
  [...text.matchAll(/^(?:export )?const ([A-Z][A-Z0-9_]*_[A-Z0-9_]+)\b/gm)].map(
    ([, name]) => `has the constant ${name}`,
  )

const everyRule = [
  isOnTheLadder,
  importsPointDown,
  tablesAreNamedByTheirOwner,
  filesAreShort,
  functionsFitAScreen,
  onlyBaseReadsClockAndChance,
  onlyMainReadsTheEnvironment,
  noStateInModules,
  namesSaySomething,
  noDefaultExports,
  constantsAreCamelCase,
]
const violations = (file: string, text: string): string[] =>
  everyRule.flatMap((rule) => rule(file, text)).map((it) => `${file} ${it}`)

/** Groups of files that import each other, types included (Tarjan's strongly connected components). */
function importCycles(files: Map<string, string>): string[][] {
  const index = new Map<string, number>()
  const low = new Map<string, number>()
  const stack: string[] = []
  const cycles: string[][] = []
  const visit = (file: string) => {
    index.set(file, index.size)
    low.set(file, index.get(file)!)
    stack.push(file)
    for (const next of importsOf(file, files.get(file)!)) {
      if (!files.has(next)) continue
      if (!index.has(next)) visit(next)
      if (stack.includes(next)) low.set(file, Math.min(low.get(file)!, low.get(next)!))
    }
    if (low.get(file) !== index.get(file)) return
    const group = stack.splice(stack.indexOf(file))
    if (group.length > 1) cycles.push(group.toSorted())
  }
  for (const file of files.keys()) if (!index.has(file)) visit(file)
  return cycles
}

const generated = ['src/sdk/operations.ts', 'src/sdk/schema.ts']
const sources = () =>
  globSync('src/**/*.{ts,tsx}').filter((it) => !it.includes('/kernels/source/') && !generated.includes(it))
const code = () => sources().filter((it) => !/\.test\.tsx?$/.test(it))

test('every source file keeps the structure rules', () => {
  ok(code().length > 50, 'the check must see the code')
  deepEqual(
    code().flatMap((file) => violations(file, readFileSync(file, 'utf8'))),
    [],
  )
})

test('no import cycle exists, also not of types', () => {
  deepEqual(importCycles(new Map(code().map((file) => [file, readFileSync(file, 'utf8')]))), [])
})

test('no test is skipped, and none is the only one', () => {
  const tests = [...sources(), ...globSync('test/**/*.ts'), ...globSync('bin/**/*.ts')].filter((it) =>
    it.endsWith('.test.ts'),
  )
  ok(tests.length > 10)
  const marked = tests.filter((it) =>
    /\b(test|it|describe)\.(skip|only|todo)\b/.test(readFileSync(it, 'utf8')),
  )
  deepEqual(
    marked.filter((it) => it !== 'test/tidy.test.ts'),
    [],
  )
})

const readmeFaults = (text: string): string[] => {
  const headings = [...text.matchAll(/^## (.+)$/gm)].map(([, it]) => it!)
  const lines = text.trimEnd().split('\n').length
  return [
    ...(headings.join() === readmeHeadings.join() ? [] : [`has the headings ${headings.join(', ')}`]),
    ...(lines > maxReadmeLines ? [`has ${lines} lines`] : []),
  ]
}

test('every module has a README of one page with the same headings', () => {
  const others = [
    'ml',
    'search',
    'base',
    'http',
    'reference',
    'sdk',
    'mcp',
    'cli',
    'demo',
    'web/dashboard',
    'web/shop',
  ]
  const homes = new Set([...modules, ...others])
  deepEqual(
    [...homes].flatMap((home) => {
      const file = `src/${home}/README.md`
      if (!existsSync(file)) return [`${file} is missing`]
      return readmeFaults(readFileSync(file, 'utf8')).map((it) => `${file} ${it}`)
    }),
    [],
  )
})

/**
 * What the README of a module names that is not there: its own files by a path or a name below the folder, and tables.
 * A table that the module has and the README does not name is found too, unless it says `module_*`.
 */
function readmeErrors(home: string, text: string, paths: string[]): string[] {
  const names = [...text.matchAll(/`([^`\s]+)`/g)].map(([, it]) => it!)
  const isThere = (name: string) =>
    [name, join('src', name), join('src', home, name)].some((it) => existsSync(it)) ||
    paths.some((it) => `/${it}`.endsWith(`/${name}`))
  const ownTables = tables.filter((it) => it.startsWith(`${home}_`) && !it.endsWith('_default'))
  const named = (table: string) => names.includes(table) || names.includes(`${home}_*`)
  return [
    ...names.filter((it) => /^[\w./-]+\.(ts|txt)$/.test(it) && it !== 'llms.txt' && !isThere(it)),
    ...names.filter((it) => new RegExp(`^${home}_[a-z_]+$`).test(it) && !tables.includes(it)),
    ...(modules.includes(home) ? ownTables.filter((it) => !named(it)) : []),
  ]
}

test('the README of a module names files and tables that exist, and all its tables', () => {
  const homes = globSync('src/*/README.md').map((it) => it.split('/')[1]!)
  ok(homes.length > 12)
  const found = homes.flatMap((home) => {
    const paths = globSync('**/*', { cwd: join('src', home) })
    const text = readFileSync(join('src', home, 'README.md'), 'utf8')
    return readmeErrors(home, text, paths).map((it) => `src/${home}/README.md: ${it}`)
  })
  deepEqual(found, [])
  const webhooks = 'Open `a.ts` and `bus/nats.ts`. Tables: `webhooks_endpoints`, `webhooks_queue`.'
  const errors = readmeErrors('webhooks', webhooks, ['bus/nats.ts'])
  deepEqual(errors.slice(0, 2), ['a.ts', 'webhooks_queue'])
  ok(errors.includes('webhooks_deliveries') && !errors.includes('webhooks_endpoints'))
})

/** Files that are named as examples of files to write. */
const exampleFiles = new Set(['src/orders/payments/your-bank.ts', 'migrations/NNNN-name.sql'])

/** What a document names in backticks, by its path from the root, and what it links to. */
function namedFiles(file: string, text: string): string[] {
  const prose = text.replace(/```[^]*?```/g, '')
  const paths = prose.matchAll(/`((?:src|test|bin|bench|docs|deploy|migrations|examples)\/[\w./-]+)`/g)
  const links = prose.matchAll(/\]\((?![a-z]+:|\/)([^)#\s]+)/g)
  return [
    ...[...paths].map(([, it]) => it!).filter((it) => !exampleFiles.has(it)),
    ...[...links].map(([, it]) => join(dirname(file), it!)),
  ]
}

test('every file that a document names or links to exists', () => {
  const documents = globSync(['*.md', 'docs/**/*.md', 'src/**/*.md'])
  const named = documents.flatMap((file) =>
    namedFiles(file, readFileSync(file, 'utf8')).map((it) => ({ file, it })),
  )
  ok(named.length > 500)
  deepEqual(
    named.filter(({ it }) => !existsSync(it)).map(({ file, it }) => `${file} names ${it}`),
    [],
  )
  deepEqual(namedFiles('docs/x.md', 'See `src/a.ts`, [b](adr/b.md#c) and [d](https://e.example).'), [
    'src/a.ts',
    'docs/adr/b.md',
  ])
})

test('the lockfile holds no download addresses', () => {
  ok(!readFileSync('package-lock.json', 'utf8').includes('"resolved"'))
})

test('the structure rules can fail', () => {
  const inCatalog = (text: string) => violations('src/catalog/x.ts', text)
  deepEqual(inCatalog(`import '' from '../cart/index.ts'`), ['src/catalog/x.ts may not import cart'])
  deepEqual(inCatalog(`import '' from '../identity/index.ts'`), ['src/catalog/x.ts may not import identity'])
  deepEqual(violations('src/cart/x.ts', `import '' from '../catalog/store.ts'`), [
    'src/cart/x.ts imports catalog past its index.ts',
  ])
  deepEqual(violations('src/cart/x.ts', 'select 1 from catalog_brands'), [
    'src/cart/x.ts names the table catalog_brands',
  ])
  deepEqual(inCatalog('delete from catalog_brands'), ['src/catalog/x.ts names the table catalog_brands'])
  deepEqual(violations('src/catalog/brands/store.ts', 'delete from catalog_brands'), [])
  deepEqual(inCatalog('\n'.repeat(400)), ['src/catalog/x.ts is longer than 400 lines'])
  for (const opening of [
    'function long() {',
    'const long = (a: string) => {',
    'export async function long() {',
  ])
    deepEqual(inCatalog(`${opening}${'\n  1'.repeat(70)}\n}`), [
      'src/catalog/x.ts line 1 opens a function of 72 lines',
    ])
  deepEqual(inCatalog(`class A {\n  long(a: string): void {${'\n    1'.repeat(70)}\n  }\n}`), [
    'src/catalog/x.ts line 2 opens a function of 72 lines',
  ])
  deepEqual(inCatalog('const at = Date.now()'), ['src/catalog/x.ts calls Date.now()'])
  deepEqual(inCatalog('const it = process.env.PORT'), ['src/catalog/x.ts reads the environment'])
  deepEqual(inCatalog('let count = 0'), ['src/catalog/x.ts keeps state in the module'])
  deepEqual(inCatalog('const known = new WeakMap<object, number>()'), [
    'src/catalog/x.ts keeps state in the module',
  ])
  deepEqual(inCatalog(`const known = new Set(['a'])`), [])
  deepEqual(inCatalog('export default 1'), ['src/catalog/x.ts has a default export'])
  deepEqual(inCatalog('const MAX_LINES = 1'), ['src/catalog/x.ts has the constant MAX_LINES'])
  deepEqual(violations('src/catalog/brand-utils.ts', ''), ['src/catalog/brand-utils.ts is named "utils"'])
  deepEqual(violations('src/loyalty/x.ts', ''), ['src/loyalty/x.ts "loyalty" is on no line of the ladder'])
  deepEqual(violations('src/base/x.ts', `import '' from '../http/x.ts'`), [
    'src/base/x.ts may not import http',
  ])
  deepEqual(violations('src/web/x.ts', `import '' from '../cart/index.ts'`), [
    'src/web/x.ts may not import cart',
  ])
  deepEqual(violations('src/web/dashboard/x.tsx', `import '' from '../../http/x.ts'`), [
    'src/web/dashboard/x.tsx may not import http',
  ])
  deepEqual(violations('src/web/build/x.ts', `import '' from '../../http/x.ts'`), [])
  deepEqual(violations('src/sdk/x.ts', `import '' from '../base/x.ts'`), ['src/sdk/x.ts may not import base'])
  deepEqual(violations('src/orders/x.ts', `import '' from '../cart/index.ts'`), [])
  deepEqual(
    importCycles(
      new Map([
        ['src/a.ts', `import type { B } from './b.ts'`],
        ['src/b.ts', `import { c } from './c.ts'`],
        ['src/c.ts', `export * from './a.ts'`],
        ['src/d.ts', `import { a } from './a.ts'`],
      ]),
    ),
    [['src/a.ts', 'src/b.ts', 'src/c.ts']],
  )
  deepEqual(readmeFaults('## Concepts\n'), ['has the headings Concepts'])
})

test('every migration has a number of its own, so that their order is plain', () => {
  const numbers = globSync('migrations/*.sql').map(
    (file) => /^migrations\/(\d{4})-[a-z-]+\.sql$/.exec(file)?.[1],
  )
  ok(numbers.length > 5)
  deepEqual(new Set(numbers).size, numbers.length, numbers.toSorted().join(' '))
  ok(!numbers.includes(undefined))
})
