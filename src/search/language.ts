// The languages of indexed texts. The module has its own list, so that it depends on nothing of the shop.

export const languages = ['ru', 'uz', 'en'] as const
export type Language = (typeof languages)[number]
/** A text in up to three languages. */
export type Translations = Partial<Record<Language, string>>

const fallbacks = ['ru', 'en', 'uz'] as const

/** The text in the preferred language, else in the first language that has it, else empty. */
export const translated = (texts: Translations, language: Language): string =>
  texts[language] ?? fallbacks.map((it) => texts[it]).find((it) => it !== undefined) ?? ''
