import { colours, f, m, n, p, type Assortment, sizes } from './assortment.ts'

const womens = sizes('XS S M L XL')
const mens = sizes('S M L XL XXL')

// oxfmt-ignore
export const clothes: Assortment[] = [
  {
    category: 'womens-clothes',
    productCount: 112,
    kinds: [
      { noun: n('Платье', 'ko‘ylagi', 'dress'),
        lines: { zara: { 'Linen Midi': 590, 'Satin Slip': 690 }, mango: { Flowy: 690, 'Knit Midi': 790 }, koton: { Floral: 390, Shirt: 420 }, 'lc-waikiki': { Basic: 250, Printed: 290 }, defacto: { Fit: 270 }, selfie: { Atlas: 450, Adras: 520 }, '7-saber': { Saber: 320 } },
        each: [colours('black blue red green beige')], variants: womens },
      { noun: f('Блуза', 'bluzkasi', 'blouse'),
        lines: { zara: { Poplin: 390 }, mango: { Bow: 420 }, koton: { Chiffon: 250 }, 'lc-waikiki': { Classic: 170 }, defacto: { Relax: 180 }, selfie: { Ipak: 290 } },
        each: [colours('white ivory sky pink')], variants: womens },
      { noun: f('Абайя', 'abayasi', 'abaya'), lines: { selfie: { Marvarid: 590, Sokin: 490 }, '7-saber': { Nafis: 450 }, defacto: { Modest: 390 } }, each: [colours('black burgundy grey')], variants: sizes('S M L XL') },
      { noun: p('Женские джинсы', 'ayollar jinsisi', 'women’s jeans'),
        lines: { levis: { '501': 990, Ribcage: 1090 }, mango: { Straight: 590 }, zara: { 'Wide Leg': 490 }, koton: { Mom: 350 }, 'calvin-klein': { 'High Rise': 1290 } }, each: [colours('blue black grey')], variants: sizes('26 27 28 29 30') },
      { noun: n('Женское пальто', 'ayollar paltosi', 'women’s coat'), lines: { zara: { 'Double Breasted': 1490 }, mango: { Wool: 1690 }, koton: { Oversize: 990 }, 'lc-waikiki': { City: 690 }, 'tommy-hilfiger': { Classic: 3490 } }, each: [colours('beige black grey')], variants: womens },
      { noun: m('Кардиган', 'kardigani', 'cardigan'), lines: { mango: { Ribbed: 490 }, 'lc-waikiki': { Soft: 220 }, lacoste: { Cotton: 1690 }, defacto: { Cosy: 230 }, 'tommy-hilfiger': { Cable: 1790 } }, each: [colours('ivory pink grey')], variants: womens },
    ],
    sentences: [
      ['{name}: {part} % натуральных волокон, ткань мягкая и не просвечивает.', '{name}: {part} % tabiiy tola, matosi yumshoq va qalin.', '{name}: {part}% natural fibres, soft and never see-through.'],
      ['Садится по размеру; стирать при 30 °C.', 'O‘lchamiga mos keladi; 30 °C da yuviladi.', 'True to size; wash at 30 °C.'],
      ['Рост модели на фото {height} см, на ней размер S.', 'Rasmdagi modelning bo‘yi {height} sm, egnida S o‘lcham.', 'The model is {height} cm tall and wears an S.'],
    ],
    draws: { part: [60, 80, 95], height: [172, 175, 177] },
  },
  {
    category: 'mens-clothes',
    productCount: 98,
    kinds: [
      { noun: f('Мужская рубашка', 'erkaklar ko‘ylagi', 'men’s shirt'),
        lines: { 'terra-pro': { Oxford: 290, Slim: 320 }, zara: { Linen: 450 }, 'lc-waikiki': { Classic: 190 }, defacto: { 'Regular': 210 }, 'tommy-hilfiger': { Flex: 1290 }, lacoste: { Regular: 1490 }, koton: { Slim: 260 } },
        each: [colours('white sky black blue')], variants: mens },
      { noun: f('Мужская футболка', 'erkaklar futbolkasi', 'men’s T-shirt'),
        lines: { 'terra-pro': { Basic: 129 }, nike: { Sportswear: 390 }, adidas: { Essentials: 350 }, puma: { Logo: 290 }, 'calvin-klein': { Monogram: 690 }, levis: { Graphic: 350 }, reebok: { Identity: 270 }, '7-saber': { Cotton: 99 } },
        each: [colours('black white grey green')], variants: mens },
      { noun: p('Мужские джинсы', 'erkaklar jinsisi', 'men’s jeans'),
        lines: { levis: { '501 Original': 990, '511 Slim': 990 }, 'terra-pro': { Denim: 390 }, koton: { Straight: 390 }, defacto: { Pedro: 290 }, 'calvin-klein': { Slim: 1390 } }, each: [colours('blue black grey')], variants: sizes('30 31 32 33 34 36') },
      { noun: m('Мужской костюм', 'erkaklar kostyumi', 'men’s suit'), lines: { 'terra-pro': { Business: 1690, 'Wedding': 2290 }, zara: { 'Slim Fit': 2490 }, 'tommy-hilfiger': { Tailored: 6490 }, '7-saber': { Rasmiy: 1290 } }, each: [colours('black blue grey')], variants: sizes('46 48 50 52 54') },
      { noun: f('Мужская куртка', 'erkaklar kurtkasi', 'men’s jacket'),
        lines: { 'terra-pro': { Winter: 890 }, zara: { Puffer: 1190 }, nike: { Windrunner: 1490 }, adidas: { Terrex: 1990 }, 'lc-waikiki': { Parka: 590 }, puma: { Padded: 1190 }, lacoste: { Bomber: 3490 } }, each: [colours('black green blue')], variants: mens },
    ],
    sentences: [
      ['{name}: {part} % хлопка, швы ровные, цвет держится после стирок.', '{name}: {part} % paxta, choklari tekis, rangi yuvilganda ham saqlanadi.', '{name}: {part}% cotton, with even seams and a colour that survives the wash.'],
      ['Крой не стесняет движений.', 'Bichimi harakatga xalaqit bermaydi.', 'The cut leaves you free to move.'],
      ['Рост модели на фото {height} см, на ней размер L.', 'Rasmdagi modelning bo‘yi {height} sm, egnida L o‘lcham.', 'The model is {height} cm tall and wears an L.'],
    ],
    draws: { part: [70, 80, 97], height: [183, 185, 188] },
  },
]

const ladies = sizes('36 37 38 39 40')
const gentlemen = sizes('40 41 42 43 44')

// oxfmt-ignore
export const shoes: Assortment[] = [
  {
    category: 'womens-shoes',
    productCount: 42,
    kinds: [
      { noun: p('Женские туфли', 'ayollar tuflisi', 'heels'), lines: { zara: { 'Slingback': 590 }, mango: { Pump: 690 }, geox: { Bigliana: 1290 }, ecco: { Shape: 1690 }, koton: { Classic: 390 } }, each: [colours('black beige red')], variants: ladies },
      { noun: p('Босоножки', 'bosonojkasi', 'sandals'), lines: { ecco: { Flowt: 1390 }, skechers: { 'Go Walk': 890 }, geox: { Sorapis: 990 }, mango: { Strap: 490 }, 'lc-waikiki': { Summer: 220 } }, each: [colours('brown black white')], variants: ladies },
      { noun: p('Женские сапоги', 'ayollar etigi', 'women’s boots'), lines: { ecco: { 'Modtray': 2490 }, geox: { Spherica: 1990 }, zara: { 'Knee High': 1290 }, mango: { Leather: 1490 } }, each: [colours('black brown')], variants: ladies },
      { noun: p('Балетки', 'baletkasi', 'ballet flats'), lines: { zara: { Bow: 450 }, geox: { Palmaria: 990 }, skechers: { Cleo: 690 }, defacto: { Flat: 230 }, ecco: { Anine: 1290 } }, each: [colours('black pink beige')], variants: ladies },
    ],
    sentences: [
      ['{name}: стелька мягкая, ноги не устают за день.', '{name}: ichki patagi yumshoq, oyoq kun bo‘yi charchamaydi.', '{name}: a soft insole for a long day.'],
      ['Подошва не скользит и на мокрой плитке.', 'Tagligi ho‘l kafelda ham sirpanmaydi.', 'The sole does not slide even on wet tiles.'],
      ['Материал верха дышит, подкладка не натирает.', 'Ustki qismi havo o‘tkazadi, astari ishqalamaydi.', 'The upper breathes and the lining does not rub.'],
      ['Полнота средняя, размер соответствует сетке бренда.', 'Kengligi o‘rtacha, o‘lchami brend jadvaliga mos.', 'Medium width; sizes follow the chart of the brand.'],
    ],
  },
  {
    category: 'mens-shoes',
    productCount: 40,
    kinds: [
      { noun: p('Мужские туфли', 'erkaklar tuflisi', 'dress shoes'), lines: { ecco: { 'Vitrus': 2290, Citytray: 2090 }, geox: { Iacopo: 1690 }, 'terra-pro': { Classic: 690 }, zara: { Derby: 890 } }, each: [colours('black brown')], variants: gentlemen },
      { noun: p('Мокасины', 'mokasini', 'moccasins'), lines: { geox: { Moner: 1290 }, ecco: { 'Moc': 1690 }, 'tommy-hilfiger': { Driver: 1890 }, lacoste: { Concours: 1790 } }, each: [colours('blue brown black')], variants: gentlemen },
      { noun: p('Мужские ботинки', 'erkaklar botinkasi', 'men’s boots'), lines: { ecco: { 'Track 25': 3290, Rugged: 2690 }, geox: { Spherica: 1990 }, skechers: { Relment: 1290 }, 'lc-waikiki': { Winter: 490 } }, each: [colours('black brown beige')], variants: gentlemen },
      { noun: p('Шлёпанцы', 'shippagi', 'slippers'), lines: { adidas: { Adilette: 390 }, nike: { 'Victori One': 450 }, puma: { Leadcat: 290 }, lacoste: { Croco: 690 } }, each: [colours('black blue white')], variants: gentlemen },
    ],
    sentences: [
      ['{name} держат форму и легко чистятся.', '{name} shaklini saqlaydi va oson tozalanadi.', '{name} keep their shape and clean easily.'],
      ['Колодка удобная и для высокого подъёма.', 'Qolipi baland oyoq yuzi uchun ham qulay.', 'The last suits a high instep too.'],
      ['Прошиты, а не только склеены.', 'Faqat yelimlanmagan, tikilgan ham.', 'Stitched, not merely glued.'],
    ],
  },
  {
    category: 'sneakers',
    productCount: 76,
    kinds: [
      { noun: p('Кроссовки', 'krossovkasi', 'sneakers'),
        lines: { nike: { 'Air Max 90': 1890, 'Court Vision': 1190, Dunk: 1690 }, adidas: { Samba: 1490, Grand: 990, Ultraboost: 2290 }, puma: { 'Suede XL': 1190, Carina: 890 }, reebok: { 'Club C': 1090 }, 'new-balance': { '574': 1290, '530': 1390, '9060': 2190 }, asics: { 'Gel-1130': 1390 }, skechers: { 'D’Lites': 990, 'Uno': 1090 }, lacoste: { 'L-Spin': 1690 } },
        each: [colours('white black grey blue')], variants: sizes('38 39 40 41 42 43') },
      { noun: p('Беговые кроссовки', 'yugurish krossovkasi', 'running shoes'),
        lines: { nike: { Pegasus: 1690, Vomero: 2090 }, adidas: { 'Duramo': 890, Adizero: 1990 }, asics: { 'Gel-Kayano': 2290, 'Gel-Nimbus': 2390 }, 'new-balance': { 'Fresh Foam': 1690 }, puma: { Velocity: 1390 }, decathlon: { Jogflow: 490 }, demix: { 'Magus': 450 } },
        each: [colours('black blue orange')], variants: gentlemen },
    ],
    sentences: [
      ['{name} весят всего {weight} г и пружинят на каждом шаге.', '{name} og‘irligi atigi {weight} g, har qadamda yumshoq qaytaradi.', '{name} weigh just {weight} g and spring with every step.'],
      ['Сетчатый верх дышит в жару.', 'To‘rsimon ustki qismi issiqda havo o‘tkazadi.', 'The mesh upper breathes in the heat.'],
      ['Оригинал с бирками, размерная сетка EUR.', 'Yorlig‘i bilan asl mahsulot, EUR o‘lchamlari.', 'Genuine, with tags; sizes are European.'],
    ],
    draws: { weight: [240, 265, 290, 320] },
  },
]
