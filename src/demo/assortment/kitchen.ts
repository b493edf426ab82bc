import { colours, f, m, measured, p, type Assortment, worded } from './assortment.ts'

// oxfmt-ignore
export const kitchen: Assortment[] = [
  {
    category: 'kettles',
    productCount: 58,
    kinds: [
      { noun: m('Электрический чайник', 'elektr choynagi', 'electric kettle'),
        lines: { artel: { 'ART-KT': 249 }, tefal: { 'Express': 590, Glass: 790 }, bosch: { TWK: 690 }, braun: { 'Breakfast': 650 }, philips: { 'Daily': 490 }, polaris: { PWK: 420 }, redmond: { 'RK-M': 520 }, vitek: { VT: 390 }, xiaomi: { 'Kettle 2': 450 }, sonifer: { SF: 190 }, moulinex: { Subito: 520 }, avalon: { AK: 199 }, delonghi: { Icona: 1290 }, kenwood: { 'ZJX': 690 } },
        each: [measured('volume', 'l', { '1.5': 0.95, '1.7': 1, '2': 1.1 }), colours('white black silver')] },
      { noun: m('Термопот', 'termopoti', 'thermopot'),
        lines: { artel: { TP: 490 }, polaris: { PWP: 690 }, panasonic: { 'NC': 990 }, redmond: { RTP: 790 }, sonifer: { 'SF-T': 390 }, avalon: { AT: 390 }, shivaki: { ST: 420 } },
        each: [measured('volume', 'l', { '3.5': 0.9, '4.5': 1, '5': 1.1 })] },
    ],
    sentences: [
      ['{name} кипятит воду за {minutes} минуты и сам отключается.', '{name} suvni {minutes} daqiqada qaynatadi va o‘zi o‘chadi.', '{name} boils water in {minutes} minutes and switches itself off.'],
      ['Корпус держит тепло, ручка не нагревается.', 'Korpusi issiqni saqlaydi, dastasi qizimaydi.', 'The body keeps the heat and the handle stays cool.'],
      ['Фильтр от накипи снимается и моется.', 'Quyqaga qarshi filtri yechib yuviladi.', 'The filter against limescale lifts out for washing.'],
    ],
    draws: { minutes: [3, 4] },
  },
  {
    category: 'multicookers',
    productCount: 46,
    kinds: [
      { noun: f('Мультиварка', 'multivarkasi', 'multicooker'),
        lines: { redmond: { 'RMC-M': 1190, 'SkyCooker': 1690 }, polaris: { PMC: 990 }, philips: { 'HD': 1590 }, moulinex: { 'Cookeo': 3490 }, tefal: { RK: 1790 }, artel: { MC: 690 }, midea: { 'MB': 890 }, panasonic: { SR: 1490 }, sonifer: { SF: 490 }, vitek: { 'VT-4': 890 }, xiaomi: { 'Mijia': 1190 } },
        each: [measured('volume', 'l', { '3': 0.9, '4': 0.95, '5': 1, '6': 1.1 })] },
      { noun: f('Рисоварка', 'guruch pishirgichi', 'rice cooker'),
        lines: { xiaomi: { 'Rice Cooker': 690 }, panasonic: { 'SR-WA': 790 }, artel: { RC: 390 }, sonifer: { 'SF-R': 290 }, tefal: { 'Easy Rice': 790 } }, each: [measured('volume', 'l', { '1.5': 0.9, '1.8': 1, '3': 1.25 })] },
    ],
    sentences: [
      ['{name}: плов, каша и шурпа без присмотра, {programs} программ.', '{name}: osh, bo‘tqa va sho‘rva qarovsiz pishadi, {programs} dastur.', '{name} cooks plov, porridge and soup by itself with {programs} programmes.'],
      ['Чаша с керамическим покрытием моется легко.', 'Sopol qoplamali kosasi oson yuviladi.', 'The bowl with its ceramic coating is easily washed.'],
      ['Отсрочка старта на сутки: завтрак готов к подъёму.', 'Boshlashni bir sutkaga kechiktirish mumkin: nonushta uyg‘onguningizcha tayyor.', 'A start delayed by up to a day has breakfast ready when you wake.'],
    ],
    draws: { programs: [10, 14, 21] },
  },
  {
    category: 'blenders',
    productCount: 66,
    kinds: [
      { noun: m('Погружной блендер', 'botirma blenderi', 'hand blender'),
        lines: { braun: { 'MultiQuick 5': 990, 'MultiQuick 7': 1390 }, bosch: { ErgoMixx: 790 }, philips: { ProMix: 690 }, artel: { 'HB': 290 }, redmond: { RHB: 590 }, polaris: { PHB: 520 }, tefal: { 'Quickchef': 790 }, sonifer: { SF: 220 }, moulinex: { 'Optitouch': 790 } },
        each: [measured('power', 'w', { '600': 0.9, '800': 1, '1000': 1.15 })] },
      { noun: m('Стационарный блендер', 'statsionar blenderi', 'jug blender'),
        lines: { philips: { 'Series 5000': 1190 }, bosch: { VitaPower: 1690 }, kenwood: { 'Blend-X': 1290 }, tefal: { 'Perfectmix': 1390 }, sonifer: { 'SF-B': 320 }, xiaomi: { 'Smart Blender': 890 }, vitek: { 'VT-85': 690 } },
        each: [measured('volume', 'l', { '1.5': 1, '2': 1.15 })] },
      { noun: f('Мясорубка', 'go‘sht qiymalagichi', 'mincer'),
        lines: { bosch: { ProPower: 2290 }, moulinex: { 'HV8': 1890 }, kenwood: { 'MG51': 1990 }, artel: { MG: 690 }, polaris: { PMG: 1190 }, redmond: { RMG: 1290 }, zwilling: { Enfinigy: 2990 }, avalon: { AM: 590 }, panasonic: { 'MK-G': 1690 } },
        each: [measured('power', 'w', { '1600': 0.95, '2000': 1, '2400': 1.1 })] },
      { noun: m('Миксер', 'mikseri', 'mixer'),
        lines: { bosch: { 'MFQ': 490 }, braun: { 'HM': 590 }, kenwood: { Chef: 4990 }, philips: { 'HR': 450 }, vitek: { 'VT-14': 290 } }, each: [measured('power', 'w', { '350': 0.9, '500': 1 }), colours('white red')] },
    ],
    sentences: [
      ['{name} берёт и фарш для мантов, и ягоды для смузи.', '{name} manti qiymasini ham, smuzi uchun mevani ham eplaydi.', '{name} handles the meat for manti and the berries for a smoothie.'],
      ['{speeds} скоростей и импульсный режим.', '{speeds} tezlik va impuls rejimi.', '{speeds} speeds and a pulse mode.'],
      ['Ножи из нержавеющей стали, съёмные части можно мыть в машине.', 'Pichoqlari zanglamas po‘latdan, yechiladigan qismlari idish yuvish mashinasida yuviladi.', 'The blades are stainless steel; loose parts go into the dishwasher.'],
    ],
    draws: { speeds: [5, 6, 12, 15] },
  },
  {
    category: 'cookware',
    productCount: 56,
    kinds: [
      { noun: m('Казан', 'qozoni', 'kazan'),
        lines: { tramontina: { Solar: 590 }, rondell: { Zeita: 690 }, bergner: { 'Cast': 490 }, karaca: { 'Dokum': 890 } }, each: [measured('volume', 'l', { '5': 0.8, '8': 1, '12': 1.4 })] },
      { noun: f('Кастрюля', 'kastryulkasi', 'pot'),
        lines: { tefal: { Intuition: 590 }, rondell: { Flamme: 790 }, tramontina: { Allegra: 490 }, zwilling: { Pro: 1690 }, karaca: { 'Emerald': 690 }, luminarc: { Vitro: 490 }, bergner: { Gourmet: 450 } },
        each: [measured('volume', 'l', { '2': 0.75, '3.5': 1, '5': 1.25 })] },
      { noun: f('Сковорода', 'tovasi', 'frying pan'),
        lines: { tefal: { 'Ingenio': 390, Unlimited: 490 }, rondell: { Mocco: 390 }, tramontina: { Paris: 290 }, zwilling: { Madura: 1190 }, bergner: { Naturally: 350 }, karaca: { 'BioGranit': 420 } },
        each: [measured('diameter', 'cm', { '24': 0.9, '26': 1, '28': 1.1 })] },
      { noun: f('Мантышница', 'manti qasqoni', 'manti steamer'), lines: { bergner: { Steam: 490 }, karaca: { Buhar: 590 }, tramontina: { 'Vapor': 550 } }, each: [measured('volume', 'l', { '6': 1, '10': 1.3 })] },
      { noun: m('Нож', 'pichog‘i', 'knife'), lines: { zwilling: { 'Four Star': 890, Gourmet: 590 }, tramontina: { Century: 290 }, rondell: { Falkata: 220 }, bergner: { Keops: 150 } }, each: [measured('length', 'cm', { '15': 0.9, '20': 1 })] },
    ],
    sentences: [
      ['{name}: дно {bottom} мм греется ровно, еда не пригорает.', '{name}: {bottom} mm tubi bir tekis qiziydi, taom kuymaydi.', '{name}: a {bottom} mm base heats evenly, so nothing burns.'],
      ['Подходит для газа, электричества и индукции.', 'Gaz, elektr va induksion plitaga mos.', 'For gas, electric and induction hobs.'],
      ['Чистится губкой за минуту.', 'Bir daqiqada gubka bilan tozalanadi.', 'A sponge cleans it in a minute.'],
    ],
    draws: { bottom: [4, 5, 6] },
  },
  {
    category: 'tableware',
    productCount: 48,
    kinds: [
      { noun: m('Чайный сервиз', 'choy servizi', 'tea set'), lines: { luminarc: { Diwali: 390, Carine: 350 }, pasabahce: { 'Basic': 290, Timeless: 450 }, karaca: { Fine: 990, 'Streamline': 790 }, bergner: { 'Royal': 550 } }, each: [worded('persons', [['на 6 персон', '6 kishilik', 'for 6', 1], ['на 12 персон', '12 kishilik', 'for 12', 1.8]])] },
      { noun: m('Набор пиал', 'piyolalar to‘plami', 'set of tea bowls'), lines: { luminarc: { Zelie: 120 }, pasabahce: { Village: 95 }, karaca: { Mavi: 240 } }, each: [measured('pieces', 'pcs', { '6': 1, '10': 1.5 }), colours('white blue')] },
      { noun: m('Набор тарелок', 'likopchalar to‘plami', 'set of plates'), lines: { luminarc: { Trianon: 290, Everyday: 190 }, pasabahce: { Linden: 260 }, karaca: { 'Nova': 690 } }, each: [measured('pieces', 'pcs', { '6': 1, '18': 2.4 })] },
      { noun: m('Набор стаканов', 'stakanlar to‘plami', 'set of glasses'), lines: { pasabahce: { Casablanca: 110, Luna: 95 }, luminarc: { Islande: 120 }, karaca: { Kristal: 290 } }, each: [measured('volume', 'ml', { '250': 0.9, '330': 1 })] },
      { noun: m('Ляган', 'lagani', 'lagan platter'), lines: { luminarc: { 'Diwali': 110 }, karaca: { 'Selena': 290 }, pasabahce: { Patisserie: 150 } }, each: [measured('diameter', 'cm', { '30': 1, '36': 1.25, '42': 1.5 })] },
      { noun: p('Столовые приборы', 'oshxona qoshiq-vilkalari', 'cutlery set'), lines: { tramontina: { Buzios: 390, Cosmos: 490 }, zwilling: { Dinner: 1990 }, karaca: { Orleans: 1190 }, bergner: { 'Silver': 490 } }, each: [measured('pieces', 'pcs', { '24': 1, '72': 2.6 })] },
    ],
    sentences: [
      ['{name} — для каждого дня и для гостей на дастархане.', '{name} — har kun uchun ham, mehmonli dasturxon uchun ham.', '{name} is for every day and for the table laid for guests.'],
      ['Не темнеет и не впитывает запахи.', 'Qoraymaydi va hid olmaydi.', 'It neither darkens nor keeps smells.'],
      ['Можно мыть в посудомоечной машине; упаковано в подарочную коробку.', 'Idish yuvish mashinasida yuvish mumkin; sovg‘a qutisida.', 'Safe in the dishwasher and packed in a gift box.'],
    ],
  },
]
