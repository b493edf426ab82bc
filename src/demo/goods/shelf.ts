// How the tables of goods are written. A shelf is a leaf of the tree; a kind of good has a noun, its brands with their
// models and prices in thousands of sums, and axes along which it differs.

export type Three = readonly [ru: string, uz: string, en: string]
/** Of the Russian noun: he, she, it, they. */
export type Gender = 'm' | 'f' | 'n' | 'p'

/** What a good is called. The Uzbek noun is in the form that follows a name: smartfoni, muzlatgichi. */
export interface Noun {
  gender: Gender
  words: Three
}

export interface Option {
  /** As an attribute of a variant, such as `black` or `8/128`. */
  value: string
  words(gender: Gender): Three
  /** How much it makes of the price. */
  factor: number
}

export interface Axis {
  /** The attribute, such as `color`. */
  key: string
  /** What belongs to the model stands beside it, before the noun in Uzbek and English; the rest at the end. */
  place: 'beside' | 'after'
  options: Option[]
}

export interface Kind {
  noun: Noun
  /** A book goes by its title and author; its brand is the publisher. */
  work?: { title: Three; author: Three }
  /** Prices in thousands of sums, by brand and model. */
  lines: Record<string, Record<string, number>>
  /** One product for each option, which its name tells. */
  each?: Axis[]
  /** One product with a variant for each option. */
  variants?: Axis
  /** What can be said of it in place of what the shelf says. */
  facts?: Three[]
}

export interface Shelf {
  category: string
  /** How many products of all that the kinds could give stand in the shop. */
  take: number
  kinds: Kind[]
  /** Sentences of the descriptions, with slots: {name} and those of `draws`. The first one is always said. */
  facts: Three[]
  draws?: Record<string, readonly (string | number)[]>
}

const noun =
  (gender: Gender) =>
  (ru: string, uz: string, en: string): Noun => ({ gender, words: [ru, uz, en] })
export const [m, f, n, p] = [noun('m'), noun('f'), noun('n'), noun('p')]

// oxfmt-ignore
const units = {
  none: ['', '', ''],         gb: ['ГБ', 'GB', 'GB'],      inch: ['″', '″', '″'],
  l: ['л', 'l', 'L'],         ml: ['мл', 'ml', 'ml'],      kg: ['кг', 'kg', 'kg'],
  g: ['г', 'g', 'g'],         w: ['Вт', 'Vt', 'W'],        cm: ['см', 'sm', 'cm'],
  m: ['м', 'm', 'm'],         pcs: ['шт.', 'dona', 'pcs'], mm: ['мм', 'mm', 'mm'],
  btu: ['BTU', 'BTU', 'BTU'], ah: ['А·ч', 'A·soat', 'Ah'], mah: ['мА·ч', 'mA·soat', 'mAh'],
  sheets: ['листов', 'varaq', 'sheets'],                   bags: ['пакетиков', 'paket', 'bags'],
} satisfies Record<string, Three>

/** Units of what is counted, weighed or laid out; the others belong to the model. */
const toldAfter = new Set<keyof typeof units>(['pcs', 'sheets', 'bags', 'g', 'kg', 'ml', 'm', 'cm', 'mm'])

/** A measure with its unit. */
export const measured = (key: string, unit: keyof typeof units, factors: Record<string, number>): Axis => ({
  key,
  place: toldAfter.has(unit) ? 'after' : 'beside',
  options: Object.entries(factors).map(([value, factor]) => ({
    value,
    factor,
    words: () => measure(value, unit),
  })),
})

const measure = (value: string, unit: keyof typeof units): Three => {
  const gap = unit === 'inch' || unit === 'none' ? '' : ' '
  const comma = value.replaceAll('.', ',')
  const [ru, uz, en] = units[unit]
  return [`${comma}${gap}${ru}`, `${comma}${gap}${uz}`, `${value}${gap}${en}`]
}

/** Something that has a word of its own in every language. The English word is the attribute. */
export const worded = (key: string, rows: readonly (readonly [...Three, factor: number])[]): Axis => ({
  key,
  place: 'after',
  options: rows.map(([ru, uz, en, factor]) => ({ value: en, factor, words: () => [ru, uz, en] })),
})

/** Sizes on a label, the same in every language. */
export const sizes = (list: string): Axis => ({
  key: 'size',
  place: 'after',
  options: list.split(' ').map((value) => ({ value, factor: 1, words: () => [value, value, value] })),
})

/** Colours by their English words, with the Russian adjective agreeing with the noun. */
export const colours = (list: string): Axis => ({
  key: 'color',
  place: 'after',
  options: list.split(' ').map((value) => {
    const [ru, uz, en = value] = palette[value] ?? unknownColour(value)
    return { value, factor: 1, words: (gender) => [agreeing(ru, gender), uz, en] }
  }),
})

// oxfmt-ignore
const palette: Record<string, readonly [ru: string, uz: string, en?: string]> = {
  black: ['чёрный', 'qora'],        white: ['белый', 'oq'],             grey: ['серый', 'kulrang'],
  silver: ['серебристый', 'kumushrang'], gold: ['золотистый', 'tillarang'], graphite: ['графитовый', 'grafit rang'],
  blue: ['синий', 'ko‘k'],          sky: ['голубой', 'moviy', 'light blue'],        green: ['зелёный', 'yashil'],
  mint: ['мятный', 'yalpiz rang'],  red: ['красный', 'qizil'],          burgundy: ['бордовый', 'to‘q qizil'],
  pink: ['розовый', 'pushti'],      purple: ['фиолетовый', 'binafsharang'], yellow: ['жёлтый', 'sariq'],
  orange: ['оранжевый', 'zarg‘aldoq'], beige: ['бежевый', 'och jigarrang'], brown: ['коричневый', 'jigarrang'],
  ivory: ['кремовый', 'qaymoqrang'], turquoise: ['бирюзовый', 'firuza rang'],
}

const unknownColour = (value: string): never => {
  throw new Error(`no such colour: ${value}`)
}

const endings = { m: '', f: 'ая', n: 'ое', p: 'ые' } as const
const softEndings = { m: '', f: 'яя', n: 'ее', p: 'ие' } as const

const agreeing = (masculine: string, gender: Gender): string =>
  gender === 'm'
    ? masculine
    : masculine.slice(0, -2) + (masculine.endsWith('ий') ? softEndings : endings)[gender]
