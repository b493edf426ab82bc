// Popularity at a place, on a device and in an application: overall popularity shifted towards local popularity, the more the more data there is.

import { clip } from '../../base/clip.ts'
import { maxProposed } from '../../ml/retrieval/score-board.ts'
import { writeBest } from '../../ml/retrieval/neighbours.ts'
import { RowWriter } from '../../ml/retrieval/sparse.ts'
import type { Trends } from './model.ts'

/** Places with fewer buyers are ignored. */
const fewestBuyers = 10
const mostPlaces = 200
/** With this much weighted activity, local and overall popularity count equally. */
const steadyWorth = 500
const longestName = 100

/** One key for a place name in any letter case, spacing and script: "Нукус" and "Nukus" are one place. */
export function placeKey(name: string): string {
  const latin = [...name.normalize('NFC').toLowerCase()].map((letter) => latinOf[letter] ?? letter).join('')
  const plain = clip(
    latin
      .normalize('NFD')
      .replace(/[\p{M}'`ʻʼ‘’]/gu, '')
      .replace(/kh/g, 'x')
      .replace(/q/g, 'k')
      .replace(/dj/g, 'j')
      .replace(/[\s\p{P}]+/gu, ' ')
      .trim(),
    longestName,
  )
  return plain
    .split(' ')
    .map((word) => (Object.hasOwn(exonyms, word) ? exonyms[word] : word))
    .join(' ')
}

// oxfmt-ignore
/** Cyrillic letters of Russian, Uzbek and Karakalpak in Uzbek Latin. */
const latinOf: Record<string, string> = {
  а: 'a', б: 'b', в: 'v', г: 'g', д: 'd', е: 'e', ё: 'yo', ж: 'j', з: 'z', и: 'i', й: 'y', к: 'k', л: 'l', м: 'm',
  н: 'n', о: 'o', п: 'p', р: 'r', с: 's', т: 't', у: 'u', ф: 'f', х: 'x', ц: 's', ч: 'ch', ш: 'sh', щ: 'sh', ъ: '',
  ы: 'i', ь: '', э: 'e', ю: 'yu', я: 'ya', ў: 'o', қ: 'k', ғ: 'g', ҳ: 'x', ә: 'a', ө: 'o', ү: 'u', ң: 'n', і: 'i',
}

// oxfmt-ignore
/** Russian and English names of places that differ from the Uzbek ones by more than the script. */
const exonyms: Record<string, string> = {
  tashkent: 'toshkent', samarkand: 'samarkand', bukhara: 'buxoro', buxara: 'buxoro', fergana: 'fargona', andijan: 'andijon',
  xorezm: 'xorazm', urgench: 'urganch', karshi: 'karshi', kokand: 'kokon', navoi: 'navoiy', gulistan: 'guliston',
  termez: 'termiz', jizak: 'jizzax', jizzak: 'jizzax', surxandarya: 'surxondaryo', kashkadarya: 'kashkadaryo',
  sirdarya: 'sirdaryo', syrdarya: 'sirdaryo', karakalpakstan: 'korakalpogiston', chirchik: 'chirchik',
}

/** Keys of the device and the application that a request names; letter case and spaces make no difference. */
export function platformKeys(sent: {
  device_os?: string
  device_brand?: string
  from_app?: string
}): readonly string[] {
  const keyOf = (kind: string, value: string | undefined) => {
    const plain = (value ?? '').normalize('NFC').toLowerCase().replace(/\s+/gu, ' ').trim()
    return plain === '' ? [] : [`${kind}=${clip(plain, longestName)}`]
  }
  return [
    ...keyOf('os', sent.device_os),
    ...keyOf('brand', sent.device_brand),
    ...keyOf('app', sent.from_app),
  ]
}

/** `buyersAt` holds buyers by place, device and application; `popularityAmong` computes the popularity among some buyers. */
export function trendsOf(
  everywhere: Float64Array,
  buyersAt: ReadonlyMap<string, readonly number[]>,
  popularityAmong: (buyers: readonly number[]) => Float64Array,
): Trends {
  const known = [...buyersAt]
    .flatMap(([place, buyers]) => (buyers.length < fewestBuyers ? [] : [{ place, buyers }]))
    .toSorted((a, b) => b.buyers.length - a.buyers.length || (a.place < b.place ? -1 : 1))
    .slice(0, mostPlaces)
  const all = total(everywhere)
  const writer = new RowWriter()
  for (const { buyers } of known) {
    const local = popularityAmong(buyers)
    const some = total(local)
    const share = some / (some + steadyWorth)
    const weights = everywhere.map((weight, item) =>
      all > 0 ? ((1 - share) * weight) / all + (some > 0 ? (share * local[item]!) / some : 0) : 0,
    )
    writeBest(writer, weights, {
      keep: maxProposed,
      candidates: [...weights.keys()].filter((item) => weights[item]! > 0),
    })
  }
  return { places: known.map((it) => it.place), weights: writer.matrix(everywhere.length) }
}

const total = (weights: Float64Array): number => weights.reduce((sum, it) => sum + it, 0)
