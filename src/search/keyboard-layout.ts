// What the same keys give in the other keyboard layout.

const latinKeys = "`qwertyuiop[]asdfghjkl;'zxcvbnm,."
const cyrillicKeys = 'ёйцукенгшщзхъфывапролджэячсмитьбю'

const otherLayout = new Map([
  ...[...latinKeys].map((key, at) => [key, cyrillicKeys[at]!] as const),
  ...[...cyrillicKeys].map((key, at) => [key, latinKeys[at]!] as const),
])

/** The same keys in the other layout: ghbdtn is привет. */
export function inOtherLayout(text: string): string {
  let other = ''
  for (const letter of text.toLowerCase()) other += otherLayout.get(letter) ?? letter
  return other
}
