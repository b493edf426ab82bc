// Keeps node_modules in step with package-lock.json, so that starting is one command.

import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { accessSync, constants, utimesSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ended } from './child.js'

/** Installs what the lockfile requires, unless it is installed. `needs` is `runtime` or `development`. */
export async function ensureInstalled(root, needs) {
  if (isInstalled(root, needs)) return
  requireWritable(root)
  const release = await lockInstall(join(root, '.cache', 'install.lock'))
  try {
    // Another start may have done it while we waited.
    if (!isInstalled(root, needs)) await install(root, needs)
  } finally {
    release()
  }
}

const say = (text) => process.stderr.write(`bozor: ${text}\n`)

function isInstalled(root, needs) {
  const { lockfile, hash } = readLockfile(root)
  const marker = readJson(markerIn(root))
  if (marker?.lockfile === hash && (marker.set === 'development' || needs === 'runtime')) return true
  // npm may have been run by hand.
  const found = readJson(join(root, 'node_modules', '.package-lock.json'))
  if (!found || !satisfies(found.packages, JSON.parse(lockfile).packages, needs)) return false
  writeMarker(root, { lockfile: hash, set: needs })
  return true
}

function readLockfile(root) {
  const lockfile = readFileSync(join(root, 'package-lock.json'), 'utf8')
  return { lockfile, hash: createHash('sha256').update(lockfile).digest('hex') }
}

/** Whether npm's record of installed packages has all that the lockfile requires on every platform. */
function satisfies(found, wanted, needs) {
  return Object.entries(wanted).every(([path, { version, dev, optional, devOptional }]) => {
    const needed = path !== '' && !optional && !devOptional && (!dev || needs === 'development')
    return !needed || found[path]?.version === version
  })
}

async function install(root, needs) {
  const before = readJson(join(root, 'node_modules', '.package-lock.json'))?.packages
  const hadTools = before !== undefined && Object.values(before).some(({ dev }) => dev)
  const set = needs === 'development' || hadTools ? 'development' : 'runtime'
  const reason = before
    ? 'package-lock.json asks for other packages than are installed'
    : 'this is the first start'
  say(`installing the ${set} packages with npm, because ${reason}`)

  const begun = Date.now()
  const tools = set === 'runtime' ? '--omit=dev' : '--include=dev'
  // npm would warn that packages need a newer Node than the one it runs on; they get it.
  await runNpm(root, [
    'ci',
    '--ignore-scripts',
    '--include=optional',
    tools,
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ])
  writeMarker(root, { lockfile: readLockfile(root).hash, set })
  say(`installed in ${((Date.now() - begun) / 1000).toFixed(1)} s`)
}

/** What npm prints goes to stderr: a caller may read JSON from our stdout. */
async function runNpm(root, args) {
  const [file, ...before] = npmCommand()
  const shell = file === 'npm' && process.platform === 'win32'
  const { code, signal } = await ended(
    spawn(file, [...before, ...args], { cwd: root, stdio: ['ignore', process.stderr, 'inherit'], shell }),
  )
  if (code === 0) return
  const error = new Error(
    `npm could not install the packages (${signal ?? `exit code ${code}`}). The first start needs the npm registry ` +
      `(see what npm says above, or npm ping) and a folder that you may write to: ${root}`,
  )
  error.exitCode = signal === 'SIGINT' ? 130 : 1
  throw error
}

/** npm's own script where it is found: it needs neither PATH nor a shell. */
function npmCommand() {
  const { npm_execpath: caller } = process.env
  const prefix = dirname(process.execPath)
  const scripts = [
    caller && /^npm-cli\.c?js$/.test(basename(caller)) ? caller : '',
    join(prefix, '..', 'lib', 'node_modules', 'npm', 'bin', 'npm-cli.js'),
    join(prefix, 'node_modules', 'npm', 'bin', 'npm-cli.js'),
  ]
  const script = scripts.find((path) => path !== '' && existsSync(path))
  return script ? [process.execPath, script] : ['npm']
}

function requireWritable(root) {
  try {
    const modules = join(root, 'node_modules')
    accessSync(root, constants.W_OK)
    if (existsSync(modules)) accessSync(modules, constants.W_OK)
  } catch {
    throw new Error(
      `packages have to be installed in ${root}, but you may not write there. ` +
        `Let its owner run "npm ci --ignore-scripts" in it once, or make a clone of your own.`,
    )
  }
}

/** Waits for the right to install. The lock of a dead or stopped process is ignored. */
async function lockInstall(path) {
  mkdirSync(dirname(path), { recursive: true })
  let isAnnounced = false
  while (!created(path)) {
    const holder = readText(path)
    if (holder !== undefined && isStale(path, holder)) remove(path, holder)
    else if (!isAnnounced) say(`waiting for process ${holder}, which is installing the packages`)
    isAnnounced = true
    await sleep(200)
  }
  const pulse = setInterval(() => touch(path), pulseMs)
  return () => {
    clearInterval(pulse)
    rmSync(path, { force: true })
  }
}

const pulseMs = 2_000
const staleAfterMs = 30_000

function created(path) {
  try {
    writeFileSync(path, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code === 'EEXIST') return false
    throw error
  }
}

function isStale(path, holder) {
  try {
    if (Date.now() - statSync(path).mtimeMs > staleAfterMs) return true
    if (holder !== '') process.kill(Number(holder), 0)
    return false
  } catch (error) {
    return error.code === 'ESRCH'
  }
}

/** Two processes may find the same lock stale; the slower one must not remove the lock of the faster one. */
function remove(path, judged) {
  const aside = `${path}.${process.pid}`
  try {
    renameSync(path, aside)
    if (readText(aside) !== judged) linkSync(aside, path)
  } catch (error) {
    if (error.code !== 'ENOENT' && error.code !== 'EEXIST') throw error
  } finally {
    rmSync(aside, { force: true })
  }
}

function touch(path) {
  try {
    utimesSync(path, new Date(), new Date())
  } catch {
    // The folder is being removed; npm will report it.
  }
}

const markerIn = (root) => join(root, 'node_modules', '.bozor-install.json')

/** In an image the packages may belong to another user; then the check runs at each start. */
function writeMarker(root, marker) {
  try {
    writeFileSync(markerIn(root), JSON.stringify(marker))
  } catch (error) {
    if (error.code !== 'EACCES' && error.code !== 'EROFS' && error.code !== 'EPERM') throw error
  }
}

function readJson(path) {
  const text = readText(path)
  try {
    return text === undefined ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}

function readText(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
