// The house rules, as a test. Folders and tables are read from disk, so a new module cannot be forgotten.

import { deepEqual, ok } from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'

// oxfmt-ignore
const ladder = [                                   // An import may only point to a line below its own.
  ['main.ts'],
  ['cli'],
  ['app.ts', 'demo'],
  ['marketing', 'recommendations', 'webhooks'],
  ['orders'],
  ['cart'],
  ['identity', 'catalog'],
  ['http'],
  ['base'],
  ['events.ts'],
]
const modules = ladder.slice(3, 7).flat() // Others enter these by index.ts only.
const rung = (home: string) => ladder.findIndex((line) => line.includes(home))
const mayImport = (from: string, to: string) =>
  from === 'web' ? to === 'sdk' : from !== 'sdk' && rung(from) < rung(to)

const maxLines = 400
const maxFunctionLines = 70

/** Tables and the file that owns each: a module's store, or the one file of base or http that names it first. */
const owners: Record<string, RegExp> = {
  outbox: /^src\/base\/(outbox|relay|housekeeping|test-clock)\.ts$/,
  job: /^src\/base\/(jobs|housekeeping|test-clock)\.ts$/,
  clock: /^src\/base\/(shop|test-clock)\.ts$/,
  idempotency: /^src\/http\/idempotency\.ts$/,
}
const ownerOf = (prefix: string) => owners[prefix] ?? new RegExp(`^src/${prefix}/store(\\.ts$|/)`)
const tables = globSync('migrations/*.sql').flatMap((file) =>
  [...readFileSync(file, 'utf8').matchAll(/^create table (\w+)/gm)].map(([, name]) => name!),
)

type Rule = (file: string, text: string) => string[]

const standsOnTheLadder: Rule = (file) => {
  const [, home = ''] = file.split('/')
  return rung(home) < 0 && home !== 'sdk' && home !== 'web' ? [`"${home}" stands on no rung`] : []
}

const importsPointDown: Rule = (file, text) => {
  const [, from = ''] = file.split('/')
  return [...text.matchAll(/(?:from|import\() ?'(\.[^']+)'/g)].flatMap(([, path = '']) => {
    const target = join(dirname(file), path)
    const [, to = ''] = target.split('/')
    if (to === from || !target.startsWith('src/')) return []
    if (!mayImport(from, to)) return [`may not import ${to}`]
    return modules.includes(to) && !target.endsWith('/index.ts') ? [`enters ${to} by the window`] : []
  })
}

const tablesAreNamedByTheirOwner: Rule = (file, text) =>
  tables
    .filter((table) => new RegExp(`\\b(from|into|update|join|table) ${table}\\b`).test(text))
    .filter((table) => !ownerOf(table.split('_')[0]!).test(file))
    .map((table) => `names the table ${table}`)

const filesFitAScreenOrThree: Rule = (_file, text) =>
  text.split('\n').length > maxLines ? [`is longer than ${maxLines} lines`] : []

const functionsFitAScreen: Rule = (_file, text) => {
  const lines = text.split('\n')
  return lines.flatMap((line, at) => {
    const name =
      /^(?:export )?(?:async )?function\*? (\w+)/.exec(line)?.[1] ??
      /^  (?:async )?(#?\w+)\([^'`]*\{$/.exec(line)?.[1]
    if (!name) return []
    const close = `${/^ */.exec(line)![0]}}`
    const length = lines.slice(at).findIndex((it) => it === close) + 1
    return length > maxFunctionLines ? [`${name} is longer than ${maxFunctionLines} lines`] : []
  })
}

const onlyBaseAsksTheMachine: Rule = (file, text) =>
  /^src\/(base\/(clock|random)\.ts|web\/|sdk\/)/.test(file)
    ? []
    : [...text.matchAll(/\b(Date\.now\(\)|new Date\(\)|Math\.random\(\))/g)].map(
        ([, it]) => `asks ${it} itself`,
      )

const onlyMainReadsTheEnvironment: Rule = (file, text) =>
  file !== 'src/main.ts' && /\bprocess\.env\b/.test(text) && !file.startsWith('src/base/postgres/')
    ? ['reads the environment']
    : []

const noStateInModules: Rule = (_file, text) =>
  /^(?:export )?let /m.test(text) ? ['keeps state in the module'] : []

const namesSaySomething: Rule = (file) => {
  const bad = /\b(utils?|helpers?|common|types|service|manager|misc)\b/i.exec(file.replace(/.*\//, ''))
  return bad ? [`is named "${bad[0]}"`] : []
}

const noDefaultExports: Rule = (_file, text) =>
  /^export default/m.test(text) ? ['has a default export'] : []

const everyRule = [
  standsOnTheLadder,
  importsPointDown,
  tablesAreNamedByTheirOwner,
  filesFitAScreenOrThree,
  functionsFitAScreen,
  onlyBaseAsksTheMachine,
  onlyMainReadsTheEnvironment,
  noStateInModules,
  namesSaySomething,
  noDefaultExports,
]
const complaints = (file: string, text: string): string[] =>
  everyRule.flatMap((rule) => rule(file, text)).map((it) => `${file} ${it}`)

const sources = () => globSync('src/**/*.ts').filter((it) => !it.includes('/kernels/source/'))

test('the house is tidy', () => {
  const code = sources().filter((it) => !it.endsWith('.test.ts'))
  ok(code.length > 50, 'the check must see the code')
  deepEqual(
    code.flatMap((file) => complaints(file, readFileSync(file, 'utf8'))),
    [],
  )
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

test('every module has its page', () => {
  const homes = new Set(
    sources()
      .map((it) => it.split('/')[1]!)
      .filter((it) => modules.includes(it)),
  )
  const pages = new Set(globSync('src/*/README.md').map((it) => it.split('/')[1]!))
  deepEqual(
    [...homes].filter((it) => !pages.has(it)),
    [],
  )
})

test('the lockfile holds no download addresses', () => {
  ok(!readFileSync('package-lock.json', 'utf8').includes('"resolved"'))
})

test('the tidy check can fail', () => {
  const inCatalog = (text: string) => complaints('src/catalog/x.ts', text)
  deepEqual(inCatalog(`import '' from '../cart/index.ts'`), ['src/catalog/x.ts may not import cart'])
  deepEqual(inCatalog(`import '' from '../identity/index.ts'`), ['src/catalog/x.ts may not import identity'])
  deepEqual(complaints('src/cart/x.ts', `import '' from '../catalog/store.ts'`), [
    'src/cart/x.ts enters catalog by the window',
  ])
  deepEqual(complaints('src/cart/x.ts', 'select 1 from catalog_brands'), [
    'src/cart/x.ts names the table catalog_brands',
  ])
  deepEqual(inCatalog('delete from catalog_brands'), ['src/catalog/x.ts names the table catalog_brands'])
  deepEqual(complaints('src/catalog/store.ts', 'delete from catalog_brands'), [])
  deepEqual(inCatalog('\n'.repeat(400)), ['src/catalog/x.ts is longer than 400 lines'])
  deepEqual(inCatalog(`function long() {${'\n  1'.repeat(70)}\n}`), [
    'src/catalog/x.ts long is longer than 70 lines',
  ])
  deepEqual(inCatalog('const at = Date.now()'), ['src/catalog/x.ts asks Date.now() itself'])
  deepEqual(inCatalog('const it = process.env.PORT'), ['src/catalog/x.ts reads the environment'])
  deepEqual(inCatalog('let count = 0'), ['src/catalog/x.ts keeps state in the module'])
  deepEqual(inCatalog('export default 1'), ['src/catalog/x.ts has a default export'])
  deepEqual(complaints('src/catalog/brand-utils.ts', ''), ['src/catalog/brand-utils.ts is named "utils"'])
  deepEqual(complaints('src/loyalty/x.ts', ''), ['src/loyalty/x.ts "loyalty" stands on no rung'])
  deepEqual(complaints('src/base/x.ts', `import '' from '../http/x.ts'`), [
    'src/base/x.ts may not import http',
  ])
  deepEqual(complaints('src/web/x.ts', `import '' from '../cart/index.ts'`), [
    'src/web/x.ts may not import cart',
  ])
  deepEqual(complaints('src/sdk/x.ts', `import '' from '../base/x.ts'`), ['src/sdk/x.ts may not import base'])
  deepEqual(complaints('src/orders/x.ts', `import '' from '../cart/index.ts'`), [])
})

test('every migration has a number of its own, so that their order is plain', () => {
  const numbers = globSync('migrations/*.sql').map(
    (file) => /^migrations\/(\d{4})-[a-z-]+\.sql$/.exec(file)?.[1],
  )
  ok(numbers.length > 5)
  deepEqual(new Set(numbers).size, numbers.length, numbers.toSorted().join(' '))
  ok(!numbers.includes(undefined))
})
