// Products of a small shop, for tests of search.

import type { LocalizedText } from '../../src/http/language.ts'

export const searchProducts = {
  phone: {
    name: {
      ru: 'Смартфон Samsung Galaxy A55 8/128 ГБ, чёрный',
      uz: 'Smartfon Samsung Galaxy A55 8/128 GB, qora',
      en: 'Samsung Galaxy A55 smartphone 8/128 GB, black',
    },
    brand: 'Samsung',
    category: { ru: 'Смартфоны', uz: 'Smartfonlar', en: 'Smartphones' },
    popularity: 900,
  },
  phoneCase: {
    name: {
      ru: 'Чехол для Samsung Galaxy A55, силиконовый',
      uz: 'Samsung Galaxy A55 uchun silikon g‘ilof',
      en: 'Silicone case for Samsung Galaxy A55',
    },
    brand: 'Hoco',
    category: { ru: 'Аксессуары для телефонов', uz: 'Telefon aksessuarlari', en: 'Phone accessories' },
    popularity: 300,
  },
  biggerPhone: {
    name: {
      ru: 'Смартфон Samsung Galaxy S24 Ultra 256 ГБ',
      uz: 'Smartfon Samsung Galaxy S24 Ultra 256 GB',
      en: 'Samsung Galaxy S24 Ultra smartphone 256 GB',
    },
    brand: 'Samsung',
    category: { ru: 'Смартфоны', uz: 'Smartfonlar', en: 'Smartphones' },
    popularity: 700,
  },
  iphone: {
    name: {
      ru: 'Смартфон Apple iPhone 15 Pro Max 256 ГБ',
      uz: 'Smartfon Apple iPhone 15 Pro Max 256 GB',
      en: 'Apple iPhone 15 Pro Max smartphone 256 GB',
    },
    brand: 'Apple',
    category: { ru: 'Смартфоны', uz: 'Smartfonlar', en: 'Smartphones' },
    popularity: 800,
  },
  toy: {
    name: {
      ru: 'Мягкая игрушка «Медвежонок»',
      uz: 'Yumshoq o‘yinchoq «Ayiqcha»',
      en: 'Soft toy “Little bear”',
    },
    brand: 'Lalaku',
    category: { ru: 'Игрушки', uz: 'O‘yinchoqlar', en: 'Toys' },
    popularity: 50,
  },
  kettle: {
    name: { ru: 'Электрический чайник 1,7 л', uz: 'Elektr choynak 1,7 l', en: 'Electric kettle 1.7 l' },
    brand: 'Artel',
    category: { ru: 'Чайники', uz: 'Choynaklar', en: 'Kettles' },
    popularity: 120,
  },
  headphones: {
    name: {
      ru: 'Беспроводные наушники Redmi Buds 5 с Wi-Fi приложением',
      uz: 'Simsiz quloqchin Redmi Buds 5',
      en: 'Redmi Buds 5 wireless headphones',
    },
    brand: 'Xiaomi',
    category: { ru: 'Наушники', uz: 'Quloqchinlar', en: 'Headphones' },
    popularity: 400,
  },
  watch: {
    name: {
      ru: 'Смарт-часы Huawei Watch Fit 3',
      uz: 'Huawei Watch Fit 3 aqlli soati',
      en: 'Huawei Watch Fit 3',
    },
    brand: 'Huawei',
    category: {
      ru: 'Смарт-часы и браслеты',
      uz: 'Aqlli soatlar va bilaguzuklar',
      en: 'Smart watches and bands',
    },
    popularity: 250,
  },
  oil: {
    name: { ru: 'Масло подсолнечное 5 л', uz: 'Kungaboqar yog‘i 5 l', en: 'Sunflower oil 5 l' },
    brand: '',
    category: { ru: 'Продукты', uz: 'Oziq-ovqat', en: 'Food' },
    popularity: 600,
  },
  book: {
    name: { ru: 'Абдулла Қодирий «Ўткан кунлар»', uz: 'Abdulla Qodiriy «O‘tkan kunlar»', en: 'Days Gone By' },
    brand: 'Sharq',
    category: { ru: 'Книги', uz: 'Kitoblar', en: 'Books' },
    popularity: 90,
  },
  coffee: {
    name: {
      ru: 'Кофе молотый Café Crème',
      uz: 'Maydalangan qahva Café Crème',
      en: 'Ground coffee Café Crème',
    },
    brand: 'Jacobs',
    category: { ru: 'Продукты', uz: 'Oziq-ovqat', en: 'Food' },
    popularity: 80,
  },
} satisfies Record<
  string,
  { name: LocalizedText; brand: string; category: LocalizedText; popularity: number }
>
