import { deepEqual, equal, match, rejects } from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { openS3Server } from '../../../test/support/s3.ts'
import { systemClock } from '../clock.ts'
import { readConfig } from '../config.ts'
import { listKeys } from '../s3.ts'
import { fetchBase, moveBase, moveSegments } from './bucket-archive.ts'

const s3 = await openS3Server()
const clock = systemClock()
const folders: string[] = []
after(() => folders.forEach((it) => rmSync(it, { recursive: true, force: true })))

function newArchive(prefix: string) {
  const archive = mkdtempSync(join(tmpdir(), 'bozor-archive-'))
  folders.push(archive)
  mkdirSync(join(archive, 'wal'))
  return { archive, bucket: { ...s3, url: `${s3.url}/${prefix}` }, clock }
}

const segment = (number: number) =>
  `0000000100000000000000${number.toString(16).toUpperCase().padStart(2, '0')}`

test('finished segments move into the bucket; one that is still written stays', async () => {
  const to = newArchive('segments')
  writeFileSync(join(to.archive, 'wal', segment(1)), 'one')
  writeFileSync(join(to.archive, 'wal', `${segment(2)}.part`), 'tw')
  equal(await moveSegments(to), 1)
  deepEqual(readdirSync(join(to.archive, 'wal')), [`${segment(2)}.part`])
  // PostgreSQL repeats a segment when it was killed before it noted the success.
  writeFileSync(join(to.archive, 'wal', segment(1)), 'one')
  equal(await moveSegments(to), 1)
})

test('a segment of another server is refused and stays in the folder', async () => {
  const to = newArchive('shared')
  const file = join(to.archive, 'wal', segment(1))
  writeFileSync(file, 'one')
  await moveSegments(to)
  writeFileSync(file, 'another')
  await rejects(moveSegments(to), /the bucket holds another 0000/)
  equal(existsSync(file), true)
})

test('a base backup comes back with its empty folders, and with the log from its start on', async () => {
  const to = newArchive('base')
  const base = join(to.archive, 'base-2026-11-17T02-00-00-000Z')
  mkdirSync(join(base, 'postgres', 'pg_twophase'), { recursive: true })
  writeFileSync(
    join(base, 'postgres', 'backup_label'),
    `START WAL LOCATION: 0/3000028 (file ${segment(3)})\n`,
  )
  const manifest = { completeAt: '2026-11-17T02:00:01.000Z', postgres: '18.4', files: [] }
  writeFileSync(join(base, 'base.json'), JSON.stringify(manifest))
  for (const it of [2, 3, 4]) writeFileSync(join(to.archive, 'wal', segment(it)), `log ${it}`)
  writeFileSync(join(to.archive, 'wal', '00000002.history'), 'history')
  equal(await moveBase(to, base), `${to.bucket.url}/base-2026-11-17T02-00-00-000Z`)
  equal(existsSync(base), false)

  const from = { ...newArchive('other'), bucket: to.bucket }
  const early = { until: new Date('2026-11-17T01:00:00Z'), account: undefined }
  await rejects(fetchBase(from, early), /earliest moment .* is 2026-11-17T02:00:01/)
  const found = await fetchBase(from, { until: undefined, account: undefined })
  deepEqual(readdirSync(join(found.folder, 'postgres')).toSorted(), ['backup_label', 'pg_twophase'])
  deepEqual(readdirSync(join(from.archive, 'wal')).toSorted(), [segment(3), segment(4), '00000002.history'])
})

test('a bucket without a base backup says what makes one', async () => {
  const from = newArchive('empty')
  await rejects(fetchBase(from, { until: undefined, account: undefined }), /holds no base backup/)
})

test('keys are listed over several pages', async () => {
  const { bucket } = newArchive('pages')
  const path = new URL(bucket.url).pathname
  for (let at = 0; at < 1_100; at++) s3.objects.set(`${path}/many/${at}`, Buffer.from(''))
  equal((await listKeys(s3, 'pages/many/', clock.now())).length, 1_100)
  equal(s3.refused.length, 0)
})

test('a bucket needs a folder for what is not in it yet', () => {
  const bucket = { WAL_ARCHIVE_S3_URL: 'https://s3.example', WAL_ARCHIVE_S3_KEY_ID: 'a' }
  const problemOf = (environment: Record<string, string>) => {
    try {
      readConfig(environment)
      return ''
    } catch (error) {
      return String(error)
    }
  }
  match(problemOf({ ...bucket, WAL_ARCHIVE_S3_SECRET: 'b' }), /WAL_ARCHIVE must be set/)
  match(problemOf(bucket), /WAL_ARCHIVE_S3_SECRET must be set together/)
})
