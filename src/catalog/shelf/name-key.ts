// How names stand in a list: by their letters, whatever their case and accents; Latin before Cyrillic.

/** Equal keys mean equal names to the eye. Long names differ early: the rest is not kept. */
export function nameKey(name: string): string {
  const lower = name.toLowerCase()
  return (plain.test(lower) ? lower : folded(lower)).slice(0, keyLength)
}

const keyLength = 60
const plain = /^[a-zа-я0-9]+(?: [a-zа-я0-9]+)*$/
const apostrophes = /['`´‘’ʻʼ]/g

/** й and ў are letters of their own, and so are o‘ and g‘; every other accent is dropped. */
const folded = (lower: string): string =>
  lower
    .replace(apostrophes, '‘')
    .normalize('NFKD')
    .replace(/([иу])\u0306/g, (it) => it.normalize('NFC'))
    .replace(/\p{M}/gu, '')
    .replace(/[^\p{L}\p{N}‘.-]+/gu, ' ')
    .trim()
