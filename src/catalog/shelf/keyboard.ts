// Words typed with the keyboard left in the other language: ghbdtn is привет.

const latin = "`qwertyuiop[]asdfghjkl;'zxcvbnm,."
const cyrillic = 'ёйцукенгшщзхъфывапролджэячсмитьбю'

const otherKey = new Map([
  ...[...latin].map((key, at) => [key, cyrillic[at]!] as const),
  ...[...cyrillic].map((key, at) => [key, latin[at]!] as const),
])

/** What the same keys give in the other layout. */
export function inOtherLayout(text: string): string {
  let other = ''
  for (const letter of text.toLowerCase()) other += otherKey.get(letter) ?? letter
  return other
}
