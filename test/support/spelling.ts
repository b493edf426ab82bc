// Spelling checks for shop texts.

export const slugForm = /^[a-z0-9]+(?:-[a-z0-9]+)*$/

/** A word that mixes Latin and Cyrillic letters. */
export const mixedWord = /[а-яё][a-z]|[a-z][а-яё]/i

/** Uzbek uses ‘ in o‘ and g‘, ’ for the glottal stop within a word, and no other apostrophe. */
export const misspelt = (text: string): boolean => /['`´ʻʼ]|(?<![og])‘|(?<=[og])’|’(?![a-z])/i.test(text)
