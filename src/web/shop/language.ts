// The languages of the storefront: three of the platform, and Uzbek also in Cyrillic, by transliteration.

export const shopLanguages = ['ru', 'uz', 'uz-cyrl', 'en'] as const
export type ShopLanguage = (typeof shopLanguages)[number]

export const isShopLanguage = (text: string | undefined): text is ShopLanguage =>
  (shopLanguages as readonly (string | undefined)[]).includes(text)

export const languageNames: Record<ShopLanguage, string> = {
  ru: 'Русский',
  uz: 'O‘zbekcha',
  'uz-cyrl': 'Ўзбекча',
  en: 'English',
}

/** BCP 47 tags for `lang` and `hreflang`. */
export const languageTags: Record<ShopLanguage, string> = {
  ru: 'ru',
  uz: 'uz-Latn',
  'uz-cyrl': 'uz-Cyrl',
  en: 'en',
}

export const apiLanguage = (language: ShopLanguage): 'ru' | 'uz' | 'en' =>
  language === 'uz-cyrl' ? 'uz' : language

/** What the shop has chosen in its settings. */
export interface LanguageOffer {
  languages: readonly ('ru' | 'uz' | 'en')[]
  default_language: 'ru' | 'uz' | 'en'
}

export const fullOffer: LanguageOffer = { languages: ['ru', 'uz', 'en'], default_language: 'ru' }

/** Uzbek is offered in both scripts. */
export const offeredLanguages = ({ languages }: LanguageOffer): ShopLanguage[] =>
  shopLanguages.filter((it) => languages.includes(apiLanguage(it)))

/** The first language of `Accept-Language` that the shop offers, otherwise its default. */
export function preferredLanguage(header: string | undefined, offer = fullOffer): ShopLanguage {
  const offered = offeredLanguages(offer)
  for (const range of (header ?? '').slice(0, 500).toLowerCase().split(',')) {
    const tag = range.split(';')[0]!.trim()
    if (tag.startsWith('uz-cyrl') && offered.includes('uz-cyrl')) return 'uz-cyrl'
    const found = offered.find((it) => tag === it || tag.startsWith(`${it}-`))
    if (found) return found
  }
  return offer.default_language
}

// oxfmt-ignore
const pairs: [string, string][] = [
  ['o‘', 'ў'], ['g‘', 'ғ'], ['sh', 'ш'], ['ch', 'ч'], ['yo', 'ё'], ['yu', 'ю'], ['ya', 'я'], ['ye', 'е'], ['ts', 'ц'],
  ['a', 'а'], ['b', 'б'], ['d', 'д'], ['e', 'е'], ['f', 'ф'], ['g', 'г'], ['h', 'ҳ'], ['i', 'и'], ['j', 'ж'], ['k', 'к'],
  ['l', 'л'], ['m', 'м'], ['n', 'н'], ['o', 'о'], ['p', 'п'], ['q', 'қ'], ['r', 'р'], ['s', 'с'], ['t', 'т'], ['u', 'у'],
  ['v', 'в'], ['x', 'х'], ['y', 'й'], ['z', 'з'], ['’', 'ъ'],
]
const cyrillicOf = new Map(pairs)
const latinForm = /[og]‘|yo(?!‘)|sh|ch|yu|ya|ye|ts|[a-z]|’/gi

/** Uzbek Latin in Cyrillic letters. Words in braces are names of places in a text and stay. */
export const toCyrillic = (text: string): string =>
  text.replace(/\{\w+\}|[^{]+/g, (part) => (part.startsWith('{') ? part : cyrillicText(part)))

const cyrillicText = (text: string): string =>
  // Whole: `Wi-Fi`, `3-D`.
  text.replace(/\b(?:\d+-[A-Z]|[A-Z]\w*-[A-Z]\w*)(?![\p{L}‘’])|[\p{L}\p{N}‘’]+/gu, (word) =>
    word.includes('-') || isForeign(word) ? word : cyrillicWord(word),
  )

/** Uzbek has no `w`, and `c` only in `ch`. Abbreviations, models and words with capitals inside are names as well. */
const isForeign = (word: string): boolean =>
  /w|c(?!h)|[a-z][A-Z]|^[A-Z]{2,}$/.test(word.replace(/^[CW]/, (it) => it.toLowerCase())) ||
  (/\p{N}/u.test(word) && /[a-z]/i.test(word))

const cyrillicWord = (word: string): string =>
  word
    .replace(/^e/, 'э')
    .replace(/^E/, 'Э')
    .replace(latinForm, (letters) => {
      const cyrillic = cyrillicOf.get(letters.toLowerCase()) ?? letters
      return letters[0] === letters[0]!.toLowerCase() ? cyrillic : cyrillic.toUpperCase()
    })

/** A text about a product: the brand and the model, which its name begins with a capital, stay. */
export function textToCyrillic(text: string, name: string): string {
  const kept = new Set(name.match(/(?<![\p{L}\p{N}])[A-Z0-9][\p{L}\p{N}]*/gu) ?? [])
  return text.replace(/[\p{L}\p{N}‘’]+|[^\p{L}\p{N}‘’]+/gu, (part) =>
    kept.has(part) ? part : toCyrillic(part),
  )
}

/** Names of products keep their brands and models: only words in small letters are transliterated, and units. */
export const nameToCyrillic = (name: string): string =>
  name
    .replace(/(?<=\d[ \u00a0])(?:kg|g|l|ml|mm|sm|m|dona|oy)(?![\p{L}\p{N}‘’])/gu, cyrillicWord)
    .replace(/(?<![\p{L}\p{N}‘’.-]|\p{L}-)(?:\d+-)?[a-z‘’]{3,}(?![\p{L}\p{N}])/gu, (it) =>
      it.replace(/[a-z‘’]+/, toCyrillic),
    )
