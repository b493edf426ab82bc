import { deepEqual } from 'node:assert/strict'
import { test } from 'node:test'
import { mentionsOf, otherModelFinder } from './mentions.ts'

const catalog = [
  { categoryId: 1, words: 'Samsung Galaxy S25 8/256 GB smartphone' },
  { categoryId: 1, words: 'Samsung Galaxy A06 4/128 GB smartphone' },
  { categoryId: 1, words: 'Apple iPhone 16 smartphone' },
  { categoryId: 2, words: 'Samsung Galaxy S25 silicone case' },
  { categoryId: 2, words: 'Hoco iPhone 16 silicone case' },
  { categoryId: 2, words: 'Hoco N22 30 W charger' },
  { categoryId: 3, words: 'Orzu 16 kg dumbbells' },
].map((it, at) => ({ ...it, productId: at + 1, departmentId: 1, brandId: 1, priceTiyin: 1_000 }))
const categories = Int32Array.from(catalog, (it) => it.categoryId)

test('what names another model of the category on the page does not fit; what names none does', () => {
  const finder = otherModelFinder(mentionsOf(catalog), categories)
  const misfits = (page: number[]) => [...catalog.keys()].filter(finder(page)).filter((it) => it > 2)
  deepEqual(misfits([0]), [4])
  deepEqual(misfits([1]), [3, 4], 'no case of this phone exists, and those of others do not fit')
  deepEqual(misfits([0, 2]), [])
  deepEqual(misfits([6]), [])
  deepEqual(misfits([]), [])
})
