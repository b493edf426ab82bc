import { f, m, measured, p, type Assortment } from './assortment.ts'

// oxfmt-ignore
export const tools: Assortment[] = [
  {
    category: 'power-tools',
    productCount: 70,
    kinds: [
      { noun: f('Ударная дрель', 'zarbali dreli', 'hammer drill'), lines: { bosch: { GSB: 890 }, makita: { HP1630: 950 }, dewalt: { DWD: 1090 }, metabo: { SBE: 1190 }, ingco: { ID: 390 }, ronix: { '22': 420 }, einhell: { 'TC-ID': 490 } }, each: [measured('power', 'w', { '600': 0.9, '750': 1, '900': 1.15 })] },
      { noun: m('Шуруповёрт', 'shurup buragichi', 'cordless drill'), lines: { makita: { DF333: 1290, DDF: 1890 }, bosch: { GSR: 1490 }, dewalt: { DCD: 1990 }, metabo: { PowerMaxx: 1390 }, ingco: { CDLI: 490 }, ronix: { '80': 590 }, stanley: { SCD: 890 }, einhell: { 'TE-CD': 790 } }, each: [measured('battery', 'ah', { '1.5': 0.9, '2': 1, '4': 1.25 })] },
      { noun: f('Болгарка', 'bolgarkasi', 'angle grinder'), lines: { makita: { GA: 790 }, bosch: { GWS: 890 }, dewalt: { DWE: 990 }, metabo: { W: 990 }, ingco: { AG: 350 }, ronix: { '31': 390 }, stanley: { SG: 520 } }, each: [measured('disc', 'mm', { '115': 0.92, '125': 1, '230': 1.6 })] },
      { noun: m('Перфоратор', 'perforatori', 'rotary hammer'), lines: { bosch: { GBH: 1790 }, makita: { HR2470: 1890 }, dewalt: { D25: 1990 }, metabo: { KHE: 2190 }, ingco: { RGH: 790 }, ronix: { '27': 890 } }, each: [measured('power', 'w', { '800': 1, '1100': 1.3 })] },
      { noun: m('Электролобзик', 'elektr arrachasi', 'jigsaw'), lines: { bosch: { PST: 790 }, makita: { '4329': 850 }, dewalt: { DWE349: 990 }, ingco: { JS: 390 }, einhell: { 'TC-JS': 450 } } },
    ],
    sentences: [
      ['{name} держит нагрузку весь день: мотор с медной обмоткой.', '{name} kun bo‘yi yukni ko‘taradi: motori mis o‘ramli.', '{name} bears a whole day’s work: the motor is wound with copper.'],
      ['Рукоятка с мягкими накладками гасит вибрацию.', 'Yumshoq qoplamali dastasi tebranishni so‘ndiradi.', 'Soft pads on the handle swallow the vibration.'],
      ['Продаётся в кейсе, до {turns} оборотов в минуту.', 'Keysda sotiladi, daqiqasiga {turns} aylanishgacha.', 'It comes in a case and turns up to {turns} times a minute.'],
    ],
    draws: { turns: [1500, 2800, 3000] },
  },
  {
    category: 'hand-tools',
    productCount: 42,
    kinds: [
      { noun: m('Набор ключей', 'kalitlar to‘plami', 'spanner set'), lines: { stanley: { FatMax: 690 }, ingco: { HKSPA: 290 }, ronix: { RH: 390 }, dewalt: { DWMT: 990 }, makita: { D: 790 } }, each: [measured('pieces', 'pcs', { '12': 0.6, '24': 1, '46': 1.5 })] },
      { noun: m('Набор отвёрток', 'otvyortkalar to‘plami', 'screwdriver set'), lines: { stanley: { Cushion: 190 }, ingco: { HKSD: 79 }, bosch: { 'Extra Hard': 150 }, xiaomi: { Wiha: 290 }, ronix: { 'RH-2': 99 } }, each: [measured('pieces', 'pcs', { '6': 0.8, '10': 1, '24': 1.6 })] },
      { noun: m('Молоток', 'bolg‘asi', 'hammer'), lines: { stanley: { AntiVibe: 190 }, ingco: { HSTH: 49 }, ronix: { 'RH-4': 69 }, dewalt: { DWHT: 250 } }, each: [measured('weight', 'g', { '300': 0.85, '500': 1 })] },
      { noun: f('Рулетка', 'ruletkasi', 'tape measure'), lines: { stanley: { PowerLock: 120 }, ingco: { HSMT: 25 }, ronix: { 'RH-9': 35 }, bosch: { Pro: 140 } }, each: [measured('length', 'm', { '5': 1, '8': 1.4 })] },
      { noun: p('Пассатижи', 'ombiri', 'pliers'), lines: { stanley: { DynaGrip: 150 }, ingco: { HCP: 45 }, ronix: { 'RH-1': 65 }, dewalt: { Compact: 190 } }, each: [measured('length', 'mm', { '160': 0.9, '200': 1 })] },
    ],
    sentences: [
      ['{name}: хром-ванадиевая сталь, не ржавеет и не гнётся.', '{name}: xrom-vanadiy po‘lati, zanglamaydi va egilmaydi.', '{name}: chrome vanadium steel that neither rusts nor bends.'],
      ['Ручка не скользит в ладони, даже в перчатке.', 'Dastasi qo‘lqopda ham sirpanmaydi.', 'The handle does not slip, even in a glove.'],
      ['Служит годами: гарантия {years} лет.', 'Yillar davomida xizmat qiladi: kafolat {years} yil.', 'It serves for years: the warranty is {years} years.'],
    ],
    draws: { years: [5, 10] },
  },
]
