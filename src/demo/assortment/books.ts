import {
  colours,
  f,
  type ProductKind,
  m,
  measured,
  p,
  type Assortment,
  type Three,
  worded,
} from './assortment.ts'

const book = f('Книга', 'kitobi', 'book')
const covers = worded('cover', [
  ['твёрдый переплёт', 'qattiq muqova', 'hardcover', 1.25],
  ['мягкая обложка', 'yumshoq muqova', 'paperback', 0.85],
])

type Row = [publishers: string, price: number, title: Three, author: Three]

const shelved = ([publishers, price, title, author]: Row): ProductKind => ({
  noun: book,
  work: { title, author },
  lines: Object.fromEntries(publishers.split(' ').map((it) => [it, { '': price }])),
  each: [covers],
})

// oxfmt-ignore
const qodiriy: Three = ['Абдулла Кадыри', 'Abdulla Qodiriy', 'Abdulla Qodiriy']
// oxfmt-ignore
const hoshimov: Three = ['Уткир Хашимов', 'O‘tkir Hoshimov', 'O‘tkir Hoshimov']
// oxfmt-ignore
const navoiy: Three = ['Алишер Навои', 'Alisher Navoiy', 'Alisher Navoiy']
// oxfmt-ignore
const aytmatov: Three = ['Чингиз Айтматов', 'Chingiz Aytmatov', 'Chingiz Aitmatov']
// oxfmt-ignore
const folk: Three = ['народные сказки', 'xalq ertaklari', 'folk tales']

// oxfmt-ignore
const fiction: Row[] = [
  ['sharq yangi-asr-avlodi', 59, ['Минувшие дни', 'O‘tkan kunlar', 'Bygone Days'], qodiriy],
  ['sharq gafur-gulom', 55, ['Скорпион из алтаря', 'Mehrobdan chayon', 'Scorpion from the Altar'], qodiriy],
  ['gafur-gulom asaxiy-books', 49, ['Ночь и день', 'Kecha va kunduz', 'Night and Day'], ['Абдулхамид Чулпан', 'Cho‘lpon', 'Cho‘lpon']],
  ['sharq akademnashr', 69, ['Звёздные ночи', 'Yulduzli tunlar', 'Starry Nights'], ['Пиримкул Кадыров', 'Pirimqul Qodirov', 'Pirimqul Qodirov']],
  ['sharq yangi-asr-avlodi', 52, ['Дела мирские', 'Dunyoning ishlari', 'The Ways of the World'], hoshimov],
  ['sharq', 59, ['Между двух дверей', 'Ikki eshik orasi', 'Between Two Doors'], hoshimov],
  ['gafur-gulom akademnashr', 39, ['Озорник', 'Shum bola', 'The Mischievous Boy'], ['Гафур Гулям', 'G‘afur G‘ulom', 'G‘afur G‘ulom']],
  ['gafur-gulom', 65, ['Навои', 'Navoiy', 'Navoi'], ['Айбек', 'Oybek', 'Oybek']],
  ['akademnashr sharq', 89, ['Фархад и Ширин', 'Farhod va Shirin', 'Farhad and Shirin'], navoiy],
  ['akademnashr', 85, ['Лейли и Меджнун', 'Layli va Majnun', 'Layli and Majnun'], navoiy],
  ['sharq gafur-gulom', 79, ['Бабур-наме', 'Boburnoma', 'Baburnama'], ['Захириддин Бабур', 'Zahiriddin Muhammad Bobur', 'Zahiriddin Babur']],
  ['yangi-asr-avlodi asaxiy-books', 45, ['Белый пароход', 'Oq kema', 'The White Ship'], aytmatov],
  ['yangi-asr-avlodi azbuka', 55, ['И дольше века длится день', 'Asrga tatigulik kun', 'The Day Lasts More Than a Hundred Years'], aytmatov],
  ['ast eksmo', 69, ['Мастер и Маргарита', 'Usta va Margarita', 'The Master and Margarita'], ['Михаил Булгаков', 'Mixail Bulgakov', 'Mikhail Bulgakov']],
  ['azbuka ast', 79, ['Преступление и наказание', 'Jinoyat va jazo', 'Crime and Punishment'], ['Фёдор Достоевский', 'Fyodor Dostoyevskiy', 'Fyodor Dostoevsky']],
  ['azbuka eksmo', 119, ['Война и мир', 'Urush va tinchlik', 'War and Peace'], ['Лев Толстой', 'Lev Tolstoy', 'Leo Tolstoy']],
  ['ast asaxiy-books', 62, ['1984', '1984', '1984'], ['Джордж Оруэлл', 'Jorj Oruell', 'George Orwell']],
  ['ast oxford', 75, ['Гордость и предубеждение', 'G‘urur va andisha', 'Pride and Prejudice'], ['Джейн Остин', 'Jeyn Ostin', 'Jane Austen']],
  ['asaxiy-books eksmo', 69, ['Мартин Иден', 'Martin Iden', 'Martin Eden'], ['Джек Лондон', 'Jek London', 'Jack London']],
  ['oxford eksmo', 72, ['Приключения Шерлока Холмса', 'Sherlok Xolms sarguzashtlari', 'The Adventures of Sherlock Holmes'], ['Артур Конан Дойл', 'Artur Konan Doyl', 'Arthur Conan Doyle']],
  ['asaxiy-books akademnashr', 58, ['Старик и море', 'Chol va dengiz', 'The Old Man and the Sea'], ['Эрнест Хемингуэй', 'Ernest Xeminguey', 'Ernest Hemingway']],
]

// oxfmt-ignore
const childrens: Row[] = [
  ['sharq gafur-gulom', 39, ['Узбекские народные сказки', 'O‘zbek xalq ertaklari', 'Uzbek Folk Tales'], folk],
  ['asaxiy-books ast', 49, ['Маленький принц', 'Kichkina shahzoda', 'The Little Prince'], ['Антуан де Сент-Экзюпери', 'Antuan de Sent-Ekzyuperi', 'Antoine de Saint-Exupéry']],
  ['gafur-gulom', 35, ['Рассказы о Ходже Насреддине', 'Nasriddin Afandi latifalari', 'Stories of Nasreddin'], folk],
  ['eksmo ast', 59, ['Алиса в Стране чудес', 'Alisa mo‘jizalar mamlakatida', 'Alice in Wonderland'], ['Льюис Кэрролл', 'Lyuis Kerroll', 'Lewis Carroll']],
  ['ast', 52, ['Сказки Пушкина', 'Pushkin ertaklari', 'Pushkin’s Fairy Tales'], ['Александр Пушкин', 'Aleksandr Pushkin', 'Alexander Pushkin']],
  ['akademnashr sharq', 29, ['Азбука для малышей', 'Kichkintoylar alifbosi', 'First Alphabet'], ['первые буквы', 'ilk harflar', 'first letters']],
  ['eksmo', 99, ['Большая энциклопедия животных', 'Hayvonlar katta ensiklopediyasi', 'The Great Encyclopaedia of Animals'], ['для школьников', 'o‘quvchilar uchun', 'for pupils']],
  ['oxford', 89, ['Первый словарь', 'Birinchi lug‘at', 'My First Dictionary'], ['английский для детей', 'bolalar uchun ingliz tili', 'English for children']],
  ['azbuka ast', 55, ['Пеппи Длинныйчулок', 'Peppi Uzunpaypoq', 'Pippi Longstocking'], ['Астрид Линдгрен', 'Astrid Lindgren', 'Astrid Lindgren']],
  ['yangi-asr-avlodi', 42, ['Золотой ключик', 'Oltin kalitcha', 'The Golden Key'], ['Алексей Толстой', 'Aleksey Tolstoy', 'Aleksey Tolstoy']],
]

const printing: Three[] = [
  [
    '{name} — издание с чётким шрифтом, {pages} страниц.',
    '{name} — aniq harfli nashr, {pages} bet.',
    '{name} comes in a clear type on {pages} pages.',
  ],
  [
    'Хорошая бумага: страницы не просвечивают.',
    'Qog‘ozi sifatli: betlari ko‘rinib turmaydi.',
    'Good paper: the pages do not show through.',
  ],
  ['Подойдёт и для себя, и в подарок.', 'O‘zingiz uchun ham, sovg‘aga ham.', 'For yourself or as a present.'],
]

// oxfmt-ignore
export const books: Assortment[] = [
  { category: 'fiction', productCount: 62, kinds: fiction.map(shelved), sentences: printing, draws: { pages: [256, 320, 384, 448] } },
  { category: 'childrens-books', productCount: 25, kinds: childrens.map(shelved), sentences: printing, draws: { pages: [48, 64, 96, 128] } },
  {
    category: 'stationery',
    productCount: 46,
    kinds: [
      { noun: f('Тетрадь', 'daftari', 'notebook'), lines: { 'erich-krause': { Classic: 6, Neon: 9 }, deli: { Study: 5 }, 'faber-castell': { Campus: 12 } }, each: [measured('sheets', 'sheets', { '48': 1, '96': 1.7 }), worded('ruling', [['в клетку', 'katakli', 'squared', 1], ['в линейку', 'chiziqli', 'lined', 1]])] },
      { noun: f('Шариковая ручка', 'sharikli ruchkasi', 'ballpoint pen'), lines: { 'erich-krause': { 'R-301': 3, 'ErgoLine': 5 }, deli: { Arrow: 2.5 }, 'faber-castell': { 'Grip': 9 } }, each: [colours('blue black red')] },
      { noun: p('Цветные карандаши', 'rangli qalamlari', 'colour pencils'), lines: { 'faber-castell': { 'Grip': 79, Goldfaber: 129 }, 'erich-krause': { Artberry: 45 }, deli: { Enovation: 35 } }, each: [measured('pieces', 'pcs', { '12': 0.6, '24': 1, '36': 1.45 })] },
      { noun: m('Школьный рюкзак', 'maktab ryukzagi', 'school backpack'), lines: { 'erich-krause': { ErgoLine: 390, EasyLine: 320 }, deli: { Campus: 250 }, adidas: { Classic: 450 }, puma: { Phase: 350 } }, each: [colours('blue pink black')] },
      { noun: p('Акварельные краски', 'akvarel bo‘yoqlari', 'watercolour paints'), lines: { 'faber-castell': { Connector: 99 }, 'erich-krause': { Artberry: 39 }, deli: { 'Color Emotion': 45 } }, each: [measured('colours', 'pcs', { '12': 0.7, '24': 1.2 })] },
    ],
    sentences: [
      ['{name} — для школы и для творчества, выдержит весь учебный год.', '{name} — maktab va ijod uchun, butun o‘quv yiliga chidaydi.', '{name} is for school and for art, and lasts the whole school year.'],
      ['Отмечено родителями: {share} из 10 купили бы ещё раз.', 'Ota-onalar bahosi: 10 tadan {share} tasi yana sotib olardi.', 'Parents say: {share} in 10 would buy it again.'],
      ['Краски и пластик безопасны для детей.', 'Bo‘yoq va plastigi bolalar uchun xavfsiz.', 'Paint and plastic are safe for children.'],
    ],
    draws: { share: [8, 9] },
  },
]
