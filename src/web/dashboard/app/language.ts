// Texts in three languages, written as rows: English, Russian, Uzbek.

export const languages = ['en', 'ru', 'uz'] as const
export type Language = (typeof languages)[number]

export const languageNames: Record<Language, string> = { en: 'English', ru: 'Русский', uz: 'O‘zbekcha' }

export type Row = readonly [en: string, ru: string, uz: string]
export type Rows = Record<string, Row>
export type Texts<Table extends Rows> = { [Key in keyof Table]: string }

/** One column of the table. */
export const textsIn = <Table extends Rows>(table: Table, language: Language): Texts<Table> =>
  Object.fromEntries(
    Object.entries(table).map(([key, row]) => [key, row[languages.indexOf(language)] ?? row[0]]),
  ) as Texts<Table>

/** Replaces `{name}` in a text. */
export const fillIn = (text: string, values: Record<string, string | number>): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole))

const locales: Record<Language, string> = { en: 'en-GB', ru: 'ru-RU', uz: 'uz-Latn-UZ' }
/** As the shop writes money; a thin space is too narrow to see in many fonts. */
const noBreak = '\u00a0'
const grouped = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 })

const withTiyin = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })

const inGroups = (figures: string): string => figures.replaceAll(',', noBreak).replace('-', '−')

/** Digits in groups. */
export const count = (value: number): string => inGroups(grouped.format(value))

/** Whole sums, or with both digits of the tiyin. */
function sumsText(tiyin: number, language: Language): string {
  const figures = inGroups((tiyin % 100 === 0 ? grouped : withTiyin).format(tiyin / 100))
  return decimal(figures, language)
}

const unit: Record<Language, string> = { en: 'sum', ru: 'сум', uz: 'so‘m' }

/** Tiyin as sums, or another currency by its code. */
export function money(
  { amount, currency }: { amount: number; currency: string },
  language: Language,
): string {
  const value = sumsText(amount, language)
  return currency === 'UZS' ? `${value}${noBreak}${unit[language]}` : `${value}${noBreak}${currency}`
}

/** Millions as `1.2M`, for tiles and axes. */
export function shortMoney(tiyin: number, language: Language): string {
  const sums = tiyin / 100
  const [value, suffix] =
    Math.abs(sums) >= 1e9 ? [sums / 1e9, 1] : Math.abs(sums) >= 1e6 ? [sums / 1e6, 2] : [sums, 0]
  const names: Record<Language, readonly string[]> = {
    en: ['', ' bn', ' M'],
    ru: ['', ' млрд', ' млн'],
    uz: ['', ' mlrd', ' mln'],
  }
  const digits = suffix && Math.abs(value) < 100 ? value.toFixed(1) : String(Math.round(value))
  return `${decimal(count(Number(digits)), language)}${names[language][suffix]!.replace(' ', noBreak)}`
}

/** With the decimal sign of the language. */
const decimal = (figures: string, language: Language): string =>
  language === 'en' ? figures : figures.replace('.', ',')

export const percent = (share: number, language: Language, digits = 1): string =>
  `${decimal((share * 100).toFixed(digits), language)}${noBreak}%`

/** Uzbek month names are missing in many browsers. */
const uzbekMonths = ['yan', 'fev', 'mar', 'apr', 'may', 'iyn', 'iyl', 'avg', 'sen', 'okt', 'noy', 'dek']

export function dateTime(iso: string, language: Language): string {
  const at = new Date(iso)
  const isThisYear = at.getFullYear() === new Date().getFullYear()
  if (language === 'uz')
    return `${uzbekDay(at)}${isThisYear ? '' : ` ${at.getFullYear()}`}, ${two(at.getHours())}:${two(at.getMinutes())}`
  return new Intl.DateTimeFormat(locales[language], {
    day: 'numeric',
    month: 'short',
    year: isThisYear ? undefined : 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  }).format(at)
}

const two = (value: number): string => String(value).padStart(2, '0')
const uzbekDay = (at: Date): string => `${at.getDate()}-${uzbekMonths[at.getMonth()]}`

/** A day without a time is the same day in every time zone; an instant has the day of the reader. */
const localDate = (iso: string): Date => new Date(iso.length === 10 ? `${iso}T00:00` : iso)

/** `19 Nov`. */
export function day(iso: string, language: Language): string {
  const at = localDate(iso)
  if (language === 'uz') return uzbekDay(at)
  return new Intl.DateTimeFormat(locales[language], { day: 'numeric', month: 'short' }).format(at)
}

/** `19.11.2026`, for documents. */
export function fullDate(iso: string): string {
  const at = localDate(iso)
  return `${two(at.getDate())}.${two(at.getMonth() + 1)}.${at.getFullYear()}`
}

/** `19 Nov 2026`. */
export function dayAndYear(iso: string, language: Language): string {
  const at = localDate(iso)
  if (language === 'uz') return `${uzbekDay(at)} ${at.getFullYear()}`
  return new Intl.DateTimeFormat(locales[language], {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
  }).format(at)
}

const steps: [seconds: number, unit: Intl.RelativeTimeFormatUnit, texts: Record<'uz', string>][] = [
  [86_400, 'day', { uz: 'kun' }],
  [3_600, 'hour', { uz: 'soat' }],
  [60, 'minute', { uz: 'daqiqa' }],
]

/** `5 minutes ago`. */
export function ago(iso: string, language: Language, now: number): string {
  const seconds = (Date.parse(iso) - now) / 1000
  const [size, name, { uz }] = steps.find(([it]) => Math.abs(seconds) >= it) ?? [
    60,
    'minute',
    { uz: 'daqiqa' },
  ]
  const value = Math.round(seconds / size)
  if (language === 'uz')
    return value === 0 ? 'hozirgina' : `${Math.abs(value)} ${uz} ${value < 0 ? 'oldin' : 'keyin'}`
  return new Intl.RelativeTimeFormat(locales[language], { numeric: 'auto' }).format(value, name)
}
