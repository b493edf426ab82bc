// Files of uploaded pictures, in the data directory or in a bucket. Names are hashes of the upload, so a file never
// changes. Buyers get them from this server in both cases: the bucket stays private.

import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { Clock } from '../../base/clock.ts'
import type { Environment } from '../../base/database.ts'
import { secretText } from '../../base/random.ts'
import { refuse } from '../../base/refusal.ts'
import type { Page } from '../../http/server.ts'
import { type Size, widths } from './drawings.ts'
import { callS3, type S3Bucket } from '../../base/s3.ts'

const root = '/pictures/uploads'
const nameForm = /^[0-9a-f]{32}-(lg|md|sm)\.webp$/
const sizes = Object.keys(widths) as Size[]
const type = 'image/webp'

export interface PictureFiles {
  save(environment: Environment, id: string, files: Record<Size, Buffer>): Promise<void>
  remove(environment: Environment, id: string): Promise<void>
  pages: Page[]
}

/** Where files are stored, by keys such as `test/0f/0f3c…-md.webp`. */
interface FileStore {
  write(key: string, bytes: Buffer): Promise<void>
  read(key: string): Promise<Buffer | undefined>
  remove(key: string): Promise<void>
}

export interface PictureSettings {
  dataDir: string
  picturesS3: S3Bucket | undefined
  clock: Clock
}

const fileName = (id: string, size: Size): string => `${id}-${size}.webp`
const keyOf = (environment: string, file: string): string => `${environment}/${file.slice(0, 2)}/${file}`

export function openPictureFiles({ dataDir, picturesS3, clock }: PictureSettings): PictureFiles {
  const store = picturesS3 ? inBucket(picturesS3, clock) : inFolder(resolve(dataDir, 'pictures'))
  return {
    save: async (environment, id, files) => {
      for (const size of sizes) await store.write(keyOf(environment, fileName(id, size)), files[size])
    },
    remove: async (environment, id) => {
      for (const size of sizes) await store.remove(keyOf(environment, fileName(id, size)))
    },
    pages: [
      {
        path: `${root}/{environment}/{file}`,
        run: async ({ params: { environment = '', file = '' } }) => {
          if (!/^(live|test)$/.test(environment) || !nameForm.test(file)) throw refuse('not_found')
          const bytes = await store.read(keyOf(environment, file))
          if (!bytes) throw refuse('not_found')
          return { type, body: '', bytes, headers: forever }
        },
      },
    ],
  }
}

const inFolder = (folder: string): FileStore => ({
  write: async (key, bytes) => {
    const home = dirname(join(folder, key))
    await mkdir(home, { recursive: true })
    // A rename is atomic: no reader sees half a file.
    const draft = join(home, `.${secretText(12)}`)
    await writeFile(draft, bytes)
    await rename(draft, join(folder, key))
  },
  read: (key) =>
    readFile(join(folder, key)).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
      throw error
    }),
  remove: (key) => rm(join(folder, key), { force: true }),
})

const retrySeconds = 5

/** An unreachable bucket makes pictures unavailable and nothing else. */
function inBucket(bucket: S3Bucket, clock: Clock): FileStore {
  const call = (request: Parameters<typeof callS3>[1]) =>
    callS3(bucket, request, clock.now()).catch((error: unknown) => {
      throw Object.assign(refuse('service_unavailable', { retry_after: retrySeconds }), { cause: error })
    })
  return {
    write: async (key, bytes) => {
      const written = await call({ method: 'PUT', key, body: bytes, type })
      // A missing bucket replies 404.
      if (!written) throw refuse('service_unavailable', { retry_after: retrySeconds })
    },
    read: (key) => call({ method: 'GET', key }),
    remove: async (key) => void (await call({ method: 'DELETE', key })),
  }
}

const forever = {
  'cache-control': 'public, max-age=31536000, immutable',
  'content-security-policy': "default-src 'none'",
}

/** Where the sizes of a picture are served, as products store them. */
export const uploadedPaths = (environment: Environment, id: string) => {
  const path = (size: Size) => `${root}/${environment}/${fileName(id, size)}`
  return { lg_path: path('lg'), md_path: path('md'), sm_path: path('sm') }
}
