// The partners of the demo shop, all fictional. Ids are stable: a new partner takes the next free id.

import type { SeededRandom } from './seeded-random.ts'
import type { LoanConditionRecord, PartnerRecord } from './record.ts'

export interface Partner {
  record: PartnerRecord
  /** Slugs of top-level categories. */
  departments: Set<string>
  /** Price level: a factor on the base price. */
  level: number
}

// oxfmt-ignore
const departmentByLetter: Record<string, string> = {
  t: 'electronics', a: 'home-appliances', k: 'kitchen', c: 'clothes-and-shoes', b: 'beauty', d: 'children',
  h: 'home-and-garden', r: 'tools', s: 'sport', m: 'auto', g: 'groceries', l: 'books',
}
const allDepartments = Object.keys(departmentByLetter).join('')

// oxfmt-ignore
const rows: [id: number, slug: string, name: string, letters: string, rating: number, level: number, marks: string][] = [
  [1, 'registon-market', 'Registon Market', allDepartments, 4.9, 1, 'recommended credit'],
  [2, 'chorsu-savdo', 'Chorsu Savdo', allDepartments, 4.7, 0.98, 'recommended credit'],
  [3, 'shosh-texno', 'Shosh Texno', 'tak', 4.8, 1.02, 'recommended credit'],
  [4, 'turon-elektronika', 'Turon Elektronika', 'ta', 4.6, 0.99, 'credit'],
  [5, 'raqamli-olam', 'Raqamli Olam', 't', 4.9, 1.01, 'recommended credit'],
  [6, 'mobil-saroy', 'Mobil Saroy', 't', 4.4, 0.97, 'credit'],
  [7, 'bek-gadjet', 'Bek Gadjet', 't', 4.1, 0.95, 'credit'],
  [8, 'samo-kompyuter', 'Samo Kompyuter', 't', 4.7, 1.02, 'credit'],
  [9, 'maishiy-olam', 'Maishiy Olam', 'ak', 4.8, 1, 'recommended credit'],
  [10, 'xonadon-texnika', 'Xonadon Texnika', 'ak', 4.5, 0.98, 'credit'],
  [11, 'sovuq-va-issiq', 'Sovuq va Issiq', 'a', 4.3, 0.97, 'credit'],
  [12, 'yunusobod-texnika', 'Yunusobod Texnika', 'tak', 4.2, 0.96, 'credit'],
  [13, 'oshxona-siri', 'Oshxona Siri', 'k', 4.8, 1.01, 'recommended credit'],
  [14, 'dasturxon', 'Dasturxon', 'kg', 4.6, 0.99, ''],
  [15, 'atlas-moda', 'Atlas Moda', 'c', 4.7, 1.02, 'recommended credit'],
  [16, 'ipak-uslub', 'Ipak Uslub', 'cb', 4.5, 1, 'credit'],
  [17, 'zamona-kiyim', 'Zamona Kiyim', 'c', 4.3, 0.97, 'credit'],
  [18, 'qadam-poyabzal', 'Qadam Poyabzal', 'cs', 4.6, 1, 'credit'],
  [19, 'chilonzor-outlet', 'Chilonzor Outlet', 'cs', 3.9, 0.93, ''],
  [20, 'oyna-go-zallik', 'Oyna Go‘zallik', 'b', 4.8, 1.01, 'recommended'],
  [21, 'atirgul', 'Atirgul', 'b', 4.6, 0.99, ''],
  [22, 'xush-ifor', 'Xush Ifor', 'b', 4.2, 0.96, 'credit'],
  [23, 'bolajon', 'Bolajon', 'dl', 4.9, 1.01, 'recommended credit'],
  [24, 'oltin-beshik', 'Oltin Beshik', 'd', 4.7, 1, 'credit'],
  [25, 'quvnoq-bolalar', 'Quvnoq Bolalar', 'd', 4.4, 0.97, ''],
  [26, 'shinam-uy', 'Shinam Uy', 'hk', 4.7, 1, 'recommended credit'],
  [27, 'samarqand-gilam', 'Samarqand Gilam', 'h', 4.9, 1.02, 'recommended credit'],
  [28, 'zarafshon-mebel', 'Zarafshon Mebel', 'h', 4.3, 0.98, 'credit'],
  [29, 'yashil-bog', 'Yashil Bog‘', 'hr', 4.5, 0.99, ''],
  [30, 'usta-bobo', 'Usta Bobo', 'r', 4.8, 1, 'recommended credit'],
  [31, 'temir-va-po-lat', 'Temir va Po‘lat', 'rm', 4.4, 0.97, 'credit'],
  [32, 'chempion-sport', 'Chempion Sport', 's', 4.7, 1.01, 'recommended credit'],
  [33, 'tog-yo-li', 'Tog‘ Yo‘li', 'sc', 4.5, 0.99, 'credit'],
  [34, 'avto-karvon', 'Avto Karvon', 'm', 4.6, 1, 'recommended credit'],
  [35, 'shina-markazi', 'Shina Markazi', 'm', 4.4, 0.98, 'credit'],
  [36, 'qishloq-ne-mati', 'Qishloq Ne’mati', 'g', 4.8, 1, 'recommended'],
  [37, 'baraka-do-kon', 'Baraka Do‘kon', 'gd', 4.3, 0.96, ''],
  [38, 'kitob-uyi', 'Kitob Uyi', 'l', 5, 1, 'recommended'],
  [39, 'ziyo-va-bilim', 'Ziyo va Bilim', 'l', 4.6, 0.98, ''],
  [40, 'arzon-savdo', 'Arzon Savdo', allDepartments, 3.6, 0.92, 'credit'],
]

export const partners: Partner[] = rows.map(([id, slug, name, letters, rating, level, marks]) => ({
  record: {
    record: 'partner',
    id,
    slug,
    name,
    rating,
    is_recommended: marks.includes('recommended'),
    credit_active: marks.includes('credit'),
  },
  departments: new Set([...letters].map((it) => departmentByLetter[it]!)),
  level,
}))

/** Duration in months, usual commission in percent, and the largest deviation from it. */
const terms = [
  { duration: 3, commission: 3, stray: 3 },
  { duration: 6, commission: 11, stray: 3 },
  { duration: 12, commission: 23, stray: 5 },
  { duration: 24, commission: 41, stray: 7 },
]

/** Conditions of 3 to 24 months for partners with credit; a few conditions are inactive. */
export const loanConditions = (chance: SeededRandom): LoanConditionRecord[] =>
  partners
    .filter((it) => it.record.credit_active)
    .flatMap(({ record: { id } }) =>
      terms
        .filter(({ duration }) => duration === 12 || chance.share(`term/${id}/${duration}`) < 0.9)
        .map(({ duration, commission, stray }) => ({
          partner_id: id,
          duration,
          commission: commission + chance.whole(`commission/${id}/${duration}`, -stray, stray),
          active: duration === 12 || chance.share(`ended/${id}/${duration}`) >= 0.06,
        })),
    )
    .map((it, at) => ({ record: 'loan_condition', id: at + 1, ...it }))
