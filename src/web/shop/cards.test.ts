import { deepEqual } from 'node:assert/strict'
import { test } from 'node:test'
import { promotionTitle } from './cards.ts'
import { type ShopLanguage, toCyrillic } from './language.ts'

const titled = { id: 'p', slug: 'p', title: 'Скидки', title_uz: 'Chegirma', title_en: 'Deals' }
const languages: ShopLanguage[] = ['ru', 'uz', 'uz-cyrl', 'en']

const shown = (promotion: typeof titled) =>
  languages.map((language) =>
    promotionTitle({ language, say: (it) => (language === 'uz-cyrl' ? toCyrillic(it) : it) }, promotion),
  )

test('a promotion has its title in the language of the visitor, otherwise the Russian one', () => {
  deepEqual(shown(titled), ['Скидки', 'Chegirma', 'Чегирма', 'Deals'])
  deepEqual(shown({ ...titled, title_uz: '', title_en: '' }), ['Скидки', 'Скидки', 'Скидки', 'Скидки'])
})
