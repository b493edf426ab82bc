// The colours of a picture: those that the slug names, else colours derived from its hash.

import { sha256 } from '../../base/random.ts'
import type { Paint } from './shapes.ts'
import { isMachine, type Motif } from './motif.ts'

/** Hue, saturation and lightness of the colours that slugs name. */
// oxfmt-ignore
const named: Record<string, Hsl> = {
  black: [222, 12, 25],   white: [212, 22, 95],   grey: [214, 9, 60],     silver: [212, 14, 78],
  gold: [42, 58, 66],     graphite: [218, 12, 38], blue: [218, 62, 48],   green: [146, 42, 42],
  mint: [158, 44, 70],    red: [356, 68, 52],     burgundy: [346, 56, 33], pink: [342, 70, 76],
  purple: [270, 44, 56],  yellow: [46, 88, 60],   orange: [24, 84, 57],   beige: [36, 38, 76],
  brown: [24, 38, 38],    ivory: [42, 56, 88],    turquoise: [178, 52, 46], plum: [320, 38, 36],
  chestnut: [18, 48, 32], apple: [96, 48, 50],    cherry: [350, 64, 42],  apricot: [30, 84, 62], pomegranate: [350, 66, 40],
}

type Hsl = [hue: number, saturation: number, lightness: number]

/** Neutral colours, and colours of devices. */
// oxfmt-ignore
const gay: Hsl[] = [[8, 62, 60], [22, 70, 60], [40, 72, 58], [152, 36, 46], [174, 42, 44], [196, 54, 48], [214, 52, 52], [232, 42, 58], [262, 36, 60], [330, 44, 62], [350, 56, 60]]
// oxfmt-ignore
const plain: Hsl[] = [[212, 20, 94], [212, 14, 80], [214, 10, 64], [218, 14, 36], [222, 14, 27], [38, 22, 86], [206, 26, 56]]
// oxfmt-ignore
const accents: Hsl[] = [[12, 82, 62], [34, 90, 60], [48, 90, 58], [158, 54, 50], [186, 62, 50], [208, 78, 60], [258, 60, 68], [338, 72, 66]]

/** Soft colours for backgrounds. */
const grounds = [18, 40, 96, 160, 196, 214, 240, 284, 340]

export function paintOf(slug: string, motif: Motif): Paint {
  const [first = 0, second = 0, third = 0] = sha256(slug)
  const own = isMachine(motif) ? plain : gay
  const [hue, saturation, lightness] = namedIn(slug) ?? own[first % own.length]!
  const far = accents.filter(([it]) => Math.abs(it - hue) > 40 || saturation < 30)
  return {
    main: hsl(hue, saturation, lightness),
    dark: hsl(hue, saturation, lightness - (lightness > 70 ? 16 : 10)),
    light: hsl(hue, saturation, lightness > 75 ? lightness - 8 : lightness + 18),
    accent: hsl(...far[second % far.length]!),
    // A white thing needs a darker background.
    ground: hsl(grounds[third % grounds.length]!, 44, lightness > 85 ? 83 : 93),
  }
}

const namedIn = (slug: string): Hsl | undefined =>
  slug.endsWith('light-blue')
    ? [202, 66, 68]
    : slug
        .split('-')
        .toReversed()
        .map((it) => (Object.hasOwn(named, it) ? named[it] : undefined))
        .find((it) => it !== undefined)

const hsl = (hue: number, saturation: number, lightness: number): string =>
  `hsl(${hue % 360} ${saturation}% ${lightness}%)`
