// Word lists that belong to the languages and not to a shop: stop words, filler words, purposes, containers, units. Words
// are tokens: in lower case and without apostrophes.

import { russianStem } from './stemmer-russian.ts'
import { uzbekStem } from './stemmers.ts'
import { isCyrillic, keyOf } from './word-key.ts'

const wordsOf = (text: string): Set<string> => new Set(text.split(/\s+/).filter(Boolean))

const stopWords = wordsOf(
  `и в во на с со для из по к от до за о об у или а но как при над под перед через возле около вокруг va uchun bilan ham
  ва учун билан ҳам a the an and or for of in on with to by from at under over about`,
)

/** Words that occur in every text and do not narrow a search. */
export const isStopWord = (word: string): boolean => stopWords.has(word)

/** What shoppers write around the thing they want. */
const fillers = wordsOf(
  `очень весь целый juda жуда very купить купи куплю покупка покупать продать продажа продам заказать заказ заказывать приобрести цена цены цену ценой
  стоимость стоит сколько недорого недорогой недорогая недорогие недорогое дешево дешевый дешевая дешевые дешевое дешевле
  бюджетный бюджетные бюджетная лучший лучшая лучшие лучшее хороший хорошая хорошие хорошее качественный качественная
  топ топовый популярный популярные новый новая новое новые новинка новинки оригинал оригинальный оригинальные
  оригинальная рассрочка рассрочку рассрочке кредит доставка доставкой доставку бесплатная магазин магазине интернет онлайн
  скидка скидки скидкой акция акции распродажа отзывы отзыв обзор характеристики фото каталог ташкент ташкенте узбекистан
  узбекистане самарканд самарканде сум сумах сумов сумм хочу нужен нужна нужно нужны ищу найти покажи показать посоветуйте
  подскажите где какой какая какие мне пожалуйста интересует гарантия гарантией наличии наличие установка установкой установку оптом розница розницу бу нужный каком хорошем отличный отличная отличные
  narx narxi narxlari narxlar narxda narxini qancha arzon arzonroq arzonlari qimmat sotib olish olaman olmoq sotaman sotiladi
  sotuv kerak menga yaxshi eng zor yangi original chegirma chegirmalar aksiya kredit kreditga muddatli tolov bolib tolash
  yetkazib berish dokon dokoni dokonda toshkent toshkentda uzbekiston ozbekiston som somda bormi qayerda qayerdan topish qidiryapman
  buy buying purchase order price prices priced cost costs cheap cheaper cheapest affordable budget best top good great popular
  new original sale discount deal deals offer offers shop store online delivery free shipping review reviews want need looking find
  show me please where how much i tashkent uzbekistan credit instalment installment instalments
  is are was do does did you your have has had any can could get should would will which what who when there some my our
  powerful quiet comfortable interesting nice durable amazing reliable beautiful cool cute pretty perfect super modern stylish
  this that these those recommend recommended suggest available stock cheaply quality sell selling sells
  есть ли взять выбрать выбираю лучше надежнее надежный надежная надежные надо можно бы чтобы какую какого каких какое какому чем стоят
  стоил подскажи посоветуй подберите помогите подобрать хотел хотела хотим хотелось срочно прямо сейчас сегодня наличными отзывами
  отзыву рейтинг сравнить сравнение прайс ценник ценам недорогую недорогого дешевую дешевого дешевых хорошую хорошего хороших лучшую лучшего
  лучших новую нового новых самый самая самое самые красивый красивая красивое красивые модный модная модное модные классный классная
  классные мощный мощная мощное мощные интересный интересная интересное интересные удобный удобная удобное удобные прочный прочная
  прочные вкусный вкусная вкусное вкусные замечательный замечательная супер отличное прекрасный прекрасная шикарный шикарная шикарное
  бесшумный бесшумная тихий тихая тихое экономичный экономичная практичный практичная современный современная современное современные
  крутой крутая крутые реальный реальная фирменный фирменная фирменные оригинала
  производителя производитель склад склада склады доставить привезти привезите
  qaysi qanaqa qanday bolsa boladi turadi olsam nechta necha pul pulga beringlar bering olmoqchiman olmoqchi edim sotadigan
  sotuvda mavjud tavsiya sifatli chiroyli zamonaviy arzonini yaxshisi yaxshisini narxdagi narxga tezda bugun hozir kerakli kerakmi
  kuchli qulay ajoyib mustahkam qiziqarli qiziq mazali ishonchli zor haqida korsating izlayapman qidirmoqdaman xarid xaridga foyda aksiyada chegirmada chegirmali`,
)
/** Of Cyrillic Uzbek, written as keys of the Latin words above. */
const uzbekCyrillicFillers = wordsOf(
  `нарх нархи нархлари нархда қанча арзон арзонроқ сотиб олиш оламан керак менга яхши энг янги чегирма акция кредит тўлов
  бўлиб тўлаш етказиб бериш дўкон тошкент тошкентда ўзбекистон сўм борми қаерда қайси қанақа қандай бўлади туради олсам неча пул
  олмоқчиман сифатли чиройли замонавий мавжуд харид арзонини яхшиси кўрсатинг қидиряпман чегирмали нархга сотувда`,
)

const plain = (word: string): string => (word.includes('ё') ? word.replaceAll('ё', 'е') : word)

/** Whether a word of a query says nothing about the thing that is wanted. */
export const isFiller = (word: string): boolean => fillers.has(plain(word)) || uzbekCyrillicFillers.has(word)

/** Purposes and audiences ("for school", "for children"). They are optional: ignored when no product has them. */
const purposes = wordsOf(
  `дом дома домой офис офиса учеба учебы учебу работа работы игра игр игры дача дачи подарок подарка подарку спорт спорта
  бег бега путешествие путешествий праздник праздника свадьба свадьбы выпускной выпускного каждый день зима зимы лето лета
  ребенок ребенка ребенку дети детей детям детский мальчик мальчика мальчику девочка девочки девочке женщина женщин женщине
  мужчина мужчин мужчине взрослый взрослых студент студентов школьник школьников школа школы новорожденный новорожденных малыш малышей
  грудничок грудничков одежда одежды вещей кухня кухни кухню кухне спальни спальню спальня гостиная гостиной гостиную зал зала
  комнаты комнату машины машину авто автомобиля рисования готовки плова супа уборки тренировок тренировки фитнеса похода
  отдыха сна бассейна мама мамы маме папа папы папе бабушки бабушке дедушке подростка подростков невесты пенсионеров туризма
  oshxona oshxonaga mashina mashinaga uxlash ona onaga ota otaga buvi sayohat kitchen bedroom car dad mom mum teens uy ofis oqish ish oyin sovga sport bola bolalar bolalarga ogil qiz ayol ayollar erkak erkaklar maktab talaba
  home office study work gaming games gift kids children boy girl women men school student newborn baby everyday travel цвет цвета цветом rang rangli rangi
  color colour size размер размера olcham`,
)

/** Purposes and audiences in all their forms: only words whose stem is that of no thing. */
const inflectedPurposes = wordsOf(
  `занятия упражнения тренировка урок прогулка дорога поездка пикник природа гости застолье банкет начинающий новичок жена муж сын дочка
  сестра подруга коллега начальник учитель воспитатель водитель программист дизайнер геймер блогер студент школьник подросток пенсионер
  новорожденный малыш грудничок ребенок мальчик девочка женщина мужчина мужик бабушка дедушка невеста жених родители внук внучка племянник
  путешествие праздник юбилей именины помолвка свадьба новоселье пожилой беременная повседневный праздничный выпускной
  общение звонок съемка чтение огород коридор прихожая балкон гостиная спальня
  mehmonlar mashq mashgulot darslar sayr bayram tugilgan yubiley ustoz oqituvchi dostim singlim qariyalar yoshlar osmir chaqaloq
  haydovchi dasturchi talaba oquvchi yotoqxona plyaj piknik kelin kuyov nabira bolalar ayollar erkaklar qizlar
  birthday wedding guest beginner husband wife daughter friend sister brother teacher grandma grandpa grandmother grandfather parent toddler
  teenager adult senior elderly driver programmer designer gamer bathroom outdoor workout lesson students boyfriend girlfriend`,
)

/** Shorter stems are those of other words as well. */
const minPurposeStem = 4
const englishPlural = /(?<=[^s]{3})s$/
const purposeStem = (word: string): string =>
  isCyrillic(word) ? russianStem(word) : uzbekStem(keyOf(word, 'en').replace(englishPlural, ''))
const purposeStems = new Set([...inflectedPurposes].map(purposeStem))

export const isPurpose = (word: string): boolean => {
  const read = plain(word)
  return purposes.has(read) || (word.length >= minPurposeStem && purposeStems.has(purposeStem(read)))
}

/** Nouns of audiences, winter, summer and metals, and the adjectives of names: shoes for women are women’s shoes. */
const relatedModifiers: [nouns: RegExp, adjectives: string[]][] = [
  [
    /^(женщин|девуш|дам(а|ы|е|у|ам)?$|ayol|аёл|аел|qizlar|қизлар|wom[ae]n|lad(y|ies)$|girls?$|wife$|жен[аеуы]$)/,
    ['женский', 'ayollar', 'women'],
  ],
  [
    /^(мужчин|мужик|парн(я|ю|ей|ям|и)$|мужу$|мужа$|erkak|эркак|yigit|йигит|m[ae]n$|guys?$|husband)/,
    ['мужской', 'erkaklar', 'men'],
  ],
  [
    /^(реб[её]н|дет(и|ей|ям|ишк|к)|малыш|bola|бола(га|лар|ни|си)?$|болалар|kids?$|child|toddler|bab(y|ies)$)/,
    ['детский', 'bolalar', 'children'],
  ],
  [/^(зим(а|ы|у|ой|е)$|qish(ga|da)?$|қиш(га|да)?$|winter)/, ['зимний', 'qishki', 'winter']],
  [/^(золот(ой|ая|ое|ые|ого)$|голд$|tilla$|gold(en)?$)/, ['золотистый', 'tillarang', 'gold']],
  [/^(серебрян(ый|ая|ое|ые|ого)$|kumush$|silver$)/, ['серебристый', 'kumushrang', 'silver']],
  [/^(лет(о|а|у|ом|е)$|yoz(ga|da)?$|ёз(га|да)?$|summer)/, ['летний', 'yozgi', 'summer']],
  [/^(негазирован|gazsiz|газсиз|still$)/, ['негазированный', 'gazsiz', 'still']],
  [/^(проводн(ой|ая|ое|ые|ую|ых)$|simli$|симли$|wired$)/, ['проводной', 'кабелем', 'simi', 'wired', 'lead']],
  [/^(городск|дорожн(ый|ая|ое|ые)$|urban$|city$|shahar$|шаҳар$)/, ['городской', 'shahar', 'city']],
  [/^(водостойк|водонепрониц|влагостойк|waterproof$)/, ['водостойкий', 'waterproof']],
]

/** Adjectives by which names say what a noun of an audience, winter, summer or a metal says. */
export const modifiersFor = (word: string): readonly string[] =>
  relatedModifiers.find(([nouns]) => nouns.test(word))?.[1] ?? []

const colours = wordsOf(
  `black white red blue green grey gray pink purple violet yellow orange brown beige silver gold golden navy graphite
  qora oq qizil kok yashil kulrang pushti sariq jigarrang moviy binafsharang kumushrang tillarang
  қора оқ қизил кўк яшил кулранг пушти сариқ жигарранг мовий`,
)

/** Colours that have no ending of an adjective. */
export const isColour = (word: string): boolean => colours.has(word)

/** Nouns that say little without their adjective: a sewing machine is no washing machine. */
const genericNouns = wordsOf(
  `машина машинка машины машинки машинкаси mashinka mashinkasi аппарат устройство прибор набор комплект система станция панель станок средство крем масло вода
  корм лампа доска камера игра игры карта диск блок плата фильтр насос ручка мяч коврик ключ печь плита
  кресло сумка маска чай mashina mashinasi apparat moslama toplam panel krem moy suv yog kamera karta
  machine device set kit system station panel board camera card disk block filter pump mat tool cream oil water food chair bag mask`,
)

export const isGenericNoun = (word: string): boolean => genericNouns.has(word)

/** Uzbek has no adjectives for materials: shisha choynak is a kettle of glass. */
const materials = wordsOf(
  `shisha charm paxta jun ipak yogoch temir plastik chinni sopol kumush tilla rezina silikon metall zamsh atlas satin zigir
  шиша чарм пахта жун ипак ёғоч темир пластик чинни сопол glass leather cotton wool silk wooden plastic metal steel ceramic
  silicone velvet linen стекло кожа хлопок шерсть дерево пластик металл керамика нержавейка чугун`,
)

export const isMaterial = (word: string): boolean => materials.has(word)

/** Products for them are a kind of their own: a toy for a cat is no toy for a child. */
const animals =
  /^(кошк|кошек|кошач|кот$|кота$|котят|собак|собач|щен|попуга|хомяк|рыб(?!ал|ол|ач)|птиц|животн|лошад|mushuk|it$|itlar|toti|hayvon|cat$|cats$|kitten|dog$|dogs$|puppy|pet$|pets$|bird|мушук|ит$|итлар|ҳайвон)/

export const isAnimal = (word: string): boolean => animals.test(word)

/** Words that hold what they name: the thing is what follows, or in Uzbek what precedes. */
const containers = wordsOf(
  `набор комплект упаковка пара коробка пачка toplam toplami komplekt juft set kit pack pair box`,
)

export const isContainer = (word: string): boolean => containers.has(word)

/** Prefixes of words for parts and accessories, which rank after the product that they belong to. */
const accessoryBeginnings =
  /^(аксессуар|чехол|чехл|запчаст|расходн|aksessuar|ehtiyot|gilof|accessor|spare|case|cover|ремеш|кабел|kabel|cable|заряд|quvvatlagich|charger)/

export const isAccessory = (word: string): boolean => accessoryBeginnings.test(word)

/** Words that tell models of one series apart: Redmi Note 14 Pro Plus. */
const modelTiers = wordsOf('pro plus max ultra lite mini про плюс макс ультра лайт мини')

export const isModelTier = (word: string): boolean => modelTiers.has(word)

const memoryWords = wordsOf('озу пзу оперативки оперативка оперативы ram rom')

/** Whether a word after a size says what kind of memory it is: 8 ГБ озу. */
export const isMemory = (word: string): boolean => memoryWords.has(word)

/** Units of measure in all their spellings: 128гб, 128 GB and 128 gigabayt are the same size. */
const unitSpellings: Record<string, string> = {
  gb: 'gb gigabaytli gigabaytlik gblik gigabayt gigabayta gigabyte gigabytes gig gigov gb',
  tb: 'tb terabayt terabayta terabyte terabytes',
  mb: 'mb megabayt megabyte',
  l: 'l litr litra litrov litry litrli litrlik liter litre liters litres',
  ml: 'ml millilitr millilitrov mililitr',
  kg: 'kg kilogramm kilogram kilo kilogrammov kilogrammlik kilogrammli kiloli kilolik kglik',
  g: 'g gr gramm gramov grammov gram grams grammli grammlik',
  mg: 'mg',
  m: 'm metr metra metrov meter metrli metrlik meters',
  cm: 'cm sm santimetr santimetrov',
  mm: 'mm millimetr millimetrov',
  w: 'w vt vatt watt vat watts',
  kw: 'kw kvt kilovatt',
  hz: 'hz gts gerts',
  ghz: 'ghz ggts',
  mah: 'mah mach mas',
  ah: 'ah ach asoat',
  in: 'in inch inches dyuym dyuymov dyuyma dyuymli dyum dyuymlik',
  pcs: 'pcs sht shtuk dona ta',
  mp: 'mp megapiksel megapixel',
}

const units = new Map(
  Object.entries(unitSpellings).flatMap(([unit, all]) => all.split(' ').map((it) => [it, unit] as const)),
)

/** The unit that a word names, if any; the word is given as a key in the letters of model names. */
export const unitOf = (key: string): string | undefined => units.get(key)

/** A unit as a number of smaller ones. A terabyte is counted both ways. */
const smallerUnits: [unit: string, factor: number, smaller: string][] = [
  ['kg', 1000, 'g'],
  ['tb', 1024, 'gb'],
  ['tb', 1000, 'gb'],
  ['l', 1000, 'ml'],
  ['m', 100, 'cm'],
  ['cm', 10, 'mm'],
  ['kw', 1000, 'w'],
  ['ah', 1000, 'mah'],
]

/** Numbers of models by place, as names have them: Emberton III. A single letter is that of a series. */
const romanNumerals = [undefined, undefined, 'ii', 'iii', 'iv', 'v', 'vi', 'vii', 'viii', 'ix'] as (
  | string
  | undefined
)[]

const wheel = /^(1[2-9]|2[0-4])$/
const measure = /^(\d+(?:\.\d+)?)([a-z]+)$/

/** The same amount in other units: 1kg is 1000g. */
export function sameAmounts(word: string): string[] {
  // People leave out the thousand: кондиционер 12 has 12000 BTU.
  // They leave out the letter of a wheel, too: шины на 16 are R16.
  if (/^[1-9]\d?$/.test(word)) {
    const roman = romanNumerals[Number(word)]
    const others = roman === undefined ? [`${word}000`] : [roman, `${word}000`]
    return wheel.test(word) ? [...others, `r${word}`] : others
  }
  const digits = word.length > 1 ? romanNumerals.indexOf(word) : -1
  if (digits > 0) return [String(digits)]
  const [, number, unit] = measure.exec(word) ?? []
  if (number === undefined) return []
  const rounded = (amount: number) => String(Math.round(amount * 1000) / 1000)
  return smallerUnits.flatMap(([larger, factor, smaller]) => {
    if (unit === larger) return [rounded(Number(number) * factor) + smaller]
    return unit === smaller ? [rounded(Number(number) / factor) + larger] : []
  })
}
