/** The sort key of a name: without case, accents and punctuation. Latin sorts before Cyrillic. Long names are cut. */
export function nameKey(name: string): string {
  const lower = name.slice(0, maxKeyLength).toLowerCase()
  return isPlain.test(lower)
    ? lower.replaceAll('ё', 'е').replace(plainApostrophes, '‘').replace(plainSeparators, ' ').trim()
    : withoutAccents(lower).replace(apostrophes, '‘').replace(separators, ' ').trim()
}

export const maxKeyLength = 60
/** Most names have no other characters, and expressions for these alone are several times faster. */
const isPlain = /^[\x20-\x7eа-яё‘’«»]*$/
const plainApostrophes = /['`’]/g
const plainSeparators = /[^a-z0-9а-я‘.-]+/g
const apostrophes = /['`´’ʻʼ]/g
const separators = /[^\p{L}\p{N}‘.-]+/gu

/** Drops accents, except in й and ў, which are letters of their own. */
const withoutAccents = (lower: string): string =>
  lower
    .normalize('NFKD')
    .replace(/([иу])\u0306/g, (it) => it.normalize('NFC'))
    .replace(/\p{M}/gu, '')
