// Units of measure in all their spellings: 128гб, 128 GB and 128 gigabayt are the same size.

const spellings: Record<string, string> = {
  gb: 'gb gigabayt gigabayta gigabyte gb',
  tb: 'tb terabayt terabyte',
  mb: 'mb megabayt megabyte',
  l: 'l litr litra litrov litrli liter litre liters litres',
  ml: 'ml millilitr',
  kg: 'kg kilogramm kilogram',
  g: 'g gr gramm gramov grammov gram',
  mg: 'mg',
  m: 'm metr metra metrov meter',
  cm: 'cm sm santimetr',
  mm: 'mm millimetr',
  w: 'w vt vatt watt vat',
  kw: 'kw kvt',
  hz: 'hz gts gerts',
  ghz: 'ghz ggts',
  mah: 'mah mach mas',
  in: 'in inch inches dyuym dyuymov dyuyma dyuymli dyum',
  pcs: 'pcs sht shtuk dona ta',
  mp: 'mp megapiksel megapixel',
}

const units = new Map(
  Object.entries(spellings).flatMap(([unit, all]) => all.split(' ').map((it) => [it, unit] as const)),
)

/** The unit a word means, if it means one; the word in the letters of models. */
export const unitOf = (word: string): string | undefined => units.get(word)
