import { colours, f, m, measured, p, type Assortment, type Three, worded } from './assortment.ts'

const forTraining: Three[] = [
  [
    '{name} — для зала и для дома: не скользит и не пахнет резиной.',
    '{name} — zal va uy uchun: sirpanmaydi, rezina hidi yo‘q.',
    '{name} is for the gym and for home: it does not slip and has no smell of rubber.',
  ],
  [
    'Покрытие легко протереть после тренировки.',
    'Mashg‘ulotdan keyin qoplamasi oson artiladi.',
    'It wipes clean after training.',
  ],
  ['Выдерживает до {load} кг.', '{load} kg gacha yukni ko‘taradi.', 'It bears up to {load} kg.'],
]

const forRiding: Three[] = [
  [
    '{name}: рама из алюминия, вес {weight} кг.',
    '{name}: alyuminiy rama, og‘irligi {weight} kg.',
    '{name}: an aluminium frame and a weight of {weight} kg.',
  ],
  [
    'Дисковые тормоза уверенно держат на спуске.',
    'Diskli tormozlari pastlikda ishonchli ushlaydi.',
    'Disc brakes hold firmly downhill.',
  ],
  [
    'Приезжает собранным на 90 %, ключ в коробке.',
    '90 % yig‘ilgan holda keladi, kaliti qutida.',
    'It comes nine tenths assembled, with the spanner in the box.',
  ],
]

// oxfmt-ignore
export const outdoors: Assortment[] = [
  {
    category: 'fitness',
    productCount: 54,
    kinds: [
      { noun: f('Беговая дорожка', 'yugurish yo‘lkasi', 'treadmill'), lines: { xiaomi: { WalkingPad: 4490 }, decathlon: { Domyos: 6990 }, demix: { 'T-Run': 5490 }, reebok: { 'Jet': 9990 } }, each: [measured('motor', 'w', { '1000': 0.9, '1500': 1, '2200': 1.25 })], sentences: forTraining },
      { noun: m('Велотренажёр', 'velotrenajyori', 'exercise bike'), lines: { decathlon: { 'Bike 500': 3990 }, reebok: { GB40: 4990 }, demix: { Spin: 2990 } }, each: [colours('black grey')], sentences: forTraining },
      { noun: p('Гантели', 'gantellari', 'dumbbells'), lines: { demix: { Vinyl: 190, Hex: 290 }, decathlon: { Corength: 250 }, reebok: { 'Studio': 320 }, adidas: { Neoprene: 350 } }, each: [measured('weight', 'kg', { '2×2': 0.6, '2×5': 1, '2×10': 1.8 })], sentences: forTraining },
      { noun: m('Коврик для йоги', 'yoga gilamchasi', 'yoga mat'), lines: { nike: { Fundamental: 490 }, adidas: { Premium: 450 }, demix: { Soft: 150 }, decathlon: { Kimjaly: 220 }, reebok: { Love: 350 }, puma: { Studio: 390 } }, each: [colours('blue purple green black')], sentences: forTraining },
      { noun: m('Футбольный мяч', 'futbol to‘pi', 'football'), lines: { adidas: { Tiro: 390, 'Al Rihla': 590 }, nike: { Pitch: 350 }, puma: { Orbita: 320 }, demix: { 'DF': 150 } }, each: [measured('size', 'none', { '4': 0.95, '5': 1 })], sentences: forTraining },
    ],
    sentences: forTraining,
    draws: { load: [100, 120, 150] },
  },
  {
    category: 'bicycles',
    productCount: 56,
    kinds: [
      { noun: m('Горный велосипед', 'tog‘ velosipedi', 'mountain bike'), lines: { giant: { Talon: 6990, ATX: 4990, Fathom: 12990 }, decathlon: { Rockrider: 3990, 'Btwin': 2990 } }, each: [measured('wheels', 'inch', { '26': 0.95, '27.5': 1, '29': 1.08 }), colours('black blue red')], sentences: forRiding },
      { noun: m('Городской велосипед', 'shahar velosipedi', 'city bike'), lines: { giant: { Escape: 5990 }, decathlon: { Elops: 2990 } }, each: [measured('wheels', 'inch', { '28': 1 }), colours('black green white')], sentences: forRiding },
      { noun: m('Детский велосипед', 'bolalar velosipedi', 'children’s bike'), lines: { giant: { ARX: 3290 }, decathlon: { 'Robot': 1290, 'Docto Girl': 1290 }, chicco: { Red: 990 } }, each: [measured('wheels', 'inch', { '14': 0.85, '16': 0.92, '20': 1 })], sentences: forRiding },
      { noun: m('Электросамокат', 'elektrosamokati', 'electric scooter'), lines: { ninebot: { E2: 3490, F2: 5490, 'Max G2': 8990 }, xiaomi: { 'Scooter 4 Lite': 3990, 'Scooter 5': 5490 } },
        each: [worded('range', [['запас хода 25 км', '25 km masofa', '25 km range', 0.9], ['запас хода 40 км', '40 km masofa', '40 km range', 1]])],
        sentences: [
          ['{name} разгоняется до 25 км/ч и складывается за три секунды.', '{name} 25 km/soat tezlikka chiqadi va uch soniyada yig‘iladi.', '{name} reaches 25 km/h and folds in three seconds.'],
          ['Фара, стоп-сигнал и звонок уже стоят.', 'Fara, to‘xtash chirog‘i va qo‘ng‘irog‘i bor.', 'Headlight, brake light and bell are fitted.'],
          ['Весит {weight} кг, влагозащита IPX5.', 'Og‘irligi {weight} kg, IPX5 himoya.', 'It weighs {weight} kg and is proof against splashes (IPX5).'],
        ] },
    ],
    sentences: forRiding,
    draws: { weight: [12.5, 14, 15.5] },
  },
]
