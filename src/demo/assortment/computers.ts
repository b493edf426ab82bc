import { colours, f, m, measured, n, type Assortment, type Three, worded } from './assortment.ts'

const laptop = m('Ноутбук', 'noutbuki', 'laptop')
const tablet = m('Планшет', 'plansheti', 'tablet')
const monitor = m('Монитор', 'monitori', 'monitor')

const ofParts: Three[] = [
  [
    '{name} ставится за минуту и не требует настройки.',
    '{name} bir daqiqada o‘rnatiladi, sozlash shart emas.',
    '{name} is set up in a minute and asks for no tuning.',
  ],
  [
    'Гарантия {years} года, обмен без очереди.',
    'Kafolat {years} yil, navbatsiz almashtiriladi.',
    'The warranty is {years} years, with exchange on the spot.',
  ],
  [
    'Проверено в наших условиях: жара и скачки напряжения.',
    'Sharoitimizda sinalgan: issiq va kuchlanish o‘zgarishi.',
    'Tested where we live: heat and uneven current.',
  ],
]

// oxfmt-ignore
export const computers: Assortment[] = [
  {
    category: 'laptops',
    productCount: 110,
    kinds: [
      { noun: laptop,
        lines: {
          lenovo: { 'IdeaPad Slim 3': 5990, 'IdeaPad 5': 7990, 'ThinkBook 14': 8990, 'Yoga Slim 7': 11990 }, hp: { '15s': 5790, 'Pavilion 15': 7990, 'ProBook 450': 9490 },
          asus: { 'Vivobook Go 15': 5490, 'Vivobook 16': 7490, 'Zenbook 14': 11490 }, acer: { 'Aspire 3': 5290, 'Aspire 5': 6990, 'Swift Go 14': 9990 },
          dell: { 'Inspiron 15': 6990, 'Latitude 5450': 11990 }, huawei: { 'MateBook D 16': 8490 }, honor: { 'MagicBook X16': 7490 },
          avalon: { 'NoteBook 14': 3990 }, microsoft: { 'Surface Laptop 7': 14990 },
        },
        each: [measured('memory', 'gb', { '8/512': 1, '16/512': 1.12, '16/1024': 1.25 }), colours('grey silver blue')] },
      { noun: laptop,
        lines: { apple: { 'MacBook Air 13 M4': 14490, 'MacBook Air 15 M4': 17490, 'MacBook Pro 14 M5': 22990 } },
        each: [measured('memory', 'gb', { '16/256': 1, '16/512': 1.17, '24/512': 1.34 }), colours('silver graphite')] },
      { noun: m('Игровой ноутбук', 'o‘yin noutbuki', 'gaming laptop'),
        lines: {
          asus: { 'TUF Gaming A15': 11990, 'ROG Strix G16': 18990 }, lenovo: { 'LOQ 15': 11490, 'Legion 5': 16990 }, msi: { 'Thin 15': 9990, 'Katana 15': 13490 },
          acer: { 'Nitro V 15': 10490 }, gigabyte: { 'G5': 10990, Aorus: 18490 }, hp: { 'Victus 15': 10990, 'Omen 16': 17490 },
        },
        each: [measured('memory', 'gb', { '16/512': 1, '16/1024': 1.1, '32/1024': 1.25 })] },
    ],
    sentences: [
      ['{name} тянет документы, созвоны и десятки вкладок без пауз, экран матовый.', '{name} hujjatlar, qo‘ng‘iroqlar va o‘nlab oynalarni qiynalmay ochadi, ekrani xira qoplamali.', '{name} runs documents, calls and dozens of tabs without a pause, on a matte screen.'],
      ['Клавиатура с подсветкой, русская и латинская раскладка.', 'Klaviaturasi yoritilgan, rus va lotin harflari bor.', 'The keyboard is lit and marked in Russian and Latin letters.'],
      ['Работает до {hours} часов без розетки и весит {weight} кг.', 'Rozetkasiz {hours} soatgacha ishlaydi, og‘irligi {weight} kg.', 'It works up to {hours} hours away from a socket and weighs {weight} kg.'],
    ],
    draws: { hours: [7, 8, 10], weight: [1.4, 1.6, 1.8] },
  },
  {
    category: 'tablets',
    productCount: 55,
    kinds: [
      { noun: tablet,
        lines: {
          apple: { 'iPad 11': 4990, 'iPad Air 11': 8490, 'iPad Air 13': 10990, 'iPad Pro 11': 13490, 'iPad mini 7': 6990 },
          samsung: { 'Galaxy Tab A9+': 2790, 'Galaxy Tab S10 FE': 6290, 'Galaxy Tab S10 Lite': 4690 }, xiaomi: { 'Pad 7': 4790 },
          redmi: { 'Pad SE': 2190, 'Pad 2': 2490 }, honor: { 'Pad X9a': 2690, 'Pad 10': 4290 }, huawei: { 'MatePad SE': 2590, 'MatePad 11.5': 4490 },
          lenovo: { 'Tab M11': 2390, 'Idea Tab Pro': 4990 }, realme: { 'Pad 2': 2390 }, tecno: { 'Megapad 11': 2090 }, poco: { Pad: 3490 },
          nokia: { T21: 2190 }, infinix: { 'XPad': 1890 }, oneplus: { 'Pad 3': 8490 },
        },
        each: [colours('grey blue silver')], variants: measured('memory', 'gb', { '128': 1, '256': 1.15, '512': 1.4 }) },
    ],
    sentences: [
      ['{name} — яркий экран и четыре динамика: удобно читать, рисовать и смотреть кино.', '{name}: yorqin ekran va to‘rtta dinamik — o‘qish, chizish va kino ko‘rish qulay.', '{name} has a bright screen and four speakers: made for reading, drawing and films.'],
      ['Детский режим ограничивает время и приложения.', 'Bolalar rejimi vaqt va ilovalarni cheklaydi.', 'A mode for children limits time and apps.'],
      ['Аккумулятор {battery} мА·ч держит весь учебный день.', '{battery} mA·soat akkumulyator butun o‘quv kuniga yetadi.', 'The {battery} mAh battery lasts a whole school day.'],
    ],
    draws: { battery: [7700, 8000, 8600] },
  },
  {
    category: 'monitors',
    productCount: 62,
    kinds: [
      { noun: monitor,
        lines: {
          samsung: { S3: 1690, ViewFinity: 2890 }, lg: { MR400: 1590, UltraFine: 3690 }, dell: { 'P-series': 2990 }, hp: { 'Series 5': 1990 }, aoc: { B3HA2: 1290, 'Q-series': 1990 },
          benq: { GW: 1890, PD: 4490 }, viewsonic: { VA: 1390, VX: 1990 }, philips: { 'V-line': 1390 }, xiaomi: { 'A-series': 1290 }, acer: { EK: 1290 }, lenovo: { 'L-series': 1590 },
        },
        each: [measured('screen', 'inch', { '22': 0.85, '24': 1, '27': 1.35, '32': 1.9 })] },
      { noun: m('Игровой монитор', 'o‘yin monitori', 'gaming monitor'),
        lines: {
          samsung: { 'Odyssey G3': 2690, 'Odyssey G5': 3690 }, lg: { UltraGear: 3490 }, asus: { 'TUF Gaming': 2990, ROG: 5990 }, msi: { 'MAG': 2790 },
          gigabyte: { GS: 2490, M: 3690 }, aoc: { 'Gaming G4': 2490 }, xiaomi: { 'G Pro': 2690 }, benq: { Mobiuz: 3990 },
        },
        each: [measured('screen', 'inch', { '24': 1, '27': 1.3, '34': 2.1 })] },
    ],
    sentences: [
      ['{name}: матрица IPS, частота {hertz} Гц и тонкие рамки.', '{name}: IPS matritsa, {hertz} Gs chastota va yupqa ramka.', '{name}: an IPS panel at {hertz} Hz with thin edges.'],
      ['Подсветка не мерцает, глаза устают меньше.', 'Yoritilishi miltillamaydi, ko‘zlar kamroq charchaydi.', 'The light does not flicker, so eyes tire less.'],
      ['Есть HDMI и DisplayPort, крепление VESA {vesa} мм.', 'HDMI va DisplayPort bor, VESA {vesa} mm mahkamlagich.', 'It has HDMI and DisplayPort and a VESA {vesa} mm mount.'],
    ],
    draws: { hertz: [75, 100, 144, 165], vesa: ['75 × 75', '100 × 100'] },
  },
  {
    category: 'printers',
    productCount: 34,
    kinds: [
      { noun: n('Лазерное МФУ', 'lazerli ko‘p funksiyali printeri', 'laser all-in-one printer'),
        lines: { hp: { 'LaserJet M141w': 2290, 'LaserJet M236sdw': 3290 }, canon: { 'i-Sensys MF3010': 2890, 'i-Sensys MF272dw': 3390 }, pantum: { M6500W: 1990, M6550NW: 2390 }, brother: { 'DCP-L2540': 2990 } },
        each: [worded('colour', [['чёрно-белое', 'oq-qora', 'monochrome', 1], ['цветное', 'rangli', 'colour', 1.7]])] },
      { noun: m('Лазерный принтер', 'lazerli printeri', 'laser printer'),
        lines: { hp: { 'LaserJet 107w': 1690 }, canon: { 'i-Sensys LBP6030': 1890 }, pantum: { P2500W: 1390, P3300: 1790 }, brother: { 'HL-L2400': 2190 } },
        each: [worded('colour', [['чёрно-белый', 'oq-qora', 'monochrome', 1], ['цветной', 'rangli', 'colour', 1.8]])] },
      { noun: m('Струйный принтер', 'purkovchi printeri', 'inkjet printer'),
        lines: { epson: { 'L121': 1690, L3250: 2490, L3560: 3190, L8050: 3990 }, canon: { 'Pixma G1430': 1890, 'Pixma G3470': 2390, 'Pixma TS3640': 890 }, hp: { 'Smart Tank 580': 2190, 'DeskJet 2320': 790 }, brother: { 'DCP-T420': 2390 } },
        each: [colours('black white')] },
    ],
    sentences: [
      ['{name} печатает до {pages} страниц в минуту и стоит на краю стола.', '{name} daqiqasiga {pages} sahifagacha chop etadi va kam joy oladi.', '{name} prints up to {pages} pages a minute and takes the corner of a desk.'],
      ['Печать с телефона по Wi-Fi, без проводов.', 'Telefondan Wi-Fi orqali, simsiz chop etadi.', 'It prints from a phone over Wi-Fi, without wires.'],
      ['Расходники есть в Ташкенте и областях, запас в коробке — на {stock} страниц.', 'Sarf materiallari Toshkent va viloyatlarda bor, qutidagi zaxira {stock} sahifaga yetadi.', 'Supplies are sold all over the country; those in the box last {stock} pages.'],
    ],
    draws: { pages: [15, 18, 20, 28], stock: [700, 1500, 3000] },
  },
  {
    category: 'computer-parts',
    productCount: 45,
    kinds: [
      { noun: m('Wi-Fi роутер', 'Wi-Fi routeri', 'Wi-Fi router'), lines: { 'tp-link': { 'Archer C6': 490, 'Archer AX23': 790, 'Archer AX55': 1190 }, xiaomi: { AX3000: 690 }, asus: { 'RT-AX53U': 890 }, huawei: { 'AX3': 650 } }, each: [colours('black white')], sentences: ofParts },
      { noun: m('Твердотельный накопитель', 'SSD xotirasi', 'SSD'), lines: { kingston: { NV3: 590, KC3000: 990 }, samsung: { '990 EVO': 990 }, sandisk: { Ultra: 650 }, gigabyte: { 'Gen3': 550 }, msi: { Spatium: 620 } }, each: [measured('memory', 'gb', { '500': 0.75, '1000': 1, '2000': 1.8 })], sentences: ofParts },
      { noun: m('USB-накопитель', 'USB xotirasi', 'USB flash drive'), lines: { kingston: { DataTraveler: 89 }, sandisk: { 'Ultra Fit': 95, Cruzer: 79 }, samsung: { 'Bar Plus': 129 } }, each: [measured('memory', 'gb', { '32': 0.6, '64': 0.8, '128': 1 })], sentences: ofParts },
      { noun: f('Беспроводная мышь', 'simsiz sichqonchasi', 'wireless mouse'), lines: { logitech: { M185: 190, 'MX Master 3S': 1390 }, razer: { Orochi: 790 }, hp: { 'Z3700': 190 }, microsoft: { Modern: 390 }, xiaomi: { Lite: 99 } }, each: [colours('black grey')] },
      { noun: f('Клавиатура', 'klaviaturasi', 'keyboard'), lines: { logitech: { K380: 490, 'MX Keys': 1390 }, razer: { BlackWidow: 1690 }, asus: { TUF: 990 }, msi: { Vigor: 790 }, dell: { KB216: 190 } }, each: [colours('black white')] },
    ],
    sentences: [
      ['{name} лежит в руке удобно и отвечает без задержки.', '{name} qo‘lga qulay va kechikishsiz javob beradi.', '{name} sits well under the hand and answers without delay.'],
      ['Работает с Windows, macOS и Android.', 'Windows, macOS va Android bilan ishlaydi.', 'It works with Windows, macOS and Android.'],
      ['Одной батарейки хватает на {months} месяцев.', 'Bitta batareya {months} oyga yetadi.', 'One battery lasts {months} months.'],
    ],
    draws: { months: [12, 18, 24], years: [3, 5] },
  },
]
