import { equal } from 'node:assert/strict'
import { test } from 'node:test'
import { nearest } from './nearest.ts'

const names = ['id', 'name', 'slug', 'price_tiyin', 'OrdersCreated', 'OrderCancelled']

test('a misspelt name is recognised', () => {
  equal(nearest('nmae', names), 'name')
  equal(nearest('Slug', names), 'slug')
  equal(nearest('priceTiyin', names), 'price_tiyin')
  equal(nearest('OrderCreated', names), 'OrdersCreated')
})

test('another name is no misspelling', () => {
  equal(nearest('x', names), undefined)
  equal(nearest('colour', names), undefined)
  equal(nearest('ok', names), undefined)
  equal(nearest('', names), undefined)
  equal(nearest('a'.repeat(100_000), names), undefined)
})
