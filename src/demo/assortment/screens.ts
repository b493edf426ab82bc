import { colours, f, m, measured, type Assortment } from './assortment.ts'

const television = m('Телевизор', 'televizori', 'TV')

// oxfmt-ignore
export const screens: Assortment[] = [
  {
    category: 'televisions',
    productCount: 100,
    kinds: [
      { noun: television,
        lines: {
          artel: { 'A9000': 2290, 'UA Smart': 2590 }, shivaki: { 'S-line': 2190 }, moonx: { 'Google TV': 2090, 'Frameless': 2390 }, premier: { 'Smart': 1990 }, roison: { RE: 1990 }, goodwell: { GW: 1890 }, immer: { 'Smart': 1890 },
          samsung: { DU7000: 3490, Q60D: 4990 }, lg: { UR80: 3490, NanoCell: 4490 }, tcl: { P655: 2790, C655: 3790 }, hisense: { A6N: 2690, 'E7 QLED': 3490 }, xiaomi: { 'TV A': 2390, 'TV A Pro': 2990 },
          haier: { S4: 2890 }, philips: { PUS8000: 3290 }, sony: { 'Bravia 3': 5490 }, panasonic: { W60: 3290 }, ziffler: { 'Smart': 1890 },
        },
        each: [measured('screen', 'inch', { '32': 0.6, '43': 1, '50': 1.25, '55': 1.5, '65': 2.1, '75': 3.1 })] },
      { noun: m('OLED-телевизор', 'OLED televizori', 'OLED TV'),
        lines: { lg: { B5: 9990, C5: 12990 }, samsung: { S90F: 12490 }, sony: { 'Bravia 8': 14990 }, philips: { OLED810: 11490 } },
        each: [measured('screen', 'inch', { '48': 0.9, '55': 1, '65': 1.4, '77': 2.3 })] },
    ],
    sentences: [
      ['{name}: разрешение 4K, {tuner} и пульт с голосовым поиском.', '{name}: 4K tasvir, {tuner} va ovozli qidiruvli pult.', '{name}: 4K resolution, {tuner} and a remote with voice search.'],
      ['YouTube, кино и футбол открываются с одной кнопки.', 'YouTube, kino va futbol bitta tugma bilan ochiladi.', 'YouTube, films and football open with one button.'],
      ['Звук {sound} Вт, три HDMI и два USB.', 'Ovozi {sound} Vt, uchta HDMI va ikkita USB.', 'It has {sound} W of sound, three HDMI and two USB ports.'],
    ],
    draws: { tuner: ['DVB-T2', 'DVB-T2/C/S2'], sound: [16, 20, 24, 30] },
  },
  {
    category: 'speakers',
    productCount: 56,
    kinds: [
      { noun: f('Портативная колонка', 'ko‘chma kolonkasi', 'portable speaker'),
        lines: {
          jbl: { 'Go 4': 590, 'Flip 7': 1490, 'Charge 6': 2190, 'Xtreme 4': 3690 }, marshall: { 'Emberton III': 2190, 'Willen II': 1490 }, sony: { 'ULT Field 1': 1390 }, xiaomi: { 'Sound Outdoor': 490 },
          anker: { 'Soundcore 3': 590, 'Motion 300': 990 }, hoco: { HC9: 190 }, borofone: { BR29: 150 }, huawei: { 'Sound Joy': 1290 }, tcl: { 'Z100': 790 },
        },
        each: [colours('black blue red')] },
      { noun: m('Саундбар', 'saundbari', 'soundbar'),
        lines: { samsung: { 'HW-B450': 1590, 'HW-Q600': 3490 }, lg: { SC9S: 4990, S40T: 1690 }, jbl: { 'Bar 2.1': 2690, 'Bar 500': 4290 }, sony: { 'HT-S400': 2490 }, yamaha: { 'SR-B40': 2990 }, xiaomi: { 'Soundbar 2.0': 990 }, philips: { TAB5109: 1190 }, hisense: { HS2100: 1390 } },
        each: [measured('power', 'w', { '120': 0.8, '300': 1, '500': 1.3 })] },
      { noun: f('Акустика', 'akustikasi', 'bookshelf speakers'),
        lines: { edifier: { R1280DB: 1490, MR4: 1090, S1000: 4490 }, yamaha: { 'NS-F51': 2990 }, marshall: { 'Acton III': 3290, 'Stanmore III': 4490 }, logitech: { Z407: 990, Z906: 3990 }, razer: { 'Nommo V2': 1690 } },
        each: [colours('black brown')] },
    ],
    sentences: [
      ['{name} звучит чисто и на шёпоте, и на празднике во дворе.', '{name} past ovozda ham, hovlidagi bayramda ham toza yangraydi.', '{name} sounds clean at a whisper and at a party in the courtyard alike.'],
      ['Bluetooth {bluetooth}, до {metres} метров без обрывов.', 'Bluetooth {bluetooth}, {metres} metrgacha uzilishsiz.', 'Bluetooth {bluetooth} reaches {metres} metres without a break.'],
      ['Настройка баса и голоса — в приложении или с пульта.', 'Bas va ovoz ilovadan yoki pultdan sozlanadi.', 'Bass and voice are set in the app or with the remote.'],
    ],
    draws: { bluetooth: [5.1, 5.3], metres: [10, 15, 30] },
  },
]
