import { colours, f, m, measured, type Assortment, worded } from './assortment.ts'

// oxfmt-ignore
export const appliances: Assortment[] = [
  {
    category: 'refrigerators',
    productCount: 95,
    kinds: [
      { noun: m('Холодильник', 'muzlatgichi', 'fridge-freezer'),
        lines: {
          artel: { HD345: 3290, 'HD455 Inverter': 4790 }, shivaki: { HD316: 2990 }, goodwell: { 'GRF-T': 2890 }, premier: { PRM: 2690 }, roison: { RF: 2790 }, avalon: { AVL: 2690 },
          samsung: { RB33: 6990, RB38: 8990 }, lg: { 'GC-B399': 6790, 'GC-B509': 8490 }, bosch: { 'Serie 4': 9490 }, beko: { RCNK: 5490 }, indesit: { ITS: 4990 }, haier: { C2F: 6290 }, midea: { MDRB: 4990 }, gorenje: { NRK: 6990 }, hisense: { RB: 5490 }, ariston: { HTS: 6490 },
        },
        each: [measured('volume', 'l', { '270': 0.9, '320': 1, '380': 1.2 }), colours('white silver graphite')] },
      { noun: m('Холодильник Side-by-Side', 'Side-by-Side muzlatgichi', 'side-by-side fridge'),
        lines: { samsung: { RS66: 14990 }, lg: { 'GC-B257': 13990 }, haier: { 'HRF-535': 11990 }, hisense: { RS677: 10990 }, artel: { 'HS693': 8990 }, midea: { MDRS: 9490 }, electrolux: { ESE: 14490 } },
        each: [measured('volume', 'l', { '520': 1, '620': 1.15 }), colours('silver black')] },
      { noun: m('Морозильник', 'muzlatish kamerasi', 'chest freezer'),
        lines: { artel: { F: 2490 }, shivaki: { CF: 2390 }, midea: { MDRC: 2790 }, haier: { HCE: 3190 }, beko: { HSM: 3290 } },
        each: [measured('volume', 'l', { '200': 1, '300': 1.25, '400': 1.5 })] },
    ],
    sentences: [
      ['{name} с системой {frost} не требует разморозки и работает тихо — {noise} дБ.', '{name} {frost} tizimi bilan muzini eritishni so‘ramaydi va sokin ishlaydi — {noise} dB.', '{name} with {frost} needs no defrosting and hums at just {noise} dB.'],
      ['Инверторный компрессор бережёт электричество: класс A+.', 'Invertor kompressori elektrni tejaydi: A+ toifa.', 'An inverter compressor saves electricity: class A+.'],
      ['Полки из закалённого стекла выдержат казан плова.', 'Toblangan oyna tokchalari bir qozon oshni ko‘taradi.', 'Shelves of tempered glass hold a whole kazan of plov.'],
      ['Дверь перевешивается на другую сторону.', 'Eshigini boshqa tomonga o‘tkazish mumkin.', 'The door can be hung on either side.'],
    ],
    draws: { frost: ['No Frost', 'Low Frost'], noise: [37, 39, 41] },
  },
  {
    category: 'washing-machines',
    productCount: 90,
    kinds: [
      { noun: f('Стиральная машина', 'kir yuvish mashinasi', 'washing machine'),
        lines: {
          artel: { 'Ideal': 2990, 'Inverter Pro': 3690 }, shivaki: { 'Steam': 3190 }, roison: { RW: 2790 }, ziffler: { ZW: 2690 }, samsung: { WW60: 4490, WW80: 5690 }, lg: { F2J3: 4690, 'AI DD': 6290 },
          bosch: { 'Serie 6': 7490 }, beko: { WRE: 3790 }, indesit: { IWSC: 3590 }, haier: { HW70: 4490 }, midea: { 'Crown': 3690 }, electrolux: { 'PerfectCare': 6490 }, whirlpool: { FreshCare: 4990 }, hisense: { WFQP: 4190 }, siemens: { iQ300: 7990 }, gorenje: { WNEI: 4990 }, ariston: { Active: 5290 },
        },
        each: [measured('load', 'kg', { '6': 0.92, '7': 1, '8': 1.1, '9': 1.2 }), colours('white silver')] },
      { noun: f('Стирально-сушильная машина', 'quritgichli kir yuvish mashinasi', 'washer-dryer'),
        lines: { lg: { F2T9: 9490 }, samsung: { WD80: 9290 }, haier: { HWD: 7990 }, artel: { 'Wash&Dry': 5990 }, bosch: { WNA: 11490 } }, each: [measured('load', 'kg', { '8/5': 1, '10/6': 1.2 })] },
      { noun: f('Стиральная машина-полуавтомат', 'yarim avtomat kir yuvish mashinasi', 'twin-tub washing machine'),
        lines: { artel: { TE: 1190 }, shivaki: { TE: 1090 }, premier: { WM: 990 }, roison: { TT: 1050 } }, each: [measured('load', 'kg', { '6': 0.9, '8': 1, '10': 1.15 })] },
    ],
    sentences: [
      ['{name} отжимает на {spin} оборотах и заканчивает быструю стирку за {quick} минут.', '{name} {spin} aylanishda siqadi, tez yuvishni {quick} daqiqada tugatadi.', '{name} spins at {spin} rpm and finishes a quick wash in {quick} minutes.'],
      ['{programs} программ: хлопок, шерсть, детское и тёмное.', '{programs} dastur: paxta, jun, bolalar kiyimi va to‘q ranglilar.', '{programs} programmes, for cotton, wool, baby clothes and darks.'],
      ['Защита от протечек и от детей.', 'Suv sizishidan va bolalardan himoyasi bor.', 'It is guarded against leaks and against children.'],
    ],
    draws: { spin: [1000, 1200, 1400], quick: [14, 15, 30], programs: [12, 14, 16] },
  },
  {
    category: 'stoves-and-ovens',
    productCount: 66,
    kinds: [
      { noun: f('Газовая плита', 'gaz plitasi', 'gas cooker'),
        lines: { artel: { Milagro: 2190, 'Apetito': 1790 }, hofmann: { HG: 2390 }, shivaki: { Alena: 1990 }, immer: { 'GS': 1690 }, roison: { RG: 1790 }, gorenje: { GN: 4290 }, indesit: { IS: 3490 }, beko: { FSG: 3290 }, bosch: { HGA: 5990 }, goodwell: { GG: 1690 }, ferre: { F6: 2990 } },
        each: [measured('width', 'cm', { '50': 1, '60': 1.2 }), colours('white black brown')] },
      { noun: m('Встраиваемый духовой шкаф', 'o‘rnatiladigan duxovkasi', 'built-in oven'),
        lines: { bosch: { HBF: 5990 }, samsung: { NV68: 5490 }, hofmann: { EO: 3290 }, artel: { AO: 2990 }, electrolux: { OEF: 5490 }, gorenje: { BO: 4990 }, siemens: { HB: 6990 }, whirlpool: { OMR: 4790 } },
        each: [measured('volume', 'l', { '65': 1, '71': 1.1 })] },
      { noun: f('Варочная панель', 'pishirish paneli', 'hob'),
        lines: { bosch: { PNH: 3990 }, hofmann: { GH: 1990 }, artel: { AH: 1590 }, gorenje: { GW: 2490 }, electrolux: { EGG: 3290 }, beko: { HILG: 2690 } },
        each: [worded('fuel', [['газовая', 'gazli', 'gas', 1], ['индукционная', 'induksion', 'induction', 1.6]])] },
      { noun: f('Кухонная вытяжка', 'oshxona havo tortgichi', 'cooker hood'),
        lines: { hofmann: { HD: 1290 }, artel: { Art: 990 }, shivaki: { Aria: 950 }, gorenje: { WHI: 2290 }, bosch: { DWK: 3490 } }, each: [measured('width', 'cm', { '60': 1, '90': 1.3 })] },
    ],
    sentences: [
      ['{name}: ровный жар и чистая линия, под которую легко подобрать кухню.', '{name}: bir tekis issiqlik va har qanday oshxonaga mos sodda ko‘rinish.', '{name}: even heat and a clean line that suits any kitchen.'],
      ['Безопасность продумана: автоматическое отключение и защита от детей.', 'Xavfsizlik o‘ylangan: avtomatik o‘chirish va bolalardan himoya.', 'Safety was thought of: it switches itself off and keeps children out.'],
      ['Мастер подключит в день доставки, гарантия {years} года.', 'Usta yetkazilgan kuni ulab beradi, kafolat {years} yil.', 'A fitter connects it on the day of delivery; the warranty is {years} years.'],
    ],
    draws: { years: [2, 3] },
  },
  {
    category: 'vacuum-cleaners',
    productCount: 58,
    kinds: [
      { noun: m('Робот-пылесос', 'robot-changyutgichi', 'robot vacuum'),
        lines: { xiaomi: { 'Robot Vacuum S20': 2190, 'Robot Vacuum X20': 4490 }, dreame: { D9: 2490, 'L10s Ultra': 6490, X40: 10490 }, roborock: { Q7: 3290, 'Qrevo': 6990, S8: 8490 }, ziffler: { 'R-line': 1990 }, polaris: { PVCR: 1990 }, tefal: { 'X-plorer': 3490 } },
        each: [colours('white black')] },
      { noun: m('Вертикальный пылесос', 'vertikal changyutgichi', 'upright vacuum'),
        lines: { dyson: { V8: 5490, V12: 7990, V15: 9990 }, dreame: { H12: 4490, R20: 3990 }, samsung: { 'Jet 75': 4490 }, xiaomi: { G11: 2690 }, philips: { SpeedPro: 3490 }, bosch: { Unlimited: 4290 }, redmond: { 'RV': 1690 }, ziffler: { 'V-line': 990 } },
        each: [colours('grey blue')] },
      { noun: m('Пылесос', 'changyutgichi', 'vacuum cleaner'),
        lines: { artel: { VCB: 990, VCC: 1190 }, shivaki: { 'SVC': 950 }, samsung: { SC18: 1590, VC20: 1890 }, lg: { VK76: 1790 }, karcher: { 'VC 3': 2290 }, philips: { 'PowerGo': 1490 }, vitek: { VT: 890 }, moonx: { MV: 790 }, bosch: { GL: 1890 } },
        each: [measured('power', 'w', { '1600': 0.92, '2000': 1, '2400': 1.1 })] },
    ],
    sentences: [
      ['{name} справляется и с ламинатом, и с самаркандским ковром.', '{name} laminatni ham, Samarqand gilamini ham tozalaydi.', '{name} copes with laminate and with a Samarkand carpet alike.'],
      ['Фильтр HEPA задерживает {dust} % мелкой пыли.', 'HEPA filtri mayda changning {dust} % ini ushlab qoladi.', 'The HEPA filter keeps back {dust}% of fine dust.'],
      ['Контейнер {bin} л моется под краном.', '{bin} l idishi jo‘mrak ostida yuviladi.', 'Its {bin} L bin is washed under the tap.'],
    ],
    draws: { dust: ['99.5', '99.9'], bin: [0.5, 0.8, 1.5, 2] },
  },
  {
    category: 'air-conditioners',
    productCount: 58,
    kinds: [
      { noun: m('Кондиционер', 'konditsioneri', 'air conditioner'),
        lines: {
          artel: { Montana: 3990, 'Gloria Inverter': 5290, 'Grand': 4390 }, shivaki: { 'Ultra Inverter': 4790 }, akfa: { 'Comfort': 4190 }, roison: { Prestige: 3890 }, premier: { Eco: 3590 }, immer: { Snow: 3690 }, midea: { Xtreme: 5490, Forest: 4690 }, gree: { Bora: 5290, Pular: 6290 },
          lg: { 'Dual Cool': 7490 }, samsung: { WindFree: 8490 }, haier: { Flexis: 6990 }, hisense: { 'Energy Pro': 5490 }, tcl: { Elite: 4490 }, electrolux: { Fusion: 5990 }, panasonic: { Compact: 7990 }, beko: { Sahara: 5290 }, moonx: { 'MX': 3690 },
        },
        each: [measured('capacity', 'btu', { '9000': 0.9, '12000': 1, '18000': 1.45, '24000': 1.85 })] },
    ],
    sentences: [
      ['{name} охлаждает в чиллу при +{hot} °C на улице и греет зимой.', '{name} chillada, tashqarida +{hot} °C bo‘lganda ham sovitadi, qishda isitadi.', '{name} cools in the worst July heat of +{hot} °C and warms in winter.'],
      ['Ночной режим почти не слышен: {noise} дБ.', 'Tungi rejimi deyarli eshitilmaydi: {noise} dB.', 'At night it is almost silent: {noise} dB.'],
      ['Медные трубы и золотое покрытие радиатора рассчитаны на пыль и жару.', 'Mis quvurlar va tillarang qoplamali radiator chang va issiqqa mo‘ljallangan.', 'Copper pipes and a coated radiator are made for dust and heat.'],
    ],
    draws: { hot: [48, 50, 52], noise: [19, 21, 24] },
  },
]
