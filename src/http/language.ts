export const languages = ['ru', 'uz', 'en'] as const
export type Language = (typeof languages)[number]
/** A text in up to three languages. */
export type LocalizedText = Partial<Record<Language, string>>

const fallback = ['ru', 'en', 'uz'] as const

/** The text in this language, otherwise in a fallback language, otherwise empty. */
export const inLanguage = (text: LocalizedText, language: Language): string =>
  text[language] ?? fallback.map((it) => text[it]).find((it) => it !== undefined) ?? ''

const rangeForm =
  /^\s*([A-Za-z]{1,8}|\*)(?:-[A-Za-z0-9-]{1,35})?\s*(?:;\s*q\s*=\s*(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)\s*)?$/

/** The supported language with the highest weight in `Accept-Language`, or the default; `*` is every other language. */
export function preferredLanguage(header: string | undefined, otherwise: Language): Language {
  if (!header || header.length > 1_000) return otherwise
  const weights = new Map<string, number>()
  for (const range of header.split(',')) {
    const [, tag, weight = '1'] = rangeForm.exec(range) ?? []
    const name = tag?.toLowerCase()
    if (name) weights.set(name, Math.max(Number(weight), weights.get(name) ?? 0))
  }
  const weightOf = (language: string) => weights.get(language) ?? weights.get('*') ?? 0
  // Of equal weights the first named wins, then the default.
  const named = [...weights.keys()].flatMap((it) => languages.find((language) => language === it) ?? [])
  const [best = otherwise] = [...named, otherwise, ...languages].toSorted((a, b) => weightOf(b) - weightOf(a))
  return weightOf(best) > 0 ? best : otherwise
}
