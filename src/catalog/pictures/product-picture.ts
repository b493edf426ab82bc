import { oval, ring } from './brush.ts'
import { type Motif, motifs } from './motif.ts'
import { paintOf } from './palette.ts'

/** How wide a picture asks to be shown. */
export const widths = { lg: 960, md: 480, sm: 160 } as const
export type Size = keyof typeof widths

/** A thing of its kind, in colours of its own, on a quiet ground. */
export function productPicture(slug: string, motif: Motif, size: Size): string {
  const paint = paintOf(slug, motif)
  const width = widths[size]
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 480 480" width="${width}" height="${width}" role="img" aria-label="${motif}"><rect width="480" height="480" fill="${paint.ground}"/>${oval(240, 236, 196, 196, '#ffffff60')}${ring(240, 236, 216, '#ffffff66', 3)}${oval(240, 396, 140, 14, '#1d274022')}${motifs[motif](paint)}</svg>`
}
