import { colours, f, m, measured, n, p, type Assortment, worded } from './assortment.ts'

const smartphone = m('Смартфон', 'smartfoni', 'smartphone')
const watch = p('Смарт-часы', 'aqlli soati', 'smart watch')

// oxfmt-ignore
export const phones: Assortment[] = [
  {
    category: 'smartphones',
    productCount: 140,
    kinds: [
      { noun: smartphone,
        lines: {
          samsung: { 'Galaxy A06': 1490, 'Galaxy A16': 2190, 'Galaxy A26': 3190, 'Galaxy A36': 4290, 'Galaxy A56': 5290 },
          xiaomi: { '14T': 5490, '15T': 6290 }, redmi: { '14C': 1590, 'Note 14': 2390, 'Note 14 Pro': 3690 },
          poco: { C75: 1490, 'X7': 3290, 'X7 Pro': 4190, 'F7': 5490 }, honor: { 'X7c': 2290, 'X8c': 2990, '400 Lite': 3590, '400': 5290 },
          huawei: { 'nova Y73': 2390, 'nova 13': 5790 }, realme: { Note60: 1290, C75: 2290, '14': 3590 },
          oppo: { A5: 2190, 'Reno 13': 5990 }, vivo: { Y29: 2390, V50: 5490 }, tecno: { 'Spark 30': 1790, 'Camon 40': 2990, 'Pova 7': 2690 },
          infinix: { 'Smart 10': 1190, 'Hot 60': 1790, 'Note 50': 2690 }, nokia: { G42: 2290 }, artel: { Nova: 1390, 'Nova Plus': 1690 },
        },
        each: [measured('memory', 'gb', { '4/128': 0.9, '8/128': 1, '8/256': 1.12 }), colours('black blue green gold')] },
      { noun: smartphone,
        lines: {
          samsung: { 'Galaxy S25': 10990, 'Galaxy S25+': 12990, 'Galaxy S25 Ultra': 15990, 'Galaxy Z Flip7': 13490 },
          apple: { 'iPhone 15': 9790, 'iPhone 16': 11990, 'iPhone 16 Pro': 15490, 'iPhone 17': 12990, 'iPhone 17 Pro Max': 19490 },
          xiaomi: { '15': 9990, '15 Ultra': 14490 }, oneplus: { '13R': 7990, '13': 10490 }, huawei: { 'Pura 80': 10990 },
        },
        each: [measured('memory', 'gb', { '256': 1, '512': 1.18 }), colours('black white blue pink')] },
    ],
    sentences: [
      ['{name} — экран {screen}″ с частотой {hertz} Гц и основная камера {camera} Мп.', '{name}: {screen}″ ekran, {hertz} Gs chastota va {camera} MP asosiy kamera.', '{name} has a {screen}″ display at {hertz} Hz and a {camera} MP main camera.'],
      ['Аккумулятора хватает на {days} дня обычного пользования, быстрая зарядка — в пару к нему.', 'Akkumulyatori oddiy foydalanishda {days} kunga yetadi, tez quvvatlash ham bor.', 'The battery lasts {days} days of ordinary use and charges fast.'],
      ['Две SIM-карты, NFC для оплаты и сканер отпечатка.', 'Ikkita SIM-karta, to‘lov uchun NFC va barmoq izi skaneri.', 'Two SIM cards, NFC for payments and a fingerprint reader.'],
      ['IMEI зарегистрирован, коробка не вскрыта.', 'IMEI ro‘yxatdan o‘tgan, qutisi ochilmagan.', 'The IMEI is registered and the box is sealed.'],
    ],
    draws: { screen: [6.3, 6.5, 6.7], hertz: [90, 120], camera: [48, 50, 64], days: ['1.5', 2] },
  },
  {
    category: 'smart-watches',
    productCount: 48,
    kinds: [
      { noun: watch,
        lines: {
          apple: { 'Watch SE': 3690, 'Watch Series 10': 5690, 'Watch Series 11': 6290 },
          samsung: { 'Galaxy Watch7': 3290, 'Galaxy Watch8': 4490 }, garmin: { 'Forerunner 165': 3790, 'Venu 3': 6490, 'Instinct 3': 5990 },
          huawei: { 'Watch Fit 4': 1890, 'Watch GT 5': 2790 }, xiaomi: { 'Watch S4': 1990 }, amazfit: { 'Bip 6': 1090, 'GTR 4': 2190, 'Active 2': 1390 },
          honor: { 'Watch 5': 1690 },
        },
        each: [measured('size', 'mm', { '41': 1, '45': 1.08 })], variants: colours('black silver pink') },
      { noun: m('Фитнес-браслет', 'fitnes-bilaguzugi', 'fitness band'),
        lines: {
          xiaomi: { 'Smart Band 9': 490, 'Smart Band 10': 590, 'Smart Band 9 Pro': 790 }, huawei: { 'Band 9': 590, 'Band 10': 650 },
          honor: { 'Band 9': 550 }, samsung: { 'Galaxy Fit3': 690 }, redmi: { 'Smart Band 3': 290 }, amazfit: { 'Band 7': 520 }, oppo: { 'Band 2': 450 },
        },
        each: [worded('strap', [['силиконовый ремешок', 'silikon tasma', 'silicone strap', 1], ['тканевый ремешок', 'mato tasma', 'fabric strap', 1.15], ['металлический ремешок', 'metall tasma', 'metal strap', 1.3]])],
        variants: colours('black blue pink') },
    ],
    sentences: [
      ['{name} следит за пульсом, сном и шагами и показывает уведомления телефона.', '{name} puls, uyqu va qadamlarni kuzatadi, telefon xabarlarini ko‘rsatadi.', '{name} follows your heart rate, sleep and steps and shows what the phone has to say.'],
      ['Заряда хватает до {days} дней.', 'Bir quvvatlash {days} kungacha yetadi.', 'One charge lasts up to {days} days.'],
      ['Больше {sports} видов тренировок, защита от воды 5 ATM.', '{sports} dan ortiq mashg‘ulot turi, 5 ATM suvdan himoya.', 'More than {sports} kinds of training, and water resistance of 5 ATM.'],
    ],
    draws: { days: [7, 10, 14], sports: [90, 100, 110] },
  },
  {
    category: 'headphones',
    productCount: 50,
    kinds: [
      { noun: p('Беспроводные наушники', 'simsiz quloqchinlari', 'wireless earbuds'),
        lines: {
          apple: { 'AirPods 4': 1990, 'AirPods Pro 3': 3490 }, samsung: { 'Galaxy Buds3': 1790, 'Galaxy Buds FE': 990 },
          xiaomi: { 'Buds 5': 990, 'Redmi Buds 6': 390 }, huawei: { 'FreeBuds 6i': 890, 'FreeClip': 1990 }, realme: { 'Buds T110': 290 },
          jbl: { 'Wave Beam 2': 790, 'Tune Flex 2': 1190 }, sony: { 'WF-C510': 890, 'WF-1000XM5': 3290 }, anker: { 'Soundcore R50i': 290, 'Liberty 4': 1190 },
          baseus: { 'Bowie MA10': 330, 'Bass BP1': 220 }, hoco: { EW41: 150 }, borofone: { BW94: 130 }, honor: { 'Earbuds X6': 350 },
          nokia: { 'Clarity Earbuds': 590 }, oneplus: { 'Buds 3': 1190 },
        },
        variants: colours('white black') },
      { noun: p('Накладные наушники', 'quloqchinlari', 'over-ear headphones'),
        lines: {
          sony: { 'WH-CH520': 690, 'WH-CH720N': 1390, 'WH-1000XM6': 5190 }, jbl: { 'Tune 520BT': 590, 'Tune 720BT': 890, 'Live 770NC': 1890 },
          marshall: { 'Major V': 1990, 'Monitor III': 4490 }, sennheiser: { 'Accentum': 2190, 'Momentum 4': 4290 }, philips: { TAH4209: 690 },
          edifier: { W820NB: 790, 'STAX S3': 4990 }, apple: { 'AirPods Max': 7490 }, panasonic: { 'RB-M300': 890 }, yamaha: { 'YH-E500': 1690 },
        },
        each: [worded('kind', [['Bluetooth', 'Bluetooth', 'Bluetooth', 1], ['с кабелем в комплекте', 'simi bilan', 'with a lead', 1.05]])], variants: colours('black white blue') },
      { noun: p('Игровые наушники', 'o‘yin quloqchinlari', 'gaming headset'),
        lines: {
          razer: { 'BlackShark V2 X': 790, 'Kraken V4': 1690 }, logitech: { G335: 790, 'G Pro X 2': 2990 }, asus: { 'TUF H1': 690, 'ROG Delta II': 2990 },
          hp: { 'HyperX Cloud III': 1390 }, msi: { 'Immerse GH20': 390 }, lenovo: { 'Legion H200': 490 },
        },
        variants: colours('black white red') },
    ],
    sentences: [
      ['{name}: чистый звук, микрофон для звонков и до {hours} часов музыки.', '{name}: toza ovoz, qo‘ng‘iroqlar uchun mikrofon va {hours} soatgacha musiqa.', '{name}: clear sound, a microphone for calls and up to {hours} hours of music.'],
      ['Динамики {driver} мм держат и бас, и голос.', '{driver} mm dinamiklar basni ham, ovozni ham yaxshi beradi.', 'Its {driver} mm drivers carry both bass and voice.'],
      ['Сидят мягко и не давят даже к вечеру.', 'Yumshoq o‘rnashadi, kechgacha ham qisib qo‘ymaydi.', 'They sit softly and do not press even by the evening.'],
    ],
    draws: { hours: [20, 24, 30, 40], driver: [10, 12, 30, 40] },
  },
  {
    category: 'phone-accessories',
    productCount: 80,
    kinds: [
      { noun: m('Силиконовый чехол', 'silikon g‘ilofi', 'silicone case'),
        lines: { apple: { 'iPhone 16': 690, 'iPhone 17': 690 }, samsung: { 'Galaxy S25': 390, 'Galaxy A56': 290 }, xiaomi: { 'Redmi Note 14': 90 }, hoco: { 'iPhone 16': 79, 'Galaxy A16': 69 } },
        each: [colours('black blue pink green')], sentences: [
          ['{name}: бархатистая изнанка бережёт корпус от царапин.', '{name}: ichki baxmal qoplamasi korpusni tirnalishdan asraydi.', '{name}: a velvety lining keeps scratches off the body.'],
          ['Кнопки нажимаются легко, вырезы сделаны точно.', 'Tugmalar oson bosiladi, teshiklari aniq ishlangan.', 'The buttons press easily and the cut-outs fit exactly.'],
        ] },
      { noun: n('Зарядное устройство', 'quvvatlagichi', 'charger'),
        lines: { apple: { 'USB-C': 390 }, samsung: { 'EP-T4510': 350 }, baseus: { GaN5: 290, 'Super Si': 150 }, anker: { '313 Ace': 240, Nano: 290 }, borofone: { BA68: 89 }, hoco: { N22: 95 } },
        each: [measured('power', 'w', { '20': 1, '30': 1.2, '45': 1.5, '65': 1.9 })] },
      { noun: m('Внешний аккумулятор', 'tashqi akkumulyatori', 'power bank'),
        lines: { xiaomi: { 'Power Bank 3': 290 }, redmi: { 'Fast Charge': 240 }, baseus: { Bipow: 260, 'Star-Lord': 330 }, anker: { PowerCore: 390, Zolo: 330 }, borofone: { BJ38: 190 }, hoco: { J101: 210 } },
        each: [measured('capacity', 'mah', { '10000': 1, '20000': 1.5, '30000': 2 }), colours('black white')] },
      { noun: m('Кабель', 'kabeli', 'cable'),
        lines: { apple: { 'USB-C': 250 }, baseus: { Cafule: 59, Dynamic: 69 }, anker: { PowerLine: 99 }, borofone: { BX82: 29 }, hoco: { X96: 29 } },
        each: [measured('length', 'm', { '1': 1, '2': 1.3 }), worded('plug', [['USB-C – USB-C', 'USB-C – USB-C', 'USB-C to USB-C', 1], ['USB-C – Lightning', 'USB-C – Lightning', 'USB-C to Lightning', 1.15]])] },
      { noun: f('Автомобильная зарядка', 'avtomobil quvvatlagichi', 'car charger'),
        lines: { baseus: { 'Golden Contactor': 110 }, anker: { 'PowerDrive': 180 }, hoco: { NZ11: 75 }, borofone: { BZ19: 59 } },
        each: [measured('power', 'w', { '30': 1, '45': 1.3 })] },
    ],
    sentences: [
      ['{name} заряжает быстро и не греется: защита от перегрузки встроена.', '{name} tez quvvatlaydi va qizimaydi: ortiqcha yuklanishdan himoyasi bor.', '{name} charges fast and stays cool: protection against overload is built in.'],
      ['Подходит к смартфонам Samsung, Apple, Xiaomi, Honor и другим.', 'Samsung, Apple, Xiaomi, Honor va boshqa smartfonlarga mos.', 'It suits phones by Samsung, Apple, Xiaomi, Honor and others.'],
      ['Выдерживает больше {bends} тысяч сгибов и подключений.', '{bends} mingdan ortiq ulash va bukishga chidaydi.', 'It survives more than {bends} thousand bends and connections.'],
    ],
    draws: { bends: [5, 8, 10] },
  },
]
