export const searchPreviewTexts = {
  title: ['Search preview', 'Проверка поиска', 'Qidiruvni tekshirish'],
  text: [
    'What buyers find, how the words were understood, and why each product is at its place.',
    'Что находят покупатели, по порядку, как поняты слова и почему товар на этом месте.',
    'Xaridorlar nimani, qanday tartibda topadi, so‘zlar qanday tushunildi va mahsulot nega shu o‘rinda.',
  ],
  query: ['Query', 'Запрос', 'So‘rov'],
  hint: [
    'With typos, another keyboard layout or script, or everyday words',
    'С опечатками, в другой раскладке или алфавите, разговорными словами',
    'Xatolar, boshqa klaviatura yoki alifbo, so‘zlashuv so‘zlari bilan',
  ],
  exact: ['Search the words as typed', 'Искать слова как введено', 'So‘zlarni yozilganidek qidirish'],
  understood: ['How it was understood', 'Как понят запрос', 'So‘rov qanday tushunildi'],
  asTyped: [
    'As typed, nothing was changed',
    'Как введено, без изменений',
    'Yozilganidek, hech narsa o‘zgarmadi',
  ],
  searched: ['Searched for', 'Искали', 'Qidirildi'],
  leftOut: ['Left out', 'Отброшено', 'Tashlab ketildi'],
  steps: ['Steps', 'Шаги', 'Qadamlar'],
  units: ['What is asked for', 'Что ищут', 'Nima so‘ralgan'],
  required: ['required', 'обязательно', 'majburiy'],
  optional: ['may be left out', 'можно отбросить', 'tashlab ketish mumkin'],
  results: ['Results', 'Результаты', 'Natijalar'],
  none: ['Nothing is found', 'Ничего не найдено', 'Hech narsa topilmadi'],
  noneText: [
    'Add a synonym on the page “Search words” if buyers mean something that the shop sells.',
    'Добавьте синоним на странице «Слова поиска», если покупатели имеют в виду то, что есть в магазине.',
    'Agar xaridorlar do‘konda bor narsani nazarda tutsa, “Qidiruv so‘zlari” sahifasida sinonim qo‘shing.',
  ],
  enter: ['Enter a query', 'Введите запрос', 'So‘rov kiriting'],
  // Steps
  layout: ['keyboard layout', 'раскладка', 'klaviatura'],
  join: ['joined', 'слитно', 'qo‘shib'],
  split: ['split', 'раздельно', 'ajratib'],
  filler: ['filler word', 'лишнее слово', 'ortiqcha so‘z'],
  sound: ['by sound', 'по звучанию', 'talaffuz bo‘yicha'],
  typo: ['typo', 'опечатка', 'xato'],
  diminutive: ['diminutive', 'уменьшительная форма', 'kichraytma shakl'],
  price: ['price', 'цена', 'narx'],
  meaning: ['meaning', 'значение', 'ma’no'],
  prefix: ['beginning of a word', 'начало слова', 'so‘z boshi'],
  // Score
  why: ['Why here', 'Почему здесь', 'Nega shu yerda'],
  word: ['Query', 'Запрос', 'So‘rov'],
  found: ['The product has', 'В товаре', 'Mahsulotda'],
  how: ['How', 'Как', 'Qanday'],
  where: ['Where', 'Где', 'Qayerda'],
  points: ['Points', 'Баллы', 'Ball'],
  missing: ['not in the product', 'нет в товаре', 'mahsulotda yo‘q'],
  textScore: ['Words', 'Слова', 'So‘zlar'],
  accessory: [
    'lowered, because it is an accessory',
    'снижено: это аксессуар',
    'aksessuar bo‘lgani uchun pasaytirilgan',
  ],
  boost: ['Availability, popularity, price', 'Наличие, популярность, цена', 'Mavjudlik, mashhurlik, narx'],
  predicted: ['Category that buyers chose', 'Категория, которую выбирали', 'Xaridorlar tanlagan turkum'],
  score: ['Score', 'Итог', 'Jami ball'],
  popularity: ['Popularity', 'Популярность', 'Mashhurlik'],
  learned: ['Learned from buyers', 'Выучено по покупателям', 'Xaridorlardan o‘rganilgan'],
  movedUp: ['moved up from place {place}', 'поднят с места {place}', '{place}-o‘rindan ko‘tarilgan'],
  movedDown: ['moved down from place {place}', 'опущен с места {place}', '{place}-o‘rindan tushirilgan'],
  unmoved: ['place not changed', 'место не изменено', 'o‘rin o‘zgarmagan'],
  farAway: ['was below place 100', 'был ниже места 100', '100-o‘rindan past edi'],
} as const

export const roleTexts = {
  thing: ['thing', 'предмет', 'narsa'],
  brand: ['brand or series', 'бренд или серия', 'brend yoki seriya'],
  number: ['number', 'число', 'son'],
  modifier: ['property', 'признак', 'belgi'],
  unknown: ['unknown word', 'незнакомое слово', 'noma’lum so‘z'],
} as const

export const kindTexts = {
  word: ['the word itself', 'само слово', 'so‘zning o‘zi'],
  spelling: ['another spelling', 'другое написание', 'boshqa yozilishi'],
  form: ['another form', 'другая форма', 'boshqa shakli'],
  synonym: ['synonym', 'синоним', 'sinonim'],
  narrower: ['narrower word', 'более узкое слово', 'torroq so‘z'],
  amount: ['equal amount', 'равное количество', 'teng miqdor'],
  part: ['part of the number', 'часть числа', 'sonning qismi'],
  prefix: ['begins with it', 'начинается так', 'shunday boshlanadi'],
  brand: ['brand that stands for it', 'бренд стал названием', 'nom bo‘lib qolgan brend'],
} as const

export const fieldTexts = {
  head: ['what it is (name)', 'чем является (название)', 'nima ekani (nomi)'],
  leaf: ['own category', 'своя категория', 'o‘z turkumi'],
  upper: ['upper category', 'категория выше', 'yuqori turkum'],
  name: ['name', 'название', 'nomi'],
  brand: ['brand', 'бренд', 'brend'],
  variant: ['variant', 'вариант', 'variant'],
  category: ['words of a category', 'слова категории', 'turkum so‘zlari'],
  description: ['description', 'описание', 'tavsif'],
} as const

export const availabilityTexts = {
  in_stock: ['in stock', 'в наличии', 'mavjud'],
  out_of_stock: ['out of stock', 'нет в наличии', 'mavjud emas'],
  not_offered: ['not offered', 'не продаётся', 'sotuvda yo‘q'],
} as const
