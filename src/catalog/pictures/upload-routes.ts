// Upload of pictures, and the job that deletes those that nothing shows.

import { Type } from 'typebox'
import { dayMs } from '../../base/clock.ts'
import type { Job } from '../../base/jobs.ts'
import { sha256 } from '../../base/random.ts'
import { refuse } from '../../base/refusal.ts'
import { type Route, upload } from '../../http/route.ts'
import { integer } from '../../http/schema.ts'
import { type PictureFiles, uploadedPaths } from './picture-files.ts'
import { pictureTypes, resizePicture } from './resize-picture.ts'
import { deleteUnused, savePicture } from './upload-store.ts'

const maxUploadBytes = 10 * 1024 * 1024
/** Per process: each picture in work takes up to 200 MB. */
const picturesAtOnce = 2
const busySeconds = 2
const keepUnusedDays = 7
const deletedAtOnce = 200

const path = (size: string) =>
  Type.String({ examples: [`/pictures/uploads/test/0f3c5a7e9b1d2f4a6c8e0b2d4f6a8c0e-${size}.webp`] })

export function uploadRoutes(files: PictureFiles): Route[] {
  let running = 0
  return [
    upload('/v1/catalog/pictures', {
      summary: 'Upload a picture',
      description: `A JPEG, PNG or WebP file of at most 10 MiB and 50 megapixels. It is turned upright, freed of metadata and stored as WebP in three sizes. Put the paths of the reply into \`images\` of a product, \`image_url\` of a category or \`logo_path\` of a partner or of the shop; a picture that nothing shows is deleted after ${keepUnusedDays} days. Uploading a file twice gives the same paths.`,
      scope: 'catalog:write',
      accepts: pictureTypes,
      example: '(the bytes of the file)',
      reply: Type.Object({
        picture: Type.Object({
          lg_path: path('lg'),
          md_path: path('md'),
          sm_path: path('sm'),
          width: integer(1, 100_000, { description: 'Of the uploaded picture, in pixels.' }),
          height: integer(1, 100_000),
        }),
      }),
      run: async ({ db, body, environment }) => {
        if (running >= picturesAtOnce) throw refuse('service_unavailable', { retry_after: busySeconds })
        running++
        try {
          const bytes = await readAll(body)
          const id = sha256(bytes).toString('hex').slice(0, 32)
          const { width, height, files: sizes } = await resizePicture(bytes)
          await files.save(environment, id, sizes)
          await db.transaction((tx) => savePicture(tx, { id, width, height, bytes: bytes.length }))
          return { data: { picture: { ...uploadedPaths(environment, id), width, height } } }
        } finally {
          running--
        }
      },
    }),
  ]
}

async function readAll(body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  let length = 0
  for await (const piece of body) {
    length += piece.length
    if (length > maxUploadBytes) throw refuse('payload_too_large', { limit_bytes: maxUploadBytes })
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}

export const purgePictures = (files: PictureFiles): Job => ({
  name: 'purge-pictures',
  cron: '0 15 4 * * ?',
  description: `Deletes uploaded pictures that nothing shows after ${keepUnusedDays} days.`,
  run: async (work) => {
    let total = 0
    for (let count = deletedAtOnce; count === deletedAtOnce; total += count)
      count = await work.transaction(async (tx) => {
        const before = new Date(tx.now.getTime() - keepUnusedDays * dayMs)
        const unused = await deleteUnused(tx, before, deletedAtOnce)
        for (const { id } of unused) await files.remove(tx.environment, id)
        return unused.length
      })
    return `deleted ${total} pictures`
  },
})
