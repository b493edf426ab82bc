import { f, m, measured, n, p, type Assortment, worded } from './assortment.ts'

// oxfmt-ignore
export const groceries: Assortment[] = [
  {
    category: 'tea-and-coffee',
    productCount: 40,
    kinds: [
      { noun: m('Зелёный чай', 'ko‘k choyi', 'green tea'), lines: { 'ahmad-tea': { 'Jasmine': 39, Gunpowder: 35 }, greenfield: { 'Flying Dragon': 36 }, lipton: { Green: 32 }, korzinka: { 'No. 95': 22 } }, each: [measured('weight', 'g', { '100': 0.7, '200': 1, '500': 2.2 })] },
      { noun: m('Чёрный чай', 'qora choyi', 'black tea'), lines: { 'ahmad-tea': { 'Earl Grey': 42, 'English No. 1': 39 }, greenfield: { 'Golden Ceylon': 38 }, lipton: { 'Yellow Label': 34 }, korzinka: { Ceylon: 25 } }, each: [measured('bags', 'bags', { '25': 0.6, '100': 1.6 })] },
      { noun: m('Растворимый кофе', 'eruvchan qahvasi', 'instant coffee'), lines: { nescafe: { Gold: 89, Classic: 59 }, jacobs: { Monarch: 85, Millicano: 92 } }, each: [measured('weight', 'g', { '95': 0.75, '190': 1.3 })] },
      { noun: m('Кофе в зёрнах', 'donador qahvasi', 'coffee beans'), lines: { lavazza: { 'Qualità Oro': 390, 'Crema e Aroma': 350, Rossa: 320 }, jacobs: { Crema: 290 }, nescafe: { 'Espresso': 310 } }, each: [measured('weight', 'g', { '250': 0.32, '500': 0.6, '1000': 1 })] },
    ],
    sentences: [
      ['{name}: урожай {year} года, аромат раскрывается с первой пиалы.', '{name}: {year}-yil hosili, ifori birinchi piyoladayoq seziladi.', '{name}: the harvest of {year}, with an aroma that opens in the first cup.'],
      ['Заваривать {minutes} минуты, вода не кипяток.', '{minutes} daqiqa damlanadi, suvi qaynab turmasin.', 'Brew for {minutes} minutes with water just off the boil.'],
      ['Плотная упаковка хранит вкус полгода.', 'Zich qadog‘i ta’mini yarim yil saqlaydi.', 'The tight pack keeps the taste for half a year.'],
    ],
    draws: { year: [2025, 2026], minutes: [3, 4] },
  },
  {
    category: 'sweets',
    productCount: 34,
    kinds: [
      { noun: m('Шоколад', 'shokoladi', 'chocolate'), lines: { milka: { Alpine: 22, Oreo: 25 }, nestle: { KitKat: 19 }, crafers: { Premium: 16 } }, each: [worded('taste', [['молочный', 'sutli', 'creamy', 1], ['с фундуком', 'funduqli', 'with hazelnuts', 1.15], ['тёмный', 'qora', 'dark', 1.1]])] },
      { noun: n('Печенье', 'pecheniyesi', 'biscuits'), lines: { crafers: { Choco: 14, Oats: 12 }, korzinka: { Uy: 11 }, milka: { Choco: 24 } }, each: [measured('weight', 'g', { '150': 1, '300': 1.8 })] },
      { noun: f('Халва', 'holvasi', 'halva'), lines: { tegen: { Kunjut: 29, Pista: 39 }, korzinka: { Samarqand: 25 } }, each: [measured('weight', 'g', { '250': 0.6, '500': 1 })] },
      { noun: m('Нават', 'novvoti', 'rock sugar'), lines: { korzinka: { Oq: 22, Tilla: 24 }, tegen: { Buxoro: 26 } }, each: [measured('weight', 'g', { '300': 0.7, '500': 1 })] },
      { noun: f('Курага', 'turshagi', 'dried apricots'), lines: { korzinka: { Subxon: 45 }, tegen: { 'Farg‘ona': 55 } }, each: [measured('weight', 'g', { '250': 0.55, '500': 1, '1000': 1.9 })] },
      { noun: m('Миндаль', 'bodomi', 'almonds'), lines: { korzinka: { Saralangan: 95 }, tegen: { Qovurilgan: 105 } }, each: [measured('weight', 'g', { '250': 0.55, '500': 1 })] },
    ],
    sentences: [
      ['{name} — к чаю, в дорогу и на дастархан.', '{name} — choyga, yo‘lga va dasturxonga.', '{name}: for tea, for the road and for the table.'],
      ['Срок хранения {months} месяцев в сухом месте.', 'Quruq joyda {months} oy saqlanadi.', 'Keeps for {months} months in a dry place.'],
      ['Без искусственных красителей, состав короткий.', 'Sun’iy bo‘yoqsiz, tarkibi qisqa.', 'No artificial colours and a short list of ingredients.'],
    ],
    draws: { months: [6, 9, 12] },
  },
  {
    category: 'pantry',
    productCount: 32,
    kinds: [
      { noun: m('Рис для плова', 'palovbop guruchi', 'rice for plov'), lines: { korzinka: { Lazer: 24, Alanga: 19, Devzira: 38 }, makfa: { 'Krasnodar': 18 } }, each: [measured('weight', 'kg', { '1': 1, '5': 4.8 })] },
      { noun: n('Растительное масло', 'o‘simlik moyi', 'cooking oil'), lines: { korzinka: { Kungaboqar: 24, Paxta: 19 }, makfa: { Classic: 25 } }, each: [measured('volume', 'l', { '1': 1, '3': 2.9, '5': 4.7 })] },
      { noun: f('Пшеничная мука', 'bug‘doy uni', 'wheat flour'), lines: { makfa: { Extra: 14 }, korzinka: { Oliy: 9 } }, each: [measured('weight', 'kg', { '2': 1.9, '5': 4.6, '10': 9 })] },
      { noun: p('Макароны', 'makaroni', 'pasta'), lines: { makfa: { Spaghetti: 13, Penne: 12, Fusilli: 12 }, korzinka: { Uy: 8 } }, each: [measured('weight', 'g', { '400': 1, '800': 1.9 })] },
      { noun: m('Нут', 'no‘xati', 'chickpeas'), lines: { korzinka: { Saralangan: 22 }, makfa: { Premium: 25 } }, each: [measured('weight', 'g', { '500': 0.6, '1000': 1 })] },
      { noun: f('Гречка', 'grechkasi', 'buckwheat'), lines: { makfa: { Select: 19 }, korzinka: { Tanlangan: 15 } }, each: [measured('weight', 'g', { '400': 0.6, '800': 1 })] },
    ],
    sentences: [
      ['{name}: отобрано и расфасовано в Узбекистане, без мусора и примесей.', '{name}: O‘zbekistonda saralab qadoqlangan, aralashmasiz.', '{name}: sorted and packed in Uzbekistan, with nothing mixed in.'],
      ['Для большого казана и для будничного ужина.', 'Katta qozonga ham, oddiy kechki ovqatga ham.', 'For the great kazan and for supper on a weekday.'],
      ['Хранить в сухом месте до {months} месяцев.', 'Quruq joyda {months} oygacha saqlang.', 'Keep in a dry place for up to {months} months.'],
    ],
    draws: { months: [9, 12, 18] },
  },
  {
    category: 'drinks',
    productCount: 36,
    kinds: [
      { noun: f('Питьевая вода', 'ichimlik suvi', 'drinking water'), lines: { hydrolife: { Still: 3.5, Sparkling: 3.7 }, montella: { Still: 4 } }, each: [measured('volume', 'l', { '0.5': 1, '1.5': 1.7, '5': 3.6 })] },
      { noun: f('Минеральная вода', 'mineral suvi', 'mineral water'), lines: { chortoq: { Classic: 7 }, montella: { Mineral: 6 } }, each: [measured('volume', 'l', { '0.5': 1, '1': 1.7 })] },
      { noun: m('Сок', 'sharbati', 'juice'), lines: { dena: { Premium: 14 }, bliss: { Classic: 13 } }, each: [measured('volume', 'l', { '0.2': 0.4, '1': 1 }), worded('taste', [['яблочный', 'olma', 'apple', 1], ['апельсиновый', 'apelsin', 'orange', 1.1], ['гранатовый', 'anor', 'pomegranate', 1.4], ['вишнёвый', 'olcha', 'cherry', 1.1]])] },
      { noun: m('Газированный напиток', 'gazli ichimligi', 'soft drink'), lines: { 'coca-cola': { Classic: 9, Zero: 9 }, pepsi: { Classic: 8.5, Max: 8.5 } }, each: [measured('volume', 'l', { '0.5': 0.7, '1': 1, '1.5': 1.4 })] },
      { noun: n('Молоко', 'suti', 'milk'), lines: { musaffo: { 'UHT': 14 }, kamilka: { 'UHT': 13 } }, each: [measured('fat', 'none', { '2.5%': 0.97, '3.2%': 1 })] },
    ],
    sentences: [
      ['{name} — холодным в жару и всегда под рукой.', '{name} — issiqda sovuq holda, doim qo‘l ostida.', '{name}: cold in the heat and always at hand.'],
      ['Упаковка плотно закрывается и не течёт в сумке.', 'Qadog‘i zich yopiladi, sumkada oqmaydi.', 'It closes tightly and does not leak in a bag.'],
      ['Разлито в Узбекистане, хранится {months} месяцев.', 'O‘zbekistonda qadoqlangan, {months} oy saqlanadi.', 'Bottled in Uzbekistan; it keeps for {months} months.'],
    ],
    draws: { months: [6, 9, 12] },
  },
]
