// Turns an uploaded picture into three sizes. The bytes decide what it is, not the declared type.

import { refuse } from '../../base/refusal.ts'
import { type Size, widths } from './drawings.ts'

export const pictureTypes = ['image/jpeg', 'image/png', 'image/webp'] as const
type PictureType = (typeof pictureTypes)[number]

/** A small file can describe a huge picture, so pixels are limited too. */
const maxPixels = 50_000_000
const quality = 82

/** The type that the first bytes show; undefined for anything else, such as SVG with scripts. */
export function pictureTypeOf(bytes: Buffer): PictureType | undefined {
  const text = (from: number, to: number) => bytes.subarray(from, to).toString('latin1')
  if (text(0, 3) === '\xff\xd8\xff') return 'image/jpeg'
  if (text(0, 8) === '\x89PNG\r\n\x1a\n') return 'image/png'
  if (text(0, 4) === 'RIFF' && text(8, 12) === 'WEBP') return 'image/webp'
  return undefined
}

export interface ResizedPicture {
  width: number
  height: number
  files: Record<Size, Buffer>
}

/** WebP without metadata: the place where a photo was taken is not published. */
export async function resizePicture(bytes: Buffer): Promise<ResizedPicture> {
  if (!pictureTypeOf(bytes)) throw refuse('unsupported_media_type', { expected: pictureTypes.join(', ') })
  const { default: sharp } = await import('sharp')
  const open = () => sharp(bytes, { limitInputPixels: maxPixels, failOn: 'error', pages: 1 })
  const sized = (size: Size) =>
    open()
      .autoOrient()
      .resize({ width: widths[size], height: widths[size], fit: 'inside', withoutEnlargement: true })
      .webp({ quality })
      .toBuffer()
  try {
    const { autoOrient } = await open().metadata()
    const [lg, md, sm] = await Promise.all([sized('lg'), sized('md'), sized('sm')])
    return { ...autoOrient, files: { lg, md, sm } }
  } catch {
    throw refuse('validation_failed', { fields: [{ path: 'body', rule: 'unreadable_picture' }] })
  }
}
