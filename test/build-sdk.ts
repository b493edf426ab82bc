// npm run build:sdk: the SDK as an npm package of its own, JavaScript with declarations, in dist/sdk or the given folder.
// Node refuses TypeScript inside node_modules, so the sources cannot be installed as they are.

import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const root = join(import.meta.dirname, '..')
const entry = { types: './index.d.ts', default: './index.js' }

/** Its name is that of the platform, so that `bozor/sdk` of every example means the same in other projects. */
export function buildSdk(folder: string): void {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  const compiler = join(root, 'node_modules/.bin/tsc')
  const { status, stdout, stderr } = spawnSync(
    compiler,
    ['-p', join(root, 'src/sdk/tsconfig.build.json'), '--outDir', folder],
    { encoding: 'utf8' },
  )
  if (status !== 0) throw new Error(`the SDK does not compile:\n${stdout}${stderr}`)
  copyFileSync(join(root, 'src/sdk/README.md'), join(folder, 'README.md'))
  const description = {
    name: 'bozor',
    version,
    description: 'Typed client of the Bozor API for browsers, Node, Deno and Bun, without dependencies.',
    license: 'UNLICENSED',
    type: 'module',
    sideEffects: false,
    exports: { '.': entry, './sdk': entry },
    engines: { node: '>=20' },
  }
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(description, null, 2)}\n`)
}

// bin/build-sdk.js imports this file under Node 24, so it is not the main module.
if (process.argv[1] === import.meta.filename) {
  const folder = resolve(process.argv[2] ?? join(root, 'dist/sdk'))
  buildSdk(folder)
  console.log(`${folder}: install it in another project with "npm install ${folder}"`)
}
