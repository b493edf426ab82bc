// How the texts of the shop are spelt.

export const slugForm = /^[a-z0-9]+(?:-[a-z0-9]+)*$/

/** A word with letters of both scripts: a Latin letter that looks Cyrillic, or the reverse. */
export const mixedWord = /[а-яё][a-z]|[a-z][а-яё]/i

/** Uzbek has ‘ in o‘ and g‘, ’ for the stop within a word, and no other apostrophe. */
export const misspelt = (text: string): boolean => /['`´ʻʼ]|(?<![og])‘|(?<=[og])’|’(?![a-z])/i.test(text)
