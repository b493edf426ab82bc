// The build tools for an installation without development packages: only those that the pages need, in the versions of
// the lockfile, in a folder of their own beside a copy of the sources. A full installation of the development packages
// would take twice as long as the rest of a first start.

import { spawn } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createHash } from 'node:crypto'
import { dirname, join } from 'node:path'
import { existsSync } from 'node:fs'
import { projectRoot, webSources } from './folders.ts'

/** Packages that the bundler and the pages import. */
const toolNames = [
  '@tailwindcss/vite',
  '@tanstack/react-query',
  '@tanstack/react-router',
  '@tanstack/react-virtual',
  '@vitejs/plugin-react',
  'radix-ui',
  'react',
  'react-dom',
  'tailwindcss',
  'uplot',
  'vite',
]

interface LockedPackage {
  version?: string
  dev?: boolean
  devOptional?: boolean
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
}

interface Lockfile {
  lockfileVersion: number
  packages: Record<string, LockedPackage>
}

/** Returns a folder with the tools and a copy of the sources, in which the bundler runs. */
export async function installTools(parent: string): Promise<string> {
  const lockfile = JSON.parse(readFileSync(join(projectRoot, 'package-lock.json'), 'utf8')) as Lockfile
  const { manifest, lock } = toolsOf(lockfile)
  const digest = createHash('sha256').update(JSON.stringify(lock)).digest('hex').slice(0, 16)
  const folder = join(parent, `web-tools-${digest}`)
  const marker = join(folder, 'installed')
  mkdirSync(folder, { recursive: true })
  if (!existsSync(marker)) {
    writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest))
    writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lock))
    await runNpm(folder)
    writeFileSync(marker, '')
  }
  for (const file of webSources().filter((it) => it !== 'package-lock.json'))
    cpSync(join(projectRoot, file), join(folder, file))
  return folder
}

/** The part of the lockfile that the tools need. */
export function toolsOf({ lockfileVersion, packages }: Lockfile): { manifest: object; lock: Lockfile } {
  const wanted = new Map<string, LockedPackage>()
  const visit = (from: string, names: string[]) => {
    for (const name of names) {
      const path = placeOf(packages, from, name)
      if (path === undefined || wanted.has(path)) continue
      const { dev: _dev, devOptional: _devOptional, ...found } = packages[path]!
      wanted.set(path, found)
      visit(path, [
        ...Object.keys(found.dependencies ?? {}),
        ...Object.keys(found.optionalDependencies ?? {}),
        ...Object.keys(found.peerDependencies ?? {}),
      ])
    }
  }
  visit('', toolNames)
  const dependencies = Object.fromEntries(
    toolNames.map((name) => [name, packages[`node_modules/${name}`]?.version ?? '*']),
  )
  const manifest = { name: 'bozor-web-tools', version: '0.0.0', private: true, type: 'module', dependencies }
  const lock = {
    name: 'bozor-web-tools',
    lockfileVersion,
    requires: true,
    packages: {
      '': { name: 'bozor-web-tools', version: '0.0.0', dependencies },
      ...Object.fromEntries(wanted),
    },
  }
  return { manifest, lock }
}

/** Where a package that `from` imports is: nested below it, or below one of the folders above. */
function placeOf(packages: Lockfile['packages'], from: string, name: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    if (folder === '.') folder = ''
    const path = folder ? `${folder}/node_modules/${name}` : `node_modules/${name}`
    if (packages[path]) return path
    if (folder === '') return undefined
  }
}

const npmArguments = [
  'ci',
  '--ignore-scripts',
  '--include=optional',
  '--no-audit',
  '--no-fund',
  '--loglevel=error',
]

function runNpm(folder: string): Promise<void> {
  const shell = process.platform === 'win32'
  const child = spawn('npm', npmArguments, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'], shell })
  let output = ''
  child.stderr.on('data', (text: Buffer) => (output += text.toString()))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) =>
      code === 0
        ? resolve()
        : reject(new Error(`npm could not install the tools that build the pages:\n${output}`)),
    )
  })
}
