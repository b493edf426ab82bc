import { deepEqual } from 'node:assert/strict'
import { test } from 'node:test'
import { formatOf } from '../format.ts'
import { textsOf } from '../texts/index.ts'
import type { Visit } from '../visit.ts'
import { chosenFilters } from './chosen-filters.ts'
import type { Facets } from './filters.ts'

const facets = {
  brands: [{ slug: 'samsung', name: 'Samsung', count: 3 }],
  partners: [{ slug: 'arzon', name: 'Arzon Savdo', count: 3 }],
  attributes: [
    {
      code: 'color',
      name: 'Colour',
      kind: 'enum',
      unit: null,
      values: [{ value: 'black', title: 'black', count: 2 }],
    },
    { code: 'storage', name: 'Storage', kind: 'number', unit: 'GB', values: [] },
  ],
} as unknown as Facets

const chosen = (query: string) =>
  chosenFilters(
    {
      path: '/c/phones',
      query: new URLSearchParams(query),
      at: (path: string) => `/shop/en${path}`,
      say: (text: string) => text,
      texts: textsOf('en'),
      format: formatOf('en', 'Asia/Tashkent'),
    } as unknown as Visit,
    facets,
  ).map((it) => [it.label.replaceAll('\u00a0', ' '), it.href])

test('every chosen filter has its name and the address without it, on the first page', () => {
  deepEqual(chosen('brand=samsung&brand=gone&price_max=5000000&sort=price&page=3'), [
    ['Samsung', '/shop/en/c/phones?brand=gone&price_max=5000000&sort=price'],
    ['gone', '/shop/en/c/phones?brand=samsung&price_max=5000000&sort=price'],
    ['up to 5 000 000 sum', '/shop/en/c/phones?brand=samsung&brand=gone&sort=price'],
  ])
  deepEqual(chosen('partner=arzon,other'), [
    ['Arzon Savdo', '/shop/en/c/phones?partner=other'],
    ['other', '/shop/en/c/phones?partner=arzon'],
  ])
  deepEqual(
    chosen('a.color=black&a.storage.min=128&rating_min=4&in_stock=true&discounted=true').map(([it]) => it),
    ['black', 'Storage: from 128 GB', '★ 4 and above', 'In stock only', 'Discounted only'],
  )
})

test('what is typed, the order and the page are no filters', () => {
  deepEqual(chosen('q=phone&exact=true&sort=price&page=2&in_stock=false'), [])
})
