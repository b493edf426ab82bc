// Patterns of demand: categories visited together, companion categories, sizes that must fit, and consumables.

/** Category slugs of each theme, most visited first. */
// oxfmt-ignore
export const themes: Record<string, string[]> = {
  gadgets:   ['smartphones', 'phone-accessories', 'headphones', 'smart-watches', 'tablets'],
  gaming:    ['computer-parts', 'laptops', 'monitors', 'headphones'],
  cinema:    ['televisions', 'speakers', 'headphones'],
  household: ['vacuum-cleaners', 'washing-machines', 'refrigerators', 'stoves-and-ovens', 'air-conditioners'],
  cooking:   ['cookware', 'blenders', 'multicookers', 'kettles', 'tableware', 'pantry'],
  womensLook: ['womens-clothes', 'womens-shoes', 'perfume', 'sneakers'],
  mensLook:   ['mens-clothes', 'mens-shoes', 'sneakers', 'perfume'],
  beauty:    ['skin-care', 'makeup', 'hair-care', 'perfume'],
  parents:   ['diapers', 'toys', 'baby-food', 'strollers', 'childrens-books'],
  home:      ['furniture', 'bedding', 'carpets', 'tableware', 'garden'],
  builders:  ['power-tools', 'hand-tools', 'garden'],
  sport:     ['fitness', 'sneakers', 'bicycles', 'smart-watches'],
  drivers:   ['tyres', 'motor-oils', 'hand-tools'],
  groceries: ['tea-and-coffee', 'sweets', 'drinks', 'pantry'],
  readers:   ['fiction', 'stationery', 'childrens-books'],
  office:    ['laptops', 'printers', 'monitors', 'stationery'],
}

/** Categories that buyers visit after a purchase in the first category. */
export const companions: Record<string, string[]> = {
  smartphones: ['phone-accessories', 'phone-accessories', 'headphones', 'smart-watches'],
  tablets: ['phone-accessories', 'headphones'],
  laptops: ['computer-parts', 'monitors', 'printers'],
  televisions: ['speakers'],
  printers: ['stationery'],
  furniture: ['bedding', 'carpets'],
  cookware: ['tableware'],
  multicookers: ['pantry', 'cookware'],
  kettles: ['tea-and-coffee'],
  strollers: ['diapers', 'toys'],
  'power-tools': ['hand-tools'],
  bicycles: ['fitness'],
  tyres: ['motor-oils'],
  makeup: ['skin-care'],
  'womens-clothes': ['womens-shoes'],
  'mens-clothes': ['mens-shoes'],
}

/** Categories in which a buyer needs one size, that of the car or the child. */
export const mustFit: ReadonlySet<string> = new Set(['tyres', 'diapers'])

/** Days until a consumable is used up, by category. */
export const usedUpAfterDays: Record<string, number> = {
  diapers: 16,
  'baby-food': 12,
  'tea-and-coffee': 24,
  drinks: 10,
  pantry: 20,
  'hair-care': 33,
}
