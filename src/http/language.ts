export const languages = ['ru', 'uz', 'en'] as const
export type Language = (typeof languages)[number]
/** A text in up to three languages. */
export type LocalizedText = Partial<Record<Language, string>>

const fallback = ['ru', 'en', 'uz'] as const

/** The text in this language, otherwise in a fallback language, otherwise empty. */
export const inLanguage = (text: LocalizedText, language: Language): string =>
  text[language] ?? fallback.map((it) => text[it]).find((it) => it !== undefined) ?? ''

const rangeForm = /^\s*([A-Za-z]{1,8})(?:-[A-Za-z0-9-]{1,35})?\s*(?:;\s*q\s*=\s*([01](?:\.\d{0,3})?)\s*)?$/

/** The supported language with the highest weight in `Accept-Language`, or the default. */
export function preferredLanguage(header: string | undefined, otherwise: Language): Language {
  if (!header || header.length > 1_000) return otherwise
  let best = otherwise
  let bestWeight = 0
  for (const range of header.split(',')) {
    const [, tag, weight] = rangeForm.exec(range) ?? []
    const language = languages.find((it) => it === tag?.toLowerCase())
    if (language && Number(weight ?? 1) > bestWeight) {
      best = language
      bestWeight = Number(weight ?? 1)
    }
  }
  return best
}
