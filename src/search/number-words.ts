// Numbers in words: полтора миллиона, besh litr, пятилитровая.

/** Whole numbers as people write them before a unit, in all the forms that stand there. */
const spellings: [value: number, words: string][] = [
  [0.5, 'пол yarim ярим half'],
  [1, 'один одна одного одной bir бир one'],
  [1.5, 'полтора полторы полутора'],
  [2, 'два две двух ikki икки two'],
  [3, 'три трех трёх uch уч three'],
  [4, 'четыре четырех четырёх tort to‘rt тўрт four'],
  [5, 'пять пяти besh беш five'],
  [6, 'шесть шести olti олти six'],
  [7, 'семь семи yetti етти seven'],
  [8, 'восемь восьми sakkiz саккиз eight'],
  [9, 'девять девяти toqqiz to‘qqiz тўққиз nine'],
  [10, 'десять десяти on o‘n ўн ten'],
  [12, 'двенадцать двенадцати twelve'],
  [15, 'пятнадцать пятнадцати fifteen'],
  [20, 'двадцать двадцати yigirma йигирма twenty'],
  [30, 'тридцать тридцати ottiz o‘ttiz ўттиз thirty'],
  [40, 'сорок сорока qirq қирқ forty'],
  [50, 'пятьдесят пятидесяти ellik эллик fifty'],
  [100, 'сто ста yuz юз hundred'],
  [200, 'двести двухсот'],
  [300, 'триста трехсот трёхсот'],
  [400, 'четыреста четырехсот четырёхсот'],
  [500, 'пятьсот пятисот'],
  [600, 'шестьсот шестисот'],
  [700, 'семьсот семисот'],
  [800, 'восемьсот восьмисот'],
  [900, 'девятьсот девятисот'],
]

const values = new Map(
  spellings.flatMap(([value, words]) => words.split(' ').map((word) => [word, value] as const)),
)

const apostrophes = /['‘’ʻʼ`]/g
const valueOf = (word: string): number | undefined => {
  const lower = word.toLowerCase()
  return values.get(lower) ?? values.get(lower.replaceAll(apostrophes, '‘'))
}

const scale = String.raw`(?:тыс|миллион|млн|лям|минг|ming|million|mln|thousand)`
const unit = String.raw`(?:литр|кило|кг|грамм|метр|сантиметр|дюйм|гиг|терабайт|ватт|штук|litr|kilo|kg|gramm|metr|dyuym|gig|dona|liter|litre|inch|pound)`
const word = String.raw`[\p{L}'‘’ʻʼ\x60]+`
const before = (what: string) =>
  new RegExp(String.raw`(?<![\p{L}\p{N}])(${word})(?: (${word}))? (?=${what})`, 'giu')
const beforeScale = before(scale)
const beforeUnit = before(unit)
const hasScale = new RegExp(scale, 'iu')
const hasUnit = new RegExp(unit, 'iu')

/** One or two number words before a unit as digits: besh yuz ming is 500 ming. */
const read = (text: string, form: RegExp): string =>
  text.replaceAll(form, (whole, first: string, second: string | undefined) => {
    const [one, other] = [valueOf(first), second === undefined ? undefined : valueOf(second)]
    if (second === undefined) return one === undefined ? whole : `${one} `
    if (other === undefined) return whole
    if (one === undefined) return `${first} ${other} `
    return `${other === 100 ? one * other : one + other} `
  })

const bareScale = new RegExp(
  String.raw`(?<![\p{L}\p{N}])(до|дешевле|дороже|не больше|в пределах|от|under|below|up to|over) (пол)?(?=(?:миллион|лям|million))`,
  'giu',
)

/** Prices in words with digits: до полутора миллионов is до 1.5 миллионов, до миллиона is до 1 миллиона. */
export function pricesInDigits(text: string): string {
  if (!hasScale.test(text)) return text
  return read(text, beforeScale).replaceAll(
    bareScale,
    (_, limit: string, half?: string) => `${limit} ${half === undefined ? 1 : 0.5} `,
  )
}

/** Amounts in words before a unit with digits: besh litr suv is 5 litr suv. */
export const amountsInDigits = (text: string): string => (hasUnit.test(text) ? read(text, beforeUnit) : text)

const radius = String.raw`(?:радиус[а-я]*|radius[a-z]*)`
const radii = new RegExp(
  String.raw`(?<![\p{L}\p{N}])(?:${radius} ?(?<after>1[2-9]|2[0-4])|(?<before>1[2-9]|2[0-4])(?:-?[йаяь]+)? ${radius})(?![\p{L}\p{N}])`,
  'giu',
)

/** The radius of a wheel as tyres are marked: 16 радиус is R16. */
export const radiiInDigits = (text: string): string =>
  text.replaceAll(radii, (_, after?: string, first?: string) => `r${after ?? first}`)

const tyreSize =
  /(?<!\d)(1[3-9]5|2[0-9]5|3[0-3]5)[ /](3[05]|[4-7][05]|8[05])[ /]?[rр]?(1[2-9]|2[0-4])(?!\d)/giu

/** The size of a tyre as tyres are marked: 205 55 16 is 205/55 R16. */
export const tyresInDigits = (text: string): string => text.replaceAll(tyreSize, '$1/$2 r$3')

/** Numbers as people call a thing by its size: кондиционер двенадцатка. */
const sizeNouns: [noun: RegExp, digits: string][] = [
  [/(?<= )девятк[аиу](?!\p{L})/giu, '9'],
  [/(?<= )двенадцатк[аиу](?!\p{L})/giu, '12'],
  [/(?<= )восемнадцатк[аиу](?!\p{L})/giu, '18'],
  [/(?<= )двадцатк[аиу](?!\p{L})/giu, '20'],
  [/(?<= )тридцатк[аиу](?!\p{L})/giu, '30'],
]

/** Sizes of diapers as people call them: подгузники двойка. */
const diaperSizes = ['единичк', 'двойк', 'тройк', 'четв[её]рк', 'пят[её]рк', 'шест[её]рк']
const sizeOfDiapers = new RegExp(
  String.raw`(?<=(?:подгузник|памперс|трусик|pampers|хаггис|huggies)\p{L}* (?:\p{L}+ )?)(?:${diaperSizes.map((it) => `(${it})`).join('|')})[аиу](?!\p{L})`,
  'giu',
)

const ordinals = ['перв', 'втор', 'трет', 'четв[её]рт', 'пят', 'шест', 'седьм', 'восьм']
const ordinalSize = new RegExp(
  String.raw`(?<!\p{L})(?:${ordinals.map((it) => `(${it})`).join('|')})(?:ый|ой|ий|его|ого|ьего|ая|ую) (?=размер)`,
  'giu',
)

/** Sizes in words: кондиционер двенадцатка, пятый размер. */
export const sizesInDigits = (text: string): string =>
  sizeNouns
    .reduce((read, [noun, digits]) => read.replaceAll(noun, digits), text)
    .replaceAll(sizeOfDiapers, (_, ...found: unknown[]) => String(placeOf(found)))
    .replaceAll(ordinalSize, (_, ...found: unknown[]) => `${placeOf(found)} `)

/** The number of the group that was found. */
const placeOf = (found: readonly unknown[]): number => found.findIndex((it) => it !== undefined) + 1

const colourCount =
  /(?<![\p{L}\p{N}])(\d{1,3}) ?-?(?:цвет(?:а|ов)?|rang|rangli|ранг|рангли|colou?rs?)(?!\p{L})/giu

/** Pencils and paints are counted by their colours: 36 цветов are 36 pieces. */
export const coloursInDigits = (text: string): string => text.replaceAll(colourCount, '$1 шт')

/** Uzbek intensifies a colour by its doubled beginning: oppoq is oq, qop-qora is qora. */
const strongColours: [strong: RegExp, colour: string][] = [
  [/(?<!\p{L})oppoq/giu, 'oq'],
  [/(?<!\p{L})оппоқ/giu, 'оқ'],
  [/(?<!\p{L})qop[- ]?(?=qora)/giu, ''],
  [/(?<!\p{L})қоп[- ]?(?=қора)/giu, ''],
  [/(?<!\p{L})qip[- ]?(?=qizil)/giu, ''],
  [/(?<!\p{L})қип[- ]?(?=қизил)/giu, ''],
  [/(?<!\p{L})(?:yam|yap)[- ]?(?=yashil)/giu, ''],
  [/(?<!\p{L})(?:ям|яп)[- ]?(?=яшил)/giu, ''],
  [/(?<!\p{L})sap[- ]?(?=sariq)/giu, ''],
  [/(?<!\p{L})сап[- ]?(?=сариқ)/giu, ''],
  [/(?<!\p{L})ko['‘’ʻʼ\x60]?[mp][- ]?(?=ko['‘’ʻʼ\x60]?k)/giu, ''],
  [/(?<!\p{L})кў[мп][- ]?(?=кўк)/giu, ''],
]
export const plainColours = (text: string): string =>
  strongColours.reduce((read, [strong, colour]) => read.replaceAll(strong, colour), text)

const side = String.raw`(\d+(?:[.,]\d+)?|[\p{L}'‘’]+)`
const areas = new RegExp(String.raw`(?<![\p{L}\p{N}])${side} (?:на|ga|га|by) ${side}(?![\p{L}\p{N}])`, 'giu')
const maxSide = 12

/** Both sides of a carpet in words: три на четыре is 3×4. */
export const areasInDigits = (text: string): string =>
  text.replaceAll(areas, (whole, one: string, other: string) => {
    const sides = [one, other].map(valueOf)
    return sides.every((it) => it !== undefined && it <= maxSide) ? `${sides[0]}x${sides[1]}` : whole
  })

/** Names of Latin letters before a number, as people say models: икс 7 is x7. */
const letterNames: Record<string, string> = {
  икс: 'x',
  зет: 'z',
  эс: 's',
  эф: 'f',
  джи: 'g',
  эм: 'm',
  эн: 'n',
  эль: 'l',
  ви: 'v',
}
const saidLetters = new RegExp(
  String.raw`(?<![\p{L}\p{N}])(${Object.keys(letterNames).join('|')}) ?(?=\d|флип|фолд)`,
  'giu',
)

export const lettersOfModels = (text: string): string =>
  text.replaceAll(saidLetters, (whole, name: string) => {
    const letter = letterNames[name.toLowerCase()]!
    return whole.endsWith(' ') ? `${letter} ` : letter
  })

const measured =
  /^(полу|полутора|одно|двух|тр[её]х|четыр[её]х|пяти|шести|семи|восьми|девяти|десяти|двенадцати|пятнадцати|двадцати|пятидесяти|сто|\d+(?:[.,]\d+)?)?-?(литров|килограммов|граммов|дюймов|сантиметров|метров|гигабайтн|терабайтн|ваттн)(?:ый|ая|ое|ые|ого|ой|ую|ых|ым|ыми|ом)$/

const units: Record<string, string> = {
  литров: 'l',
  килограммов: 'kg',
  граммов: 'g',
  дюймов: 'in',
  сантиметров: 'cm',
  метров: 'm',
  гигабайтн: 'gb',
  терабайтн: 'tb',
  ваттн: 'w',
}

const numerals: Record<string, number> = { полу: 0.5, одно: 1 }

/** The amount that an adjective names: пятилитровая is 5 l, литровая 1 l. */
export function amountOfAdjective(word: string): string | undefined {
  const [, numeral, named] = measured.exec(word) ?? []
  if (named === undefined) return undefined
  const value =
    numeral === undefined ? 1 : (numerals[numeral] ?? valueOf(numeral) ?? Number(numeral.replace(',', '.')))
  return Number.isNaN(value) ? undefined : `${value}${units[named]}`
}
