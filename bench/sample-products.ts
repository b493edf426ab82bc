// Generated products for benchmarks: names and descriptions in three languages, with brands, series and models enough that
// the words are as many and as uneven as in a large shop.

import type { Region, IndexedProduct } from '../src/catalog/product-index/indexed-product.ts'
import type { LocalizedText } from '../src/http/language.ts'
import { seededRandom } from '../src/ml/random.ts'

type Row = [ru: string, uz: string, en: string]
const words = ([ru, uz, en]: Row): LocalizedText => ({ ru, uz, en })

// oxfmt-ignore
const kinds: Row[] = [
  ['Смартфон', 'Smartfon', 'Smartphone'], ['Чехол для телефона', 'Telefon g‘ilofi', 'Phone case'],
  ['Наушники беспроводные', 'Simsiz quloqchin', 'Wireless headphones'], ['Ноутбук', 'Noutbuk', 'Laptop'],
  ['Планшет', 'Planshet', 'Tablet'], ['Телевизор', 'Televizor', 'TV'], ['Холодильник', 'Muzlatkich', 'Refrigerator'],
  ['Стиральная машина', 'Kir yuvish mashinasi', 'Washing machine'], ['Пылесос', 'Changyutgich', 'Vacuum cleaner'],
  ['Электрический чайник', 'Elektr choynak', 'Electric kettle'], ['Утюг', 'Dazmol', 'Iron'],
  ['Кондиционер', 'Konditsioner', 'Air conditioner'], ['Микроволновая печь', 'Mikroto‘lqinli pech', 'Microwave oven'],
  ['Кроссовки мужские', 'Erkaklar krossovkasi', 'Men’s sneakers'], ['Платье летнее', 'Yozgi ko‘ylak', 'Summer dress'],
  ['Куртка зимняя', 'Qishki kurtka', 'Winter jacket'], ['Футболка хлопковая', 'Paxtali futbolka', 'Cotton T-shirt'],
  ['Детская коляска', 'Bolalar aravachasi', 'Baby stroller'], ['Мягкая игрушка', 'Yumshoq o‘yinchoq', 'Soft toy'],
  ['Конструктор', 'Konstruktor', 'Building set'], ['Книга', 'Kitob', 'Book'], ['Чай зелёный', 'Ko‘k choy', 'Green tea'],
  ['Кофе молотый', 'Maydalangan qahva', 'Ground coffee'], ['Масло подсолнечное', 'Kungaboqar yog‘i', 'Sunflower oil'],
  ['Диван угловой', 'Burchakli divan', 'Corner sofa'], ['Стол письменный', 'Yozuv stoli', 'Desk'],
  ['Лампа настольная', 'Stol lampasi', 'Desk lamp'], ['Дрель аккумуляторная', 'Akkumulyatorli drel', 'Cordless drill'],
  ['Шина летняя', 'Yozgi shina', 'Summer tyre'], ['Крем для лица', 'Yuz kremi', 'Face cream'],
  ['Шампунь', 'Shampun', 'Shampoo'], ['Велосипед горный', 'Tog‘ velosipedi', 'Mountain bike'],
]
// oxfmt-ignore
const colours: Row[] = [
  ['чёрный', 'qora', 'black'], ['белый', 'oq', 'white'], ['синий', 'ko‘k', 'blue'], ['красный', 'qizil', 'red'],
  ['зелёный', 'yashil', 'green'], ['серый', 'kulrang', 'grey'], ['золотой', 'tillarang', 'gold'],
]
// oxfmt-ignore
const praises: Row[] = [
  ['Официальная гарантия двенадцать месяцев и сервис в каждом городе.', 'O‘n ikki oy rasmiy kafolat va har bir shaharda xizmat.', 'Official warranty of twelve months and service in every city.'],
  ['Быстрая доставка по всему Узбекистану.', 'O‘zbekiston bo‘ylab tez yetkazib berish.', 'Fast delivery all over Uzbekistan.'],
  ['Прочный корпус и качественные материалы прослужат долго.', 'Mustahkam korpus va sifatli materiallar uzoq xizmat qiladi.', 'A sturdy body and quality materials will last long.'],
  ['Низкое потребление энергии и тихая работа ночью.', 'Kam energiya sarfi va tunda jim ishlash.', 'Low power use and quiet work at night.'],
  ['Подходит для дома, офиса и подарка близким.', 'Uy, ofis va yaqinlarga sovg‘a uchun mos.', 'Fits the home, the office and as a present.'],
  ['Удобное управление одной кнопкой и понятная инструкция.', 'Bitta tugma bilan qulay boshqaruv va tushunarli yo‘riqnoma.', 'Easy control with one button and a clear manual.'],
  ['Современный дизайн, который украсит любой интерьер.', 'Har qanday interyerni bezaydigan zamonaviy dizayn.', 'A modern design that adorns any interior.'],
  ['Безопасно для детей и домашних животных.', 'Bolalar va uy hayvonlari uchun xavfsiz.', 'Safe for children and pets.'],
]
const syllables =
  'ka ve lo ri ta mon zel dor vi na shi ber gal tor ex pri sun mar del fo qua ster lin bo cra'.split(' ')

/** This many products; the same seed gives the same products. */
export function sampleProducts(count: number, seed = 7): IndexedProduct[] {
  const random = seededRandom(seed)
  const below = (most: number) => Math.floor(random() * most)
  /** Few are frequent, many are rare. */
  const uneven = (most: number) => Math.floor(most * random() ** 3)
  const title = (word: string) => word[0]!.toUpperCase() + word.slice(1)
  const coined = (length: number) =>
    title(Array.from({ length }, () => syllables[below(syllables.length)]!).join(''))
  const brands = [
    'Samsung',
    'Apple',
    'Xiaomi',
    'Artel',
    'LG',
    'Bosch',
    ...Array.from({ length: 594 }, () => coined(2)),
  ]
  const series = Array.from({ length: 8_000 }, () => coined(2 + below(3)))
  const model = () => `${String.fromCharCode(65 + below(26))}${below(2) ? '-' : ''}${10 + below(900)}`
  return Array.from({ length: count }, (_, at) => {
    const id = at + 1
    const kind = uneven(kinds.length)
    const brand = uneven(brands.length)
    const size = 16 * 2 ** below(7)
    const colour = colours[below(colours.length)]!
    const middle = `${brands[brand]} ${series[uneven(series.length)]} ${model()}`
    const name = kinds[kind]!.map(
      (it, language) => `${it} ${middle} ${size} ${language ? 'GB' : 'ГБ'}, ${colour[language]}`,
    )
    const sentences = [below(praises.length), below(praises.length), below(praises.length)]
    const texts = kinds[kind]!.map((it, language) =>
      [`${it} ${series[uneven(series.length)]}.`, ...sentences.map((it) => praises[it]![language]!)].join(
        ' ',
      ),
    )
    return {
      id,
      categoryPath: [100 + kind, 10 + (kind % 8), 1 + (kind % 3)],
      brandId: brand + 1,
      createdAtMs: 1_700_000_000_000 + below(100_000_000) * 100,
      popularity: uneven(10_000),
      name: words(name as Row),
      description: words(texts as Row),
      brand: brands[brand]!,
      categoryNames: [words(kinds[kind]!), words(kinds[kind % 8]!), words(kinds[kind % 3]!)],
      variants: [{ name: words(colour), attributes: { color: colour[0], memory: `${size} ГБ` } }],
      offers: Array.from({ length: 1 + below(3) }, (__, offer) => ({
        id: id * 10 + offer,
        partnerId: 1 + below(40),
        priceTiyin: 1_000_000 * (1 + uneven(3_000)),
        oldPriceTiyin: below(4) === 0 ? 1_000_000 * (1 + uneven(4_000)) : null,
        quantity: below(5),
        rating: 3 + below(21) / 10,
        regions: (below(3) ? ['home', 'global'] : ['home']) as Region[],
      })),
    }
  })
}
