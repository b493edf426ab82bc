import { colours, f, m, measured, n, p, type Assortment, type Three, worded } from './assortment.ts'

const forPlay: Three[] = [
  [
    '{name} развивает воображение и моторику; детали без острых краёв.',
    '{name} tasavvur va qo‘l motorikasini rivojlantiradi; qirralari o‘tkir emas.',
    '{name} feeds the imagination and trains the hand; no part has a sharp edge.',
  ],
  [
    'Рекомендуемый возраст — от {age} лет.',
    'Tavsiya etilgan yosh: {age} yoshdan.',
    'Recommended from the age of {age}.',
  ],
  [
    'Краски безопасны, сертификат есть.',
    'Bo‘yoqlari xavfsiz, sertifikati bor.',
    'The paints are safe and certified.',
  ],
]

// oxfmt-ignore
export const children: Assortment[] = [
  {
    category: 'diapers',
    productCount: 36,
    kinds: [
      { noun: p('Подгузники', 'tagliklari', 'diapers'), lines: { huggies: { 'Elite Soft': 189, Classic: 149 }, pampers: { 'Premium Care': 209, 'Active Baby': 169 }, molfix: { '3D': 129 }, lalaku: { Soft: 109 } },
        each: [worded('size', [['размер 2, 3–6 кг', '2-o‘lcham, 3–6 kg', 'size 2, 3–6 kg', 0.95], ['размер 3, 5–9 кг', '3-o‘lcham, 5–9 kg', 'size 3, 5–9 kg', 1], ['размер 4, 8–14 кг', '4-o‘lcham, 8–14 kg', 'size 4, 8–14 kg', 1.05], ['размер 5, 12–17 кг', '5-o‘lcham, 12–17 kg', 'size 5, 12–17 kg', 1.1]])] },
      { noun: p('Подгузники-трусики', 'trusik-tagliklari', 'diaper pants'), lines: { huggies: { Pants: 179 }, pampers: { 'Pants': 189 }, molfix: { Pants: 139 }, lalaku: { 'Active': 119 } }, each: [worded('size', [['размер 4, 9–14 кг', '4-o‘lcham, 9–14 kg', 'size 4, 9–14 kg', 1], ['размер 5, 12–17 кг', '5-o‘lcham, 12–17 kg', 'size 5, 12–17 kg', 1.05], ['размер 6, от 16 кг', '6-o‘lcham, 16 kg dan', 'size 6, over 16 kg', 1.1]])] },
      { noun: p('Влажные салфетки', 'nam salfetkalari', 'wet wipes'), lines: { huggies: { 'All Over': 22 }, pampers: { Sensitive: 25 }, lalaku: { Fresh: 14 }, molfix: { Care: 17 } }, each: [measured('pieces', 'pcs', { '56': 1, '120': 1.8 })] },
    ],
    sentences: [
      ['{name} остаются сухими до {hours} часов и не натирают кожу.', '{name} {hours} soatgacha quruq turadi va terini ishqalamaydi.', '{name} stay dry for up to {hours} hours and do not rub the skin.'],
      ['Дышащий слой, мягкий даже для новорождённых.', 'Havo o‘tkazuvchi, yangi tug‘ilganlar uchun ham yumshoq.', 'A breathing layer, soft enough for the newborn.'],
      ['Гипоаллергенно, без отдушек.', 'Gipoallergen, atirsiz.', 'Hypoallergenic and free of fragrance.'],
    ],
    draws: { hours: [10, 12] },
  },
  {
    category: 'baby-food',
    productCount: 42,
    kinds: [
      { noun: f('Молочная смесь', 'sut aralashmasi', 'infant formula'), lines: { nestle: { NAN: 149, Nestogen: 89 }, nutrilon: { Premium: 169, Comfort: 189 } }, each: [measured('stage', 'none', { '1': 1, '2': 1, '3': 0.95 }), measured('weight', 'g', { '350': 0.6, '800': 1.2 })] },
      { noun: f('Детская каша', 'bolalar bo‘tqasi', 'baby cereal'), lines: { nestle: { 'Shagayka': 39, 'Pomogayka': 42 }, kamilka: { Sutli: 25 }, nutrilon: { 'Malyutka': 35 } }, each: [worded('grain', [['гречневая', 'grechkali', 'buckwheat', 1], ['рисовая', 'guruchli', 'rice', 1], ['овсяная с яблоком', 'olmali suli', 'oats with apple', 1.1]])] },
      { noun: n('Фруктовое пюре', 'meva pyuresi', 'fruit purée'), lines: { nestle: { Gerber: 16 }, dena: { Bolajon: 9 }, bliss: { Kids: 9 } }, each: [worded('taste', [['яблоко', 'olma', 'apple', 1], ['груша', 'nok', 'pear', 1], ['абрикос', 'o‘rik', 'apricot', 1.05], ['персик', 'shaftoli', 'peach', 1.05]])] },
      { noun: m('Детский сок', 'bolalar sharbati', 'baby juice'), lines: { dena: { Kids: 8 }, bliss: { Junior: 8 }, nestle: { 'Gerber': 15 } }, each: [worded('taste', [['яблочный', 'olma', 'apple', 1], ['вишнёвый', 'olcha', 'cherry', 1.1]])] },
    ],
    sentences: [
      ['{name}: без красителей, консервантов и лишнего сахара.', '{name}: bo‘yoq, konservant va ortiqcha shakarsiz.', '{name}: no colourings, no preservatives, no needless sugar.'],
      ['С витаминами и железом, вкус знаком малышу.', 'Vitamin va temir bilan, ta’mi bolaga tanish.', 'With vitamins and iron, and a taste that babies know.'],
      ['Перед введением прикорма посоветуйтесь с педиатром.', 'Qo‘shimcha ovqatdan oldin pediatr bilan maslahatlashing.', 'Ask your paediatrician before the first solid food.'],
    ],
  },
  {
    category: 'toys',
    productCount: 60,
    kinds: [
      { noun: m('Конструктор', 'konstruktori', 'building set'), lines: { lego: { 'City': 590, Technic: 990, Friends: 490, Duplo: 450, Ninjago: 690, 'Star Wars': 1290 }, xiaomi: { Onebot: 390 } }, each: [measured('pieces', 'pcs', { '120': 0.5, '320': 1, '640': 1.8 })], sentences: forPlay },
      { noun: f('Кукла', 'qo‘g‘irchog‘i', 'doll'), lines: { barbie: { Fashionistas: 190, Dreamtopia: 290, Career: 250, Extra: 450, 'Looks': 690 } }, sentences: forPlay,
        each: [worded('dress', [['в красном платье', 'qizil ko‘ylakda', 'wearing red', 1], ['в голубом платье', 'moviy ko‘ylakda', 'wearing blue', 1], ['с аксессуарами', 'aksessuarlari bilan', 'with accessories', 1.3]])] },
      { noun: f('Машинка', 'mashinachasi', 'toy car'), lines: { 'hot-wheels': { 'Fast & Furious': 59, 'Monster Trucks': 89, Premium: 99, Basic: 29 }, chicco: { Turbo: 290 } }, each: [colours('red blue green yellow')], sentences: forPlay },
      { noun: m('Трек', 'treki', 'track set'), lines: { 'hot-wheels': { 'Action Loop': 390, City: 490, 'Ultimate Garage': 1490 } }, sentences: forPlay },
      { noun: f('Развивающая игрушка', 'rivojlantiruvchi o‘yinchog‘i', 'learning toy'), lines: { chicco: { 'Baby Senses': 190, Telescope: 350, 'Stacking Cups': 120, 'Piano': 390 }, lalaku: { Bolajon: 89 } }, each: [colours('yellow sky pink')], sentences: forPlay },
    ],
    sentences: forPlay,
    draws: { age: [3, 5, 6] },
  },
  {
    category: 'strollers',
    productCount: 40,
    kinds: [
      { noun: f('Прогулочная коляска', 'sayr aravachasi', 'stroller'), lines: { chicco: { 'Ohlala': 2290, Goody: 3490, 'Lite Way': 1990, Trolleyme: 1790 }, lalaku: { Sayr: 1290 } }, each: [colours('grey black blue beige')] },
      { noun: n('Автокресло', 'avtoo‘rindig‘i', 'car seat'), lines: { chicco: { 'Seat2Fit': 3490, Kory: 2690, 'Fold&Go': 2290, Cosmos: 2190 } }, each: [measured('group', 'kg', { '0–18': 1, '15–36': 0.85 }), colours('black grey blue')] },
      { noun: m('Стульчик для кормления', 'ovqatlanish stulchasi', 'high chair'), lines: { chicco: { Polly: 1790, 'Pocket': 790 } }, each: [colours('mint beige grey')] },
    ],
    sentences: [
      ['{name} складывается одной рукой и входит в багажник Cobalt.', '{name} bir qo‘l bilan yig‘iladi va Cobalt yukxonasiga sig‘adi.', '{name} folds with one hand and fits the boot of a Cobalt.'],
      ['Пятиточечные ремни и мягкие накладки.', 'Besh nuqtali kamar va yumshoq yostiqchalar.', 'Five-point belts with soft pads.'],
      ['Вес {weight} кг, ткань снимается и стирается.', 'Og‘irligi {weight} kg, matosi yechib yuviladi.', 'It weighs {weight} kg; the fabric comes off for washing.'],
    ],
    draws: { weight: [6.5, 7.2, 8.5] },
  },
]
