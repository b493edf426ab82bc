/** A text in Russian, Uzbek and English. */
export type Rows = Record<string, readonly [ru: string, uz: string, en: string]>
