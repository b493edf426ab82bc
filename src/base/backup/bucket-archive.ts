// The archive of the log in a bucket. PostgreSQL and base backups write into the folder of the archive; from there files move
// to the bucket, and before a restore they come back.

import { existsSync } from 'node:fs'
import { chmod, chown, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import type { Clock } from '../clock.ts'
import type { Account } from '../postgres/account.ts'
import { walFolder } from '../postgres/archive.ts'
import { callS3, getFile, listKeys, putFile, type S3Bucket } from '../s3.ts'
import { type BaseBackup, baseBackupFor, baseManifest, clusterFolder } from './base-backup.ts'
import { BackupUnusable } from './errors.ts'

export interface BucketArchive {
  bucket: S3Bucket
  /** The folder of the archive. */
  archive: string
  clock: Clock
}

const walPrefix = 'wal/'
/** A bucket has no empty folders: a list of all of them is stored beside the files. */
const foldersFile = 'folders.json'
const parallel = 8
const compressed = promisify(gzip)
const expanded = promisify(gunzip)

/** Moves the finished segments of the log into the bucket; returns how many. Two processes may do it at once. */
export async function moveSegments({ bucket, archive, clock }: BucketArchive): Promise<number> {
  const folder = walFolder(archive)
  const names = existsSync(folder) ? (await readdir(folder)).filter((it) => !it.endsWith('.part')) : []
  let moved = 0
  for (const name of names.toSorted()) {
    const file = join(folder, name)
    const bytes = await readFile(file).catch(unlessMissing)
    if (!bytes) continue
    await putSegment({ bucket, clock }, name, bytes)
    await rm(file, { force: true })
    moved++
  }
  return moved
}

/** A segment that is there already must be equal: two servers never share an archive. */
async function putSegment(
  { bucket, clock }: Omit<BucketArchive, 'archive'>,
  name: string,
  bytes: Buffer,
): Promise<void> {
  const key = `${walPrefix}${name}.gz`
  const there = await callS3(bucket, { method: 'GET', key }, clock.now())
  if (there && !bytes.equals(await expanded(there)))
    throw new Error(`the bucket holds another ${name}: give every server a bucket or a prefix of its own`)
  // A segment that ends before it is full is mostly zeros.
  if (!there) await callS3(bucket, { method: 'PUT', key, body: await compressed(bytes) }, clock.now())
}

/** Moves a base backup into the bucket, its manifest last: a base backup without one is not complete. */
export async function moveBase(to: BucketArchive, folder: string): Promise<string> {
  await moveSegments(to)
  const name = basename(folder)
  const below = await entriesBelow(folder)
  await writeFile(join(folder, foldersFile), JSON.stringify(below.folders), { mode: 0o600 })
  const files = [...below.files.filter((it) => it !== baseManifest), foldersFile]
  const put = (file: string) => putFile(to.bucket, `${name}/${file}`, join(folder, file), to.clock.now())
  await runInParallel(files, put)
  await put(baseManifest)
  await rm(folder, { recursive: true, force: true })
  return `${to.bucket.url.replace(/\/$/, '')}/${name}`
}

/**
 * Brings what a restore needs into the folder of the archive: the base backup, and the log from its start on, which the
 * account that runs PostgreSQL reads.
 */
export async function fetchBase(
  from: BucketArchive,
  { until, account }: { until: Date | undefined; account: Account },
): Promise<BaseBackup> {
  const { bucket, archive, clock } = from
  const keys = await listKeys(bucket, 'base-', clock.now())
  const manifests = keys.filter((it) => it.endsWith(`/${baseManifest}`))
  if (manifests.length === 0)
    throw new BackupUnusable(`${bucket.url} holds no base backup. "bozor backup --base" makes one.`)
  const fetched = async (key: string) => {
    const file = join(archive, key)
    await mkdir(dirname(file), { recursive: true, mode: 0o700 })
    await getFile(bucket, key, `${file}.fetched`, clock.now())
    await rename(`${file}.fetched`, file)
  }
  await mkdir(archive, { recursive: true, mode: 0o700 })
  if (account) await chmod(archive, 0o711)
  await runInParallel(manifests, fetched)
  const base = await baseBackupFor(archive, until)
  const ofBase = keys.filter((it) => it.startsWith(`${basename(base.folder)}/`))
  await runInParallel(ofBase, fetched)
  const folders = JSON.parse(await readFile(join(base.folder, foldersFile), 'utf8')) as string[]
  for (const it of folders) await mkdir(join(base.folder, it), { recursive: true, mode: 0o700 })
  await fetchLog(from, await startOf(base), account)
  return base
}

/** Segments have their timeline in the first eight digits; histories of timelines have no segment. */
async function fetchLog(
  { bucket, archive, clock }: BucketArchive,
  first: string,
  account: Account,
): Promise<void> {
  const folder = walFolder(archive)
  const owned = async (path: string) => {
    if (account) await chown(path, account.uid, account.gid)
  }
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await owned(folder)
  const keys = await listKeys(bucket, walPrefix, clock.now())
  const isNeeded = (name: string) => name.endsWith('.history') || name.slice(8, 24) >= first.slice(8, 24)
  const needed = keys.map((it) => it.slice(walPrefix.length, -'.gz'.length)).filter(isNeeded)
  await runInParallel(needed, async (name) => {
    const bytes = await callS3(bucket, { method: 'GET', key: `${walPrefix}${name}.gz` }, clock.now())
    if (!bytes) return
    const file = join(folder, name)
    await writeFile(file, await expanded(bytes), { mode: 0o600 })
    await owned(file)
  })
}

/** The segment that holds the start of the base backup. */
async function startOf({ folder }: BaseBackup): Promise<string> {
  const label = await readFile(join(folder, clusterFolder, 'backup_label'), 'utf8')
  const found = /^START WAL LOCATION: \S+ \(file ([0-9A-F]{24})\)/m.exec(label)
  if (!found) throw new BackupUnusable(`${folder} is damaged: backup_label has no start of the log.`)
  return found[1]!
}

async function entriesBelow(folder: string): Promise<{ files: string[]; folders: string[] }> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true })
  const paths = (isFolder: boolean) =>
    entries
      .filter((it) => it.isDirectory() === isFolder)
      .map((it) => join(it.parentPath, it.name).slice(folder.length + 1))
  return { files: paths(false), folders: paths(true) }
}

function unlessMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}

async function runInParallel(all: readonly string[], work: (it: string) => Promise<void>): Promise<void> {
  const waiting = [...all]
  const next = async () => {
    for (let it = waiting.shift(); it !== undefined; it = waiting.shift()) await work(it)
  }
  await Promise.all(Array.from({ length: parallel }, next))
}
