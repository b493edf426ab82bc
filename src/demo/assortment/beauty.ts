import { f, m, measured, n, type Assortment, type Three, worded } from './assortment.ts'

const forHair: Three[] = [
  [
    '{name}: волосы мягкие и блестят уже после первого раза.',
    '{name}: soch birinchi martadayoq yumshoq va yaltiroq bo‘ladi.',
    '{name}: hair is soft and shines from the first time.',
  ],
  [
    'Подходит для ежедневного ухода, запах лёгкий.',
    'Har kungi parvarish uchun mos, hidi yengil.',
    'Fit for every day, with a light scent.',
  ],
  ['Без силикона и парабенов.', 'Silikon va parabensiz.', 'Free of silicones and parabens.'],
]

// oxfmt-ignore
export const beauty: Assortment[] = [
  {
    category: 'makeup',
    productCount: 60,
    kinds: [
      { noun: f('Тушь для ресниц', 'kiprik tushi', 'mascara'), lines: { maybelline: { 'Lash Sensational': 149, 'Sky High': 169 }, 'loreal-paris': { Telescopic: 179, Paradise: 189 }, eveline: { 'Variété': 79 }, flormar: { 'Spider Lash': 109 }, 'golden-rose': { Panoramic: 89 }, farmasi: { 'Zen': 95 }, dior: { Diorshow: 590 }, chanel: { 'Le Volume': 650 } },
        each: [worded('effect', [['чёрная', 'qora', 'black', 1], ['водостойкая', 'suvga chidamli', 'waterproof', 1.1]])] },
      { noun: f('Губная помада', 'lab bo‘yog‘i', 'lipstick'), lines: { maybelline: { 'Super Stay': 139, Vinyl: 159 }, 'golden-rose': { Velvet: 69 }, flormar: { 'Silk Matte': 85 }, 'loreal-paris': { 'Color Riche': 169 }, eveline: { 'Oh My Lips': 65 }, dior: { Rouge: 650 }, chanel: { 'Rouge Coco': 690 }, farmasi: { Matte: 85 } },
        each: [worded('shade', [['красный', 'qizil', 'red', 1], ['розовый нюд', 'pushti nyud', 'pink nude', 1], ['сливовый', 'olxo‘ri rang', 'plum', 1]])] },
      { noun: m('Тональный крем', 'tonal kremi', 'foundation'), lines: { maybelline: { 'Fit Me': 149 }, 'loreal-paris': { 'True Match': 199 }, eveline: { 'Liquid Control': 95 }, flormar: { 'Perfect Coverage': 129 }, farmasi: { 'VFX Pro': 139 }, dior: { Forever: 790 }, 'golden-rose': { 'Total Cover': 99 } },
        each: [worded('shade', [['светлый беж', 'och tus', 'light beige', 1], ['натуральный', 'tabiiy tus', 'natural', 1], ['золотистый беж', 'tillarang tus', 'golden beige', 1]])] },
      { noun: f('Сурьма для глаз', 'ko‘z surmasi', 'kohl'), lines: { 'golden-rose': { Kajal: 45 }, flormar: { Kohl: 59 }, farmasi: { Kajal: 55 }, maybelline: { 'Tattoo Liner': 119 } }, each: [worded('shade', [['чёрная', 'qora', 'black', 1], ['коричневая', 'jigarrang', 'brown', 1]])] },
    ],
    sentences: [
      ['{name} держится до {hours} часов и не осыпается.', '{name} {hours} soatgacha turadi va to‘kilmaydi.', '{name} stays for up to {hours} hours and does not crumble.'],
      ['Смывается мицеллярной водой без усилий.', 'Mitsellyar suv bilan oson ketadi.', 'Micellar water takes it off without effort.'],
      ['Проверено дерматологами, подходит чувствительной коже.', 'Dermatologlar sinagan, nozik teriga mos.', 'Tested by dermatologists and kind to sensitive skin.'],
    ],
    draws: { hours: [12, 16, 24] },
  },
  {
    category: 'skin-care',
    productCount: 54,
    kinds: [
      { noun: m('Крем для лица', 'yuz kremi', 'face cream'), lines: { nivea: { Soft: 59, 'Q10': 129 }, garnier: { 'Hyaluron': 79 }, 'loreal-paris': { Revitalift: 189, 'Age Perfect': 199 }, 'la-roche-posay': { Toleriane: 290, Effaclar: 310 }, cerave: { Moisturising: 220 }, eveline: { Bio: 59 }, cosrx: { Snail: 260 }, farmasi: { 'Dr. C. Tuna': 99 } },
        each: [measured('volume', 'ml', { '50': 1, '75': 1.3 })] },
      { noun: m('Солнцезащитный крем', 'quyoshdan himoya kremi', 'sunscreen'), lines: { nivea: { Sun: 129 }, garnier: { 'Ambre Solaire': 139 }, 'la-roche-posay': { Anthelios: 320 }, cosrx: { 'Aloe': 220 }, eveline: { 'Sun Protection': 85 } }, each: [measured('protection', 'none', { 'SPF 30': 0.9, 'SPF 50': 1 })] },
      { noun: m('Гель для умывания', 'yuz yuvish geli', 'cleansing gel'), lines: { cerave: { Foaming: 190 }, 'la-roche-posay': { Effaclar: 240 }, cosrx: { 'Low pH': 190 }, garnier: { 'Pure Active': 65 }, nivea: { Refreshing: 55 } }, each: [measured('volume', 'ml', { '150': 0.75, '236': 1, '400': 1.5 })] },
      { noun: f('Мицеллярная вода', 'mitsellyar suvi', 'micellar water'), lines: { garnier: { 'Skin Naturals': 69 }, nivea: { MicellAir: 65 }, 'loreal-paris': { 'Skin Expert': 75 }, eveline: { 'FaceMed': 55 } }, each: [measured('volume', 'ml', { '200': 0.65, '400': 1 })] },
      { noun: f('Сыворотка для лица', 'yuz zardobi', 'face serum'), lines: { 'loreal-paris': { 'Revitalift Filler': 219 }, cosrx: { 'Advanced Snail': 290, 'Niacinamide 15': 270 }, garnier: { 'Vitamin C': 119 }, 'la-roche-posay': { 'Hyalu B5': 490 }, eveline: { 'Face Therapy': 89 } }, each: [measured('volume', 'ml', { '15': 0.65, '30': 1 })] },
    ],
    sentences: [
      ['{name} увлажняет на {hours} часа и не оставляет плёнки.', '{name} {hours} soat namlaydi, teri ustida parda qoldirmaydi.', '{name} moisturises for {hours} hours and leaves no film.'],
      ['Подходит под макияж и для жаркого лета.', 'Pardoz ostiga va issiq yozga mos.', 'Good under make-up and in a hot summer.'],
      ['Без отдушек и парабенов.', 'Atir va parabensiz.', 'No fragrance and no parabens.'],
      ['Достаточно одной капли утром и вечером.', 'Ertalab va kechqurun bir tomchi kifoya.', 'A drop in the morning and one in the evening will do.'],
    ],
    draws: { hours: [24, 48, 72] },
  },
  {
    category: 'hair-care',
    productCount: 56,
    kinds: [
      { noun: m('Шампунь', 'shampuni', 'shampoo'), lines: { pantene: { 'Pro-V': 59, 'Rose Miracles': 69 }, schwarzkopf: { Gliss: 65, Schauma: 45 }, 'loreal-paris': { Elseve: 69 }, garnier: { 'Botanic Therapy': 59 }, nivea: { Men: 49 }, farmasi: { 'Dr. C. Tuna': 75 } }, each: [measured('volume', 'ml', { '250': 0.75, '400': 1, '900': 1.8 })], sentences: forHair },
      { noun: m('Бальзам для волос', 'soch balzami', 'conditioner'), lines: { pantene: { 'Pro-V': 59 }, schwarzkopf: { Gliss: 65 }, 'loreal-paris': { Elseve: 69 }, garnier: { Fructis: 55 } }, each: [measured('volume', 'ml', { '200': 0.8, '400': 1.2 })], sentences: forHair },
      { noun: n('Масло для волос', 'soch moyi', 'hair oil'), lines: { 'loreal-paris': { 'Elseve': 129 }, schwarzkopf: { 'Gliss': 119 }, garnier: { 'Argan': 99 } }, each: [measured('volume', 'ml', { '50': 0.7, '100': 1 })], sentences: forHair },
      { noun: f('Краска для волос', 'soch bo‘yog‘i', 'hair dye'), lines: { garnier: { 'Color Naturals': 49 }, schwarzkopf: { Palette: 45, Perfect: 65 }, 'loreal-paris': { Excellence: 89 } }, sentences: forHair,
        each: [worded('shade', [['чёрный', 'qora', 'black', 1], ['каштановый', 'kashtan rang', 'chestnut', 1], ['русый', 'malla rang', 'light brown', 1]])] },
      { noun: m('Фен', 'feni', 'hair dryer'), lines: { dyson: { Supersonic: 5990 }, philips: { 'DryCare': 590 }, braun: { 'Satin Hair': 690 }, polaris: { PHD: 390 }, xiaomi: { 'Compact': 290 }, sonifer: { SF: 190 }, panasonic: { EH: 650 } }, each: [measured('power', 'w', { '1600': 0.95, '2200': 1 })] },
      { noun: m('Утюжок для волос', 'soch dazmoli', 'hair straightener'), lines: { philips: { StraightCare: 590 }, braun: { 'Satin Hair 7': 890 }, polaris: { PHS: 290 }, dyson: { Corrale: 5490 }, vitek: { VT: 250 } } },
    ],
    sentences: [
      ['{name} нагревается за {seconds} секунд, ионизация убирает статику.', '{name} {seconds} soniyada qiziydi, ionizatsiya elektrlanishni yo‘qotadi.', '{name} heats in {seconds} seconds, and its ions take the static away.'],
      ['Три режима температуры и холодный воздух для укладки.', 'Uch xil harorat va turmak uchun sovuq havo.', 'Three temperatures, and cold air to set the style.'],
      ['Шнур {cord} м вращается и не путается.', '{cord} m simi aylanadi va chalkashmaydi.', 'The {cord} m cord turns and does not tangle.'],
    ],
    draws: { seconds: [10, 20, 30], cord: [1.8, 2] },
  },
  {
    category: 'perfume',
    productCount: 46,
    kinds: [
      { noun: f('Парфюмерная вода', 'atiri', 'eau de parfum'), lines: { chanel: { 'Coco Mademoiselle': 1990, 'Bleu': 2090, 'Chance': 1890 }, dior: { 'J’adore': 1890, Sauvage: 1990, 'Miss Dior': 1890 }, versace: { 'Dylan Blue': 990, Eros: 1090, 'Bright Crystal': 950 }, zara: { 'Red Temptation': 290, Vibrant: 270 }, lacoste: { 'L.12.12': 790 }, 'calvin-klein': { Eternity: 690 } },
        each: [measured('volume', 'ml', { '30': 0.6, '50': 0.8, '100': 1 })] },
      { noun: f('Туалетная вода', 'tualet suvi', 'eau de toilette'), lines: { versace: { 'Pour Homme': 890, 'Man Eau Fraîche': 850 }, lacoste: { Blanc: 690 }, 'tommy-hilfiger': { Tommy: 590 }, 'calvin-klein': { One: 590, Euphoria: 690 }, adidas: { 'Ice Dive': 95 }, mango: { 'Adorably': 190 }, farmasi: { Shooter: 150 } },
        each: [measured('volume', 'ml', { '50': 0.75, '100': 1 })] },
    ],
    sentences: [
      ['{name} сначала звучит свежо, к вечеру тепло; шлейф держится {hours} часов.', '{name} ifori avval tetik, kechga borib iliq; shleyfi {hours} soat.', '{name} opens fresh and grows warm by the evening; it lasts {hours} hours.'],
      ['Флакон запечатан, на коробке марка поставщика.', 'Flakoni muhrlangan, qutisida yetkazib beruvchi belgisi bor.', 'The bottle is sealed and the box bears the supplier’s stamp.'],
      ['Хороший подарок на Навруз и на день рождения.', 'Navro‘z va tug‘ilgan kunga yaxshi sovg‘a.', 'A fine present for Navruz or a birthday.'],
    ],
    draws: { hours: [6, 8, 10] },
  },
]
