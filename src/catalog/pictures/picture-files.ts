// Files of uploaded pictures, in the data directory. Names are hashes of the upload, so a file never changes.

import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Environment } from '../../base/database.ts'
import { secretText } from '../../base/random.ts'
import { refuse } from '../../base/refusal.ts'
import type { Page } from '../../http/server.ts'
import { type Size, widths } from './drawings.ts'

const root = '/pictures/uploads'
const nameForm = /^[0-9a-f]{32}-(lg|md|sm)\.webp$/
const sizes = Object.keys(widths) as Size[]

export interface PictureFiles {
  save(environment: Environment, id: string, files: Record<Size, Buffer>): Promise<void>
  remove(environment: Environment, id: string): Promise<void>
  pages: Page[]
}

const fileName = (id: string, size: Size): string => `${id}-${size}.webp`

export function openPictureFiles(dataDir: string): PictureFiles {
  const folder = resolve(dataDir, 'pictures')
  const folderOf = (environment: string, id: string) => join(folder, environment, id.slice(0, 2))
  return {
    save: async (environment, id, files) => {
      const home = folderOf(environment, id)
      await mkdir(home, { recursive: true })
      for (const size of sizes) {
        // A rename is atomic: no reader sees half a file.
        const draft = join(home, `.${secretText(12)}`)
        await writeFile(draft, files[size])
        await rename(draft, join(home, fileName(id, size)))
      }
    },
    remove: async (environment, id) => {
      for (const size of sizes) await rm(join(folderOf(environment, id), fileName(id, size)), { force: true })
    },
    pages: [
      {
        path: `${root}/{environment}/{file}`,
        run: async ({ params: { environment = '', file = '' } }) => {
          if (!/^(live|test)$/.test(environment) || !nameForm.test(file)) throw refuse('not_found')
          const bytes = await readFile(join(folderOf(environment, file), file)).catch((error: unknown) => {
            throw (error as NodeJS.ErrnoException).code === 'ENOENT' ? refuse('not_found') : error
          })
          return { type: 'image/webp', body: '', bytes, headers: forever }
        },
      },
    ],
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
