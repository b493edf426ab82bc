// The motif of a picture, chosen by the words of the product's slug, else of its category's.

import { deviceMotifs } from './device-motifs.ts'
import { itemMotifs } from './item-motifs.ts'

export const motifs = { ...deviceMotifs, ...itemMotifs }
export type Motif = keyof typeof motifs

/** Motifs that use device colours unless the slug names a colour. */
export const isMachine = (motif: Motif): boolean => Object.hasOwn(deviceMotifs, motif)

export const isMotif = (text: string): text is Motif => Object.hasOwn(motifs, text)

/** The motif when no word is known: a parcel. */
export const motifOf = (product: { slug: string; categorySlug?: string }): Motif =>
  motifInSlug(product.slug) ?? motifInSlug(product.categorySlug ?? '') ?? 'gift'

/** The last known word wins: the noun comes last, as in `tea set` and `phone case`. */
function motifInSlug(slug: string): Motif | undefined {
  const words = slug.slice(0, maxSlugLength).split('-')
  for (let at = words.length - 1; at >= 0; at--) {
    const motif = kinds.get(`${words[at - 1]}-${words[at]}`) ?? kinds.get(words[at]!)
    if (motif) return motif
  }
  return undefined
}

const maxSlugLength = 200

// oxfmt-ignore
const rows: [motif: Motif, words: string][] = [
  ['phone', 'smartphone smartphones phone phones smartfon telefon'],
  ['watch', 'watch smart-watches band soat'],
  ['headphones', 'headphones headset quloqchin'],
  ['earbuds', 'earbuds'],
  ['case', 'case phone-accessories gilof'],
  ['charger', 'charger zaryad'],
  ['cable', 'cable'],
  ['battery', 'power-bank'],
  ['laptop', 'laptop laptops noutbuk'],
  ['tablet', 'tablet tablets planshet'],
  ['monitor', 'monitor monitors computers'],
  ['keyboard', 'keyboard computer-parts'],
  ['mouse', 'mouse'],
  ['router', 'router'],
  ['drive', 'ssd flash-drive'],
  ['printer', 'printer printers'],
  ['tv', 'tv televisions televizor electronics tv-and-audio'],
  ['speaker', 'speaker speakers'],
  ['soundbar', 'soundbar'],
  ['fridge', 'fridge freezer refrigerator refrigerators muzlatgich home-appliances'],
  ['washer', 'washing-machine washing-machines washer-dryer'],
  ['stove', 'cooker oven hob stove ovens'],
  ['hood', 'hood'],
  ['vacuum', 'vacuum vacuum-cleaner vacuum-cleaners'],
  ['robot', 'robot-vacuum'],
  ['aircon', 'air-conditioner air-conditioners konditsioner'],
  ['kettle', 'kettle kettles thermopot choynak'],
  ['multicooker', 'multicooker multicookers rice-cooker'],
  ['blender', 'blender blenders mixer mincer'],
  ['pot', 'pot kazan steamer cookware kitchen'],
  ['pan', 'pan'],
  ['knife', 'knife'],
  ['bowl', 'bowls plates lagan platter tableware'],
  ['teapot', 'tea-set'],
  ['glasses', 'glasses'],
  ['cutlery', 'cutlery cutlery-set'],
  ['dress', 'dress abaya womens-clothes'],
  ['shirt', 'shirt blouse mens-clothes'],
  ['tshirt', 't-shirt'],
  ['trousers', 'jeans trousers'],
  ['coat', 'coat jacket suit cardigan'],
  ['sneaker', 'sneakers running-shoes shoes'],
  ['heels', 'heels flats womens-shoes'],
  ['boot', 'boots moccasins dress-shoes mens-shoes'],
  ['sandal', 'sandals slippers'],
  ['lipstick', 'lipstick makeup beauty'],
  ['mascara', 'mascara kohl'],
  ['tube', 'foundation sunscreen gel hair-dye'],
  ['jar', 'cream skin-care puree baby-food'],
  ['bottle', 'shampoo conditioner micellar-water serum hair-oil hair-care cooking-oil drinking-water mineral-water soft-drink drinks brake-fluid'],
  ['perfume', 'perfume parfum toilette'],
  ['dryer', 'hair-dryer straightener'],
  ['diaper', 'diapers diaper-pants wipes'],
  ['bricks', 'building-set learning-toy toys children'],
  ['doll', 'doll'],
  ['car', 'toy-car track-set'],
  ['stroller', 'stroller strollers'],
  ['seat', 'car-seat high-chair'],
  ['sofa', 'sofa furniture'],
  ['bed', 'bed mattress pillow'],
  ['wardrobe', 'wardrobe'],
  ['table', 'table'],
  ['carpet', 'carpet carpets runner'],
  ['towel', 'towel blanket quilt linen linen-set bedding'],
  ['can', 'watering-set garden home-and-garden'],
  ['mower', 'mower'],
  ['hose', 'hose'],
  ['saw', 'chainsaw'],
  ['washerGun', 'pressure-washer'],
  ['pruner', 'pruner'],
  ['drill', 'drill rotary-hammer jigsaw power-tools tools'],
  ['grinder', 'grinder'],
  ['spanner', 'spanner spanner-set hand-tools'],
  ['screwdriver', 'screwdriver screwdriver-set'],
  ['hammer', 'hammer'],
  ['tape', 'tape-measure'],
  ['pliers', 'pliers'],
  ['dumbbell', 'dumbbells fitness sport'],
  ['treadmill', 'treadmill'],
  ['ball', 'football'],
  ['mat', 'mat'],
  ['bicycle', 'bike bicycle bicycles'],
  ['scooter', 'scooter'],
  ['tyre', 'tyre tyres auto'],
  ['carBattery', 'car-battery'],
  ['canister', 'motor-oil motor-oils antifreeze'],
  ['pack', 'tea pasta buckwheat chickpeas formula cereal groceries'],
  ['cup', 'coffee coffee-beans tea-and-coffee'],
  ['chocolate', 'chocolate sweets halva'],
  ['biscuits', 'biscuits'],
  ['fruit', 'apricots almonds rock-sugar'],
  ['sack', 'flour plov pantry'],
  ['carton', 'juice milk'],
  ['book', 'book hardcover paperback books fiction childrens-books'],
  ['notebook', 'notebook stationery'],
  ['pencils', 'pencils paints'],
  ['pen', 'pen'],
  ['backpack', 'backpack'],
]

const kinds = new Map(rows.flatMap(([motif, words]) => words.split(' ').map((it) => [it, motif] as const)))
