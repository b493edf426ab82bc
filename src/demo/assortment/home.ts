import { colours, f, m, measured, n, type Assortment, type Three, worded } from './assortment.ts'

const forSleep: Three[] = [
  [
    '{name}: ткань плотностью {density} г/м² дышит и не линяет.',
    '{name}: zichligi {density} g/m² mato havo o‘tkazadi va rangi ketmaydi.',
    '{name}: cloth of {density} g/m² that breathes and keeps its colour.',
  ],
  [
    'Сшито из хлопка, приятно и летом, и зимой.',
    'Paxtadan tikilgan, yozda ham, qishda ham yoqimli.',
    'Sewn from cotton, pleasant in summer and in winter.',
  ],
  [
    'Стирка при 40 °C, не требует отбеливания.',
    '40 °C da yuviladi, oqartirish shart emas.',
    'Wash at 40 °C; no bleach needed.',
  ],
]

// oxfmt-ignore
export const home: Assortment[] = [
  {
    category: 'furniture',
    productCount: 70,
    kinds: [
      { noun: m('Диван', 'divani', 'sofa'), lines: { yatas: { Nirvana: 8990, Loris: 10490, Como: 7490 }, karaca: { Home: 9990 }, akfa: { Oilaviy: 5490 } }, each: [colours('grey beige green blue'), worded('form', [['прямой', 'to‘g‘ri', 'straight', 1], ['угловой', 'burchakli', 'corner', 1.4]])] },
      { noun: f('Кровать', 'karavoti', 'bed'), lines: { yatas: { Puffy: 6990, Simena: 8490 }, akfa: { Orom: 3990 } }, each: [measured('width', 'cm', { '140': 0.85, '160': 1, '180': 1.15 }), colours('grey beige')] },
      { noun: m('Матрас', 'matrasi', 'mattress'), lines: { yatas: { 'Effect': 3490, 'Bamboo': 4490, Milena: 2790 }, tac: { Comfort: 2490 } }, each: [measured('size', 'cm', { '90×200': 0.7, '160×200': 1, '180×200': 1.15 })] },
      { noun: m('Шкаф', 'shkafi', 'wardrobe'), lines: { akfa: { Kupe: 4990, Klassik: 3990 }, yatas: { Vera: 7990 } }, each: [colours('white brown grey')] },
      { noun: m('Обеденный стол', 'oshxona stoli', 'dining table'), lines: { akfa: { Dastur: 1990 }, yatas: { Lotus: 3990 }, karaca: { Mola: 4490 } }, each: [colours('white brown'), measured('length', 'cm', { '120': 0.85, '160': 1 })] },
    ],
    sentences: [
      ['{name}: каркас из сухой древесины, нагрузка до {load} кг.', '{name}: quruq yog‘ochdan karkas, {load} kg gacha yuk ko‘taradi.', '{name}: a frame of dry wood that bears up to {load} kg.'],
      ['Доставка с подъёмом и сборкой входит в цену по Ташкенту.', 'Toshkent bo‘ylab yetkazish, ko‘tarish va yig‘ish narx ichida.', 'Delivery upstairs and assembly are free in Tashkent.'],
      ['Обивка и фасады легко протираются.', 'Qoplamasi va yuzasi oson artiladi.', 'Fabric and fronts wipe clean.'],
    ],
    draws: { load: [150, 200, 250] },
  },
  {
    category: 'bedding',
    productCount: 54,
    kinds: [
      { noun: m('Комплект постельного белья', 'choyshab to‘plami', 'bed linen set'), lines: { tac: { Satin: 690, Ranforce: 450, Premium: 890 }, karaca: { 'Cotton Box': 590, Lenora: 790 }, yatas: { Elmas: 650 } }, each: [colours('white blue beige green')],
        variants: worded('size', [['полуторный', 'bir yarim kishilik', 'single', 1], ['двуспальный', 'ikki kishilik', 'double', 1.25], ['семейный', 'oilaviy', 'family', 1.5]]) },
      { noun: n('Одеяло', 'ko‘rpasi', 'blanket'), lines: { tac: { Bamboo: 490, Wool: 690 }, yatas: { Dacron: 590, Cotton: 520 }, karaca: { Micro: 450 } }, variants: worded('size', [['полуторное', 'bir yarim kishilik', 'single', 1], ['двуспальное', 'ikki kishilik', 'double', 1.25]]), each: [colours('white beige')] },
      { noun: f('Подушка', 'yostig‘i', 'pillow'), lines: { yatas: { Visco: 390, Wool: 290 }, tac: { Bamboo: 220, Micro: 150 } }, each: [measured('size', 'cm', { '50×70': 1, '70×70': 1.1 })] },
      { noun: f('Курпача', 'ko‘rpachasi', 'kurpacha quilt'), lines: { sag: { Atlas: 290, Baxmal: 350, Adras: 320 } }, each: [colours('red green blue purple')] },
      { noun: n('Полотенце', 'sochig‘i', 'towel'), lines: { tac: { Bamboo: 99, Soft: 79 }, karaca: { Misty: 110 } }, each: [colours('white sky pink turquoise')], variants: worded('size', [['50×90 см', '50×90 sm', '50×90 cm', 1], ['70×140 см', '70×140 sm', '70×140 cm', 1.8]]) },
    ],
    sentences: forSleep,
    draws: { density: [120, 135, 145] },
  },
  {
    category: 'carpets',
    productCount: 54,
    kinds: [
      { noun: m('Ковёр', 'gilami', 'carpet'), lines: { sag: { Registon: 1490, Samarqand: 1690, Xiva: 1390, Buxoro: 1590, 'Modern Line': 990 } }, each: [measured('size', 'm', { '1.5×2.3': 0.6, '2×3': 1, '3×4': 1.9 }), colours('red beige blue brown')] },
      { noun: f('Ковровая дорожка', 'poyandozi', 'runner'), lines: { sag: { Orzu: 390, 'Nafis': 450 } }, each: [measured('size', 'm', { '0.8×3': 1, '1×4': 1.5 }), colours('red grey')] },
    ],
    sentences: [
      ['{name}: {density} тысяч узлов на квадратный метр, рисунок не стирается.', '{name}: har kvadrat metrda {density} ming tugun, naqshi o‘chmaydi.', '{name}: {density} thousand knots to the square metre, and a pattern that does not wear off.'],
      ['Узор повторяет старые мотивы местных мастеров.', 'Naqshi mahalliy ustalarning qadimiy nusxalarini takrorlaydi.', 'The pattern follows old motifs of local masters.'],
      ['Ворс {pile} мм, не электризуется, чистится обычным пылесосом.', 'Tuki {pile} mm, elektrlanmaydi, oddiy changyutgich bilan tozalanadi.', 'The {pile} mm pile takes no static and an ordinary vacuum cleans it.'],
    ],
    draws: { density: [480, 700, 960], pile: [8, 10, 12] },
  },
  {
    category: 'garden',
    productCount: 40,
    kinds: [
      { noun: m('Садовый шланг', 'bog‘ shlangi', 'garden hose'), lines: { gardena: { Classic: 390, Flex: 590 }, karcher: { PrimoFlex: 450 }, ingco: { Garden: 190 } }, each: [measured('length', 'm', { '20': 1, '30': 1.4, '50': 2.1 })] },
      { noun: f('Газонокосилка', 'maysa o‘rgichi', 'lawn mower'), lines: { gardena: { PowerMax: 3290 }, makita: { ELM: 2990 }, einhell: { 'GC-EM': 1990 }, stihl: { RMA: 5990 }, bosch: { ARM: 2690 }, ingco: { LM: 1590 } }, each: [measured('width', 'cm', { '32': 0.9, '37': 1 })] },
      { noun: f('Мойка высокого давления', 'yuqori bosimli yuvish apparati', 'pressure washer'), lines: { karcher: { K2: 1690, K4: 2990, K5: 4490 }, bosch: { UniversalAquatak: 1990 }, ingco: { HPWR: 1290 }, makita: { HW: 2290 } } },
      { noun: m('Секатор', 'bog‘ qaychisi', 'pruner'), lines: { gardena: { Comfort: 390, Classic: 250 }, stihl: { PG: 490 }, ingco: { HPS: 79 }, stanley: { Bypass: 150 } } },
      { noun: f('Бензопила', 'benzinli arrasi', 'chainsaw'), lines: { stihl: { 'MS 170': 2990, 'MS 180': 3490, 'MS 250': 4990 }, makita: { EA: 3290 }, ingco: { GCS: 1490 }, einhell: { 'GC-PC': 1790 } }, each: [measured('bar', 'cm', { '35': 1, '40': 1.08 })] },
      { noun: m('Набор для полива', 'sug‘orish to‘plami', 'watering set'), lines: { gardena: { 'Micro-Drip': 690, 'Start': 290 }, karcher: { Rain: 490 }, ingco: { Drip: 220 } } },
    ],
    sentences: [
      ['{name} рассчитан на наш климат: жара, пыль и солнце ему не страшны.', '{name} iqlimimizga moslangan: issiq, chang va quyoshdan qo‘rqmaydi.', '{name} is made for our climate: it fears neither heat nor dust nor sun.'],
      ['Запчасти и расходники всегда в наличии.', 'Ehtiyot qismlari va sarf materiallari doim bor.', 'Parts and supplies are always in stock.'],
      ['Гарантия {years} года от производителя.', 'Ishlab chiqaruvchidan {years} yil kafolat.', 'The maker’s warranty is {years} years.'],
    ],
    draws: { years: [2, 3] },
  },
]
