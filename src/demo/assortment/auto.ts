import { f, m, measured, n, type Assortment, type Three, worded } from './assortment.ts'

const ofBattery: Three[] = [
  [
    '{name} заводит мотор и при −{cold} °C.',
    '{name} −{cold} °C da ham motorni o‘t oldiradi.',
    '{name} starts the engine at −{cold} °C.',
  ],
  [
    'Не требует обслуживания, индикатор заряда на крышке.',
    'Qarov talab qilmaydi, qopqog‘ida quvvat ko‘rsatkichi bor.',
    'It needs no care; a window on the lid shows the charge.',
  ],
  [
    'Подходит для Cobalt, Gentra, Onix и Tracker.',
    'Cobalt, Gentra, Onix va Tracker uchun mos.',
    'It suits the Cobalt, Gentra, Onix and Tracker.',
  ],
]

const ofOil: Three[] = [
  [
    '{name} бережёт мотор в пробках и в жару: допуск API {api}.',
    '{name} tirbandlik va issiqda motorni asraydi: API {api} ruxsati.',
    '{name} guards the engine in traffic and heat; it is rated API {api}.',
  ],
  [
    'Канистра с защитной плёнкой и кодом проверки.',
    'Kanistri himoya plyonkasi va tekshiruv kodi bilan.',
    'The canister has a seal and a code to check.',
  ],
  [
    'Интервал замены — до {thousand} тысяч километров.',
    'Almashtirish oralig‘i — {thousand} ming kilometrgacha.',
    'Change it every {thousand} thousand kilometres.',
  ],
]

// oxfmt-ignore
export const auto: Assortment[] = [
  {
    category: 'tyres',
    productCount: 50,
    kinds: [
      { noun: f('Летняя шина', 'yozgi shinasi', 'summer tyre'), lines: { michelin: { 'Energy XM2': 890, 'Primacy 4': 1190 }, bridgestone: { Ecopia: 790 }, hankook: { 'Kinergy Eco': 690 }, kumho: { Ecowing: 650 }, bars: { UZ200: 420 } }, each: [measured('size', 'none', { '175/70 R14': 0.85, '195/55 R15': 1, '205/55 R16': 1.15 })] },
      { noun: f('Зимняя шина', 'qishki shinasi', 'winter tyre'), lines: { michelin: { 'X-Ice': 1090 }, bridgestone: { Blizzak: 950 }, hankook: { 'Winter i*cept': 790 }, kumho: { WinterCraft: 720 }, bars: { 'Winter': 450 } }, each: [measured('size', 'none', { '175/70 R14': 0.85, '195/55 R15': 1, '205/55 R16': 1.15 })] },
      { noun: f('Всесезонная шина', 'barcha mavsum shinasi', 'all-season tyre'), lines: { hankook: { 'Kinergy 4S': 750 }, kumho: { Solus: 690 }, bars: { 'Trend': 430 }, michelin: { CrossClimate: 1190 } }, each: [measured('size', 'none', { '185/65 R14': 0.9, '195/65 R15': 1 })] },
      { noun: m('Автомобильный аккумулятор', 'avtomobil akkumulyatori', 'car battery'), lines: { varta: { Blue: 1290, Silver: 1590, Black: 1090 }, bosch: { S4: 1290, S3: 1090 }, hankook: { MF: 990 }, panasonic: { N: 1390 } }, each: [measured('capacity', 'ah', { '45': 0.85, '60': 1, '74': 1.2 })], sentences: ofBattery },
    ],
    sentences: [
      ['{name}: короткий тормозной путь на горячем и на мокром асфальте.', '{name}: issiq va ho‘l asfaltda ham tormoz yo‘li qisqa.', '{name}: short braking on hot and on wet asphalt.'],
      ['Усиленная боковина выдерживает ямы.', 'Mustahkam yon devori chuqurlarga chidaydi.', 'A reinforced sidewall takes the potholes.'],
      ['Год выпуска — {year}; шиномонтаж у партнёров со скидкой.', 'Ishlab chiqarilgan yili — {year}; hamkorlarda montaj chegirma bilan.', 'Made in {year}; partners fit it at a discount.'],
    ],
    draws: { year: [2025, 2026], cold: [20, 25, 30] },
  },
  {
    category: 'motor-oils',
    productCount: 52,
    kinds: [
      { noun: n('Моторное масло', 'motor moyi', 'motor oil'), lines: { castrol: { Magnatec: 290, Edge: 390, GTX: 240 }, mobil: { 'Super 3000': 290, '1 ESP': 420 }, shell: { 'Helix HX8': 290, 'Helix Ultra': 390 }, lukoil: { Genesis: 250, Luxe: 190 }, zic: { X7: 260, X9: 320 } }, each: [measured('grade', 'none', { '5W-30': 1.03, '5W-40': 1, '10W-40': 0.9 }), measured('volume', 'l', { '1': 0.3, '4': 1 })], sentences: ofOil },
      { noun: m('Антифриз', 'antifrizi', 'antifreeze'), lines: { lukoil: { G12: 120, G11: 95 }, castrol: { Radicool: 190 }, shell: { Premium: 170 }, zic: { Super: 150 } }, each: [measured('volume', 'l', { '1': 0.35, '5': 1.3 })] },
      { noun: f('Тормозная жидкость', 'tormoz suyuqligi', 'brake fluid'), lines: { castrol: { React: 79 }, bosch: { 'DOT': 65 }, lukoil: { 'DOT': 45 }, shell: { DOT: 70 } }, each: [worded('class', [['DOT-4', 'DOT-4', 'DOT-4', 1], ['DOT-5.1', 'DOT-5.1', 'DOT-5.1', 1.3]])] },
    ],
    sentences: [
      ['{name} не разъедает резину и металл.', '{name} rezina va metallni yemirmaydi.', '{name} eats neither rubber nor metal.'],
      ['Рабочий диапазон от −{cold} до +{hot} °C.', 'Ishlash harorati −{cold} dan +{hot} °C gacha.', 'It works from −{cold} to +{hot} °C.'],
      ['Можно доливать к составам того же класса.', 'Shu toifadagi suyuqliklarga qo‘shish mumkin.', 'It mixes with others of its class.'],
    ],
    draws: { api: ['SN', 'SP'], thousand: [8, 10], cold: [38, 40], hot: [110, 125] },
  },
]
