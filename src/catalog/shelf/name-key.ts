// How names stand in a list: by their letters, whatever their case and accents; Latin before Cyrillic.

/** Equal keys mean equal names to the eye. Long names differ early: the rest is not kept. */
export function nameKey(name: string): string {
  const lower = name.slice(0, longestKey).toLowerCase()
  const letters = isUsual.test(lower) ? lower.replaceAll('ё', 'е') : withoutAccents(lower)
  return letters.replace(apostrophes, '‘').replace(separators, ' ').trim()
}

const longestKey = 60
const isUsual = /^[\x20-\x7eа-яё‘’«»]*$/
const apostrophes = /['`´’ʻʼ]/g
const separators = /[^\p{L}\p{N}‘.-]+/gu

/** й and ў are letters of their own; every other accent is dropped. */
const withoutAccents = (lower: string): string =>
  lower
    .normalize('NFKD')
    .replace(/([иу])\u0306/g, (it) => it.normalize('NFC'))
    .replace(/\p{M}/gu, '')
