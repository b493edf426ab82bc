// How names stand in a list: by their letters, whatever their case, accents and apostrophes; Latin before Cyrillic.

const marks = /[^\p{L}\p{N}]+/gu
const plain = /^[a-zа-я0-9 ]*$/

/** Equal keys mean equal names to the eye. Long names differ early: the rest is not kept. */
export function nameKey(name: string): string {
  const lower = name.toLowerCase()
  const key = plain.test(lower) ? lower : folded(lower)
  return key.slice(0, keyLength)
}

const keyLength = 60

/** й is a letter of its own; every other accent is dropped. */
const folded = (lower: string): string =>
  lower
    .normalize('NFKD')
    .replaceAll('и\u0306', 'й')
    .replace(/[\p{M}'`´‘’ʻʼ]/gu, '')
    .replace(marks, ' ')
    .trim()
