// The format of the assortment tables. An assortment describes a leaf category; a product kind has a noun, brands with
// models and prices in thousands of sums, and axes such as memory or colour.

export type Three = readonly [ru: string, uz: string, en: string]
/** Of the Russian noun: masculine, feminine, neuter, plural. */
export type Gender = 'm' | 'f' | 'n' | 'p'

/** The Uzbek noun has the possessive form that follows a name: smartfoni, muzlatgichi. */
export interface Noun {
  gender: Gender
  words: Three
}

export interface Option {
  /** The value of the variant attribute, such as `black` or `8/128`. */
  value: string
  words(gender: Gender): Three
  /** Multiplies the price. */
  factor: number
}

export interface Axis {
  /** The name of the attribute, such as `color`. */
  key: string
  /** `beside`: next to the model, before the noun in Uzbek and English. `after`: at the end of the name. */
  place: 'beside' | 'after'
  options: Option[]
}

export interface ProductKind {
  noun: Noun
  /** Books are named by title and author; the brand is the publisher. */
  work?: { title: Three; author: Three }
  /** Prices in thousands of sums, by brand and model. */
  lines: Record<string, Record<string, number>>
  /** One product for each combination of options; the name contains them. */
  each?: Axis[]
  /** One product with a variant for each option. */
  variants?: Axis
  /** Replaces the sentences of the assortment. */
  sentences?: Three[]
}

export interface Assortment {
  category: string
  /** The number of products to choose from all combinations. */
  productCount: number
  kinds: ProductKind[]
  /** Sentences for descriptions with slots: {name} and the keys of `draws`. The first sentence is always used. */
  sentences: Three[]
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

/** Units of counts, weights and lengths; values in other units belong to the model. */
const placedAfter = new Set<keyof typeof units>(['pcs', 'sheets', 'bags', 'g', 'kg', 'ml', 'm', 'cm', 'mm'])

export const measured = (key: string, unit: keyof typeof units, factors: Record<string, number>): Axis => ({
  key,
  place: placedAfter.has(unit) ? 'after' : 'beside',
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

/** Options with a translation for each language. The English word is the attribute value. */
export const worded = (key: string, rows: readonly (readonly [...Three, factor: number])[]): Axis => ({
  key,
  place: 'after',
  options: rows.map(([ru, uz, en, factor]) => ({ value: en, factor, words: () => [ru, uz, en] })),
})

/** Sizes are the same in every language. */
export const sizes = (list: string): Axis => ({
  key: 'size',
  place: 'after',
  options: list.split(' ').map((value) => ({ value, factor: 1, words: () => [value, value, value] })),
})

/** Keys of `palette`. The Russian adjective agrees with the gender of the noun. */
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
  throw new Error(`unknown colour: ${value}`)
}

const endings = { m: '', f: 'ая', n: 'ое', p: 'ые' } as const
const softEndings = { m: '', f: 'яя', n: 'ее', p: 'ие' } as const

const agreeing = (masculine: string, gender: Gender): string =>
  gender === 'm'
    ? masculine
    : masculine.slice(0, -2) + (masculine.endsWith('ий') ? softEndings : endings)[gender]
