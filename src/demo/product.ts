// Builds products and variants from the assortment tables: names, descriptions and prices.

import type { Axis, ProductKind, Option, Assortment, Three } from './assortment/assortment.ts'
import { assortments } from './assortment/index.ts'
import { attributesOf } from './attributes.ts'
import { brands } from './brands.ts'
import { categories } from './categories.ts'
import type { ProductRecord, VariantRecord } from './record.ts'
import type { SeededRandom } from './seeded-random.ts'

/** A product record with data that offers need and the record does not contain. */
export interface Product {
  record: ProductRecord
  /** Base price in sums, before the price level of a partner. */
  price: number
  /** Slug of its top-level category. */
  department: string
  /** Long-tailed: low for most products, high for a few. */
  popularity: number
  variants: Variant[]
  /** What it is, in three languages. */
  noun: Three
  /** Of a book. */
  title: Three | undefined
  /** In English, for products that have one. */
  size: string | undefined
}

export interface Variant {
  record: VariantRecord
  factor: number
}

/** One combination from the tables. */
interface Possible {
  assortment: Assortment
  kind: ProductKind
  brand: string
  model: string
  price: number
  chosen: { axis: Axis; option: Option }[]
}

const brandOf = new Map(brands.map((it) => [it.slug, it]))
const categoryOf = new Map(categories.map((it) => [it.slug, it]))

export function demoProducts(chance: SeededRandom): Product[] {
  const numbers = { product: 0, variant: 0 }
  const taken = new Set<string>()
  return assortments.flatMap((assortment) =>
    chosenFor(assortment, chance).map((it) => asProduct(it, { chance, numbers, taken })),
  )
}

/** A random `productCount` of all combinations, in table order. */
function chosenFor(assortment: Assortment, chance: SeededRandom): Possible[] {
  const possible = assortment.kinds.flatMap((kind) => allOf(assortment, kind))
  if (possible.length < assortment.productCount)
    throw new Error(
      `category ${assortment.category} has only ${possible.length} of ${assortment.productCount} products`,
    )
  const order = new Map(possible.map((it, at) => [it, at]))
  return chance
    .shuffled(`assortment/${assortment.category}`, possible)
    .slice(0, assortment.productCount)
    .sort((a, b) => order.get(a)! - order.get(b)!)
}

const allOf = (assortment: Assortment, kind: ProductKind): Possible[] =>
  Object.entries(kind.lines).flatMap(([brand, models]) =>
    Object.entries(models).flatMap(([model, price]) =>
      combinations(kind.each ?? []).map((chosen) => ({ assortment, kind, brand, model, price, chosen })),
    ),
  )

const combinations = (axes: Axis[]): Possible['chosen'][] =>
  axes.reduce<Possible['chosen'][]>(
    (before, axis) => before.flatMap((it) => axis.options.map((option) => [...it, { axis, option }])),
    [[]],
  )

interface Making {
  chance: SeededRandom
  numbers: { product: number; variant: number }
  taken: Set<string>
}

function asProduct(it: Possible, { chance, numbers, taken }: Making): Product {
  const category = categoryOf.get(it.assortment.category)!
  const brand = brandOf.get(it.brand)
  if (!brand) throw new Error(`unknown brand: ${it.brand}`)
  const name = nameOf(it, brand.name)
  const id = ++numbers.product
  const department = departmentOf(category.id)
  const slug = freeSlug(slugOf(name[2]), taken)
  const popularity = 1 / (0.03 + chance.share(`popularity/${slug}`))
  const record: ProductRecord = {
    record: 'product',
    id,
    category_id: category.id,
    brand_id: brand.id,
    slug,
    name: inThree(name),
    description: inThree(descriptionOf(it, { brand: brand.name, slug, department, chance })),
    attributes: attributesOf(it.chosen),
  }
  const price = it.chosen.reduce((sum, { option }) => sum * option.factor, it.price * 1000)
  const variants = (it.kind.variants?.options ?? []).map((option) => ({
    factor: option.factor,
    record: {
      record: 'variant' as const,
      id: ++numbers.variant,
      product_id: id,
      name: inThree(option.words(it.kind.noun.gender)),
      attributes: {
        ...Object.fromEntries(it.chosen.map((chosen) => [chosen.axis.key, chosen.option.value])),
        [it.kind.variants!.key]: option.value,
      },
    },
  }))
  const { noun, work } = it.kind
  const size = it.chosen
    .find(({ axis }) => axis.key === 'size')
    ?.option.words('m')[2]
    .split(',')[0]
  return { record, price, department, popularity, variants, noun: noun.words, title: work?.title, size }
}

/** The noun precedes the name in Russian and follows it in Uzbek and English. */
function nameOf({ kind, model, chosen }: Possible, brand: string): Three {
  const { gender, words: noun } = kind.noun
  const optionWords = (place: Axis['place'], language: 0 | 1 | 2) =>
    chosen.filter((it) => it.axis.place === place).map((it) => it.option.words(gender)[language])
  const after = (language: 0 | 1 | 2) =>
    optionWords('after', language)
      .map((it) => `, ${it}`)
      .join('')
  if (kind.work) {
    const { title, author } = kind.work
    return [
      `${noun[0]} «${title[0]}», ${author[0]}, ${brand}${after(0)}`,
      `«${title[1]}» ${noun[1]}, ${author[1]}, ${brand}${after(1)}`,
      `“${title[2]}”, ${author[2]}, ${brand}${after(2)}`,
    ]
  }
  const named = (language: 0 | 1 | 2) => spaced([brand, model, ...optionWords('beside', language)])
  return [
    `${noun[0]} ${named(0)}${after(0)}`,
    `${named(1)} ${noun[1]}${after(1)}`,
    `${named(2)} ${noun[2]}${after(2)}`,
  ]
}

/**
 * Three sentences: the first one of the kind, a random one, and a closing one. Slot values depend on brand and model,
 * so all products of a model agree.
 */
function descriptionOf(
  { assortment, kind, model, brand: line }: Possible,
  {
    brand,
    slug,
    department,
    chance,
  }: { brand: string; slug: string; department: string; chance: SeededRandom },
): Three {
  const [first, ...others] = kind.sentences ?? assortment.sentences
  const said = [
    first!,
    chance.oneOf(`sentence/${slug}`, others),
    chance.oneOf(`closing/${slug}`, closingSentences(department)),
  ]
  const filled = (language: 0 | 1 | 2) =>
    said
      .map((it) => it[language])
      .join(' ')
      .replaceAll(/\{(\w+)\}/g, (_, slot: string) => {
        if (slot === 'name') return kind.work ? quoted(kind.work.title, language) : spaced([brand, model])
        const drawn = String(
          chance.oneOf(`${slot}/${line}/${model}`, assortment.draws?.[slot] ?? noDraw(slot)),
        )
        return language === 2 ? drawn : drawn.replace(/^(\d+)\.(\d+)$/, '$1,$2')
      })
  return [filled(0), filled(1), filled(2)]
}

const noDraw = (slot: string): never => {
  throw new Error(`no values for the slot {${slot}}`)
}

const quoted = (title: Three, language: 0 | 1 | 2): string =>
  language === 2 ? `“${title[2]}”` : `«${title[language]}»`

const spaced = (words: string[]): string => words.filter((it) => it !== '').join(' ')

const inThree = ([ru, uz, en]: Three) => ({ ru, uz, en })

const slugOf = (name: string): string =>
  name
    .normalize('NFD')
    .replaceAll(/[\u0300-\u036f‘’]/g, '')
    .replaceAll('+', ' plus')
    .replaceAll('&', ' and ')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')

function freeSlug(base: string, taken: Set<string>): string {
  const slug = taken.has(base) ? freeSlug(nextSlug(base), taken) : base
  taken.add(slug)
  return slug
}

const nextSlug = (slug: string): string => {
  const [, stem = slug, number] = /^(.*)-no-(\d+)$/.exec(slug) ?? []
  return `${stem}-no-${Number(number ?? 1) + 1}`
}

const categoryById = new Map(categories.map((it) => [it.id, it]))

function departmentOf(id: number): string {
  const { parentId, slug } = categoryById.get(id)!
  return parentId === null ? slug : departmentOf(parentId)
}

// Closing sentences of descriptions: delivery, returns, payment, warranty.
// oxfmt-ignore
const ofAll: Three[] = [
  ['Доставим по Ташкенту за день, по областям — за два-три.', 'Toshkent bo‘ylab bir kunda, viloyatlarga ikki-uch kunda yetkazamiz.', 'Delivered in a day in Tashkent, in two or three elsewhere.'],
  ['Можно забрать в пункте выдачи рядом с домом.', 'Uyingizga yaqin topshirish punktidan olib ketish mumkin.', 'A pick-up point near your home keeps it for you.'],
  ['Обмен и возврат в течение десяти дней.', 'O‘n kun ichida almashtirish va qaytarish mumkin.', 'Exchanges and returns are taken for ten days.'],
  ['Оплата картой, наличными или частями.', 'Karta, naqd pul yoki bo‘lib to‘lash mumkin.', 'Pay by card, in cash or in instalments.'],
]

// oxfmt-ignore
const ofMachines: Three[] = [
  ['Чек и гарантийный талон вложены в коробку.', 'Chek va kafolat taloni quti ichida.', 'The receipt and the warranty card are in the box.'],
  ['Сервисные центры работают во всех областях.', 'Servis markazlari barcha viloyatlarda ishlaydi.', 'There are service centres in every region.'],
]

const machines = new Set(['electronics', 'home-appliances', 'tools'])

export const closingSentences = (department: string): Three[] =>
  machines.has(department) ? [...ofAll, ...ofMachines] : ofAll
