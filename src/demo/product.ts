// What becomes of the tables of goods: products with names, stories and prices, and their variants.

import { brands } from './brands.ts'
import { categories } from './categories.ts'
import type { Chance } from './chance.ts'
import { closingsOf } from './closings.ts'
import { shelves } from './goods/index.ts'
import type { Axis, Kind, Option, Shelf, Three } from './goods/shelf.ts'
import type { ProductRecord, VariantRecord } from './record.ts'

/** A product with what its offers must know and its record does not tell. */
export interface Product {
  record: ProductRecord
  /** In sums, before a partner has had a say. */
  price: number
  /** The category at the top of the tree under which it stands. */
  department: string
  /** How much it is wanted: most things a little, a few things much. */
  popularity: number
  variants: Variant[]
}

export interface Variant {
  record: VariantRecord
  factor: number
}

/** Something that the tables could give. */
interface Possible {
  shelf: Shelf
  kind: Kind
  brand: string
  model: string
  price: number
  chosen: { axis: Axis; option: Option }[]
}

const brandOf = new Map(brands.map((it) => [it.slug, it]))
const categoryOf = new Map(categories.map((it) => [it.slug, it]))

/** Every product of the shop of this chance, on its shelf and with its variants. */
export function stockedProducts(chance: Chance): Product[] {
  const numbers = { product: 0, variant: 0 }
  const taken = new Set<string>()
  return shelves.flatMap((shelf) =>
    chosenFor(shelf, chance).map((it) => asProduct(it, { chance, numbers, taken })),
  )
}

/** As many as the shelf takes, in the order of its table. */
function chosenFor(shelf: Shelf, chance: Chance): Possible[] {
  const possible = shelf.kinds.flatMap((kind) => allOf(shelf, kind))
  if (possible.length < shelf.take)
    throw new Error(`${shelf.category} gives only ${possible.length} products`)
  const order = new Map(possible.map((it, at) => [it, at]))
  return chance
    .shuffled(`shelf/${shelf.category}`, possible)
    .slice(0, shelf.take)
    .sort((a, b) => order.get(a)! - order.get(b)!)
}

const allOf = (shelf: Shelf, kind: Kind): Possible[] =>
  Object.entries(kind.lines).flatMap(([brand, models]) =>
    Object.entries(models).flatMap(([model, price]) =>
      combinations(kind.each ?? []).map((chosen) => ({ shelf, kind, brand, model, price, chosen })),
    ),
  )

const combinations = (axes: Axis[]): Possible['chosen'][] =>
  axes.reduce<Possible['chosen'][]>(
    (before, axis) => before.flatMap((it) => axis.options.map((option) => [...it, { axis, option }])),
    [[]],
  )

interface Making {
  chance: Chance
  numbers: { product: number; variant: number }
  taken: Set<string>
}

function asProduct(it: Possible, { chance, numbers, taken }: Making): Product {
  const category = categoryOf.get(it.shelf.category)!
  const brand = brandOf.get(it.brand)
  if (!brand) throw new Error(`no such brand: ${it.brand}`)
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
    description: inThree(storyOf(it, { brand: brand.name, slug, department, chance })),
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
  return { record, price, department, popularity, variants }
}

/** Russian says first what a thing is; Uzbek and English say it after the name. */
function nameOf({ kind, model, chosen }: Possible, brand: string): Three {
  const { gender, words: noun } = kind.noun
  const told = (place: Axis['place'], language: 0 | 1 | 2) =>
    chosen.filter((it) => it.axis.place === place).map((it) => it.option.words(gender)[language])
  const after = (language: 0 | 1 | 2) =>
    told('after', language)
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
  const named = (language: 0 | 1 | 2) => spaced([brand, model, ...told('beside', language)])
  return [
    `${noun[0]} ${named(0)}${after(0)}`,
    `${named(1)} ${noun[1]}${after(1)}`,
    `${named(2)} ${noun[2]}${after(2)}`,
  ]
}

/** What is always said of the kind, one thing more, and how it is sold. What is said of a model does not change. */
function storyOf(
  { shelf, kind, model, brand: line }: Possible,
  { brand, slug, department, chance }: { brand: string; slug: string; department: string; chance: Chance },
): Three {
  const [first, ...others] = kind.facts ?? shelf.facts
  const said = [
    first!,
    chance.oneOf(`fact/${slug}`, others),
    chance.oneOf(`closing/${slug}`, closingsOf(department)),
  ]
  const filled = (language: 0 | 1 | 2) =>
    said
      .map((it) => it[language])
      .join(' ')
      .replaceAll(/\{(\w+)\}/g, (_, slot: string) => {
        if (slot === 'name') return kind.work ? quoted(kind.work.title, language) : spaced([brand, model])
        const drawn = String(chance.oneOf(`${slot}/${line}/${model}`, shelf.draws?.[slot] ?? noDraw(slot)))
        return language === 2 ? drawn : drawn.replace(/^(\d+)\.(\d+)$/, '$1,$2')
      })
  return [filled(0), filled(1), filled(2)]
}

const noDraw = (slot: string): never => {
  throw new Error(`nothing is drawn for {${slot}}`)
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

function freeSlug(wished: string, taken: Set<string>): string {
  const slug = taken.has(wished) ? freeSlug(nextSlug(wished), taken) : wished
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
