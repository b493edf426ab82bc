import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { rowOf } from '../../ml/retrieval/sparse.ts'
import { placeKey, platformKeys, trendsOf } from './place-trends.ts'

const buyersAt = (counts: Record<string, number>): Map<string, number[]> => {
  let next = 0
  return new Map(
    Object.entries(counts).map(([place, count]) => [place, Array.from({ length: count }, () => next++)]),
  )
}

test('a place lists its popular items first and hides none of the others', () => {
  const everywhere = Float64Array.of(1_000, 800, 600, 0)
  const trends = trendsOf(everywhere, buyersAt({ samarqand: 20 }), () => Float64Array.of(0, 0, 600, 0))
  const weights = trends.weights.values
  deepEqual([...rowOf(trends.weights, 0)], [0, 1, 2])
  ok(weights[2]! > weights[0]! && weights[0]! > weights[1]!)
})

test('a place with little data changes the order little', () => {
  const everywhere = Float64Array.of(1_000, 990, 10)
  const { values } = trendsOf(everywhere, buyersAt({ nurota: 10 }), () => Float64Array.of(0, 0, 5)).weights
  ok(values[0]! > values[1]! && values[1]! > values[2]!)
})

test('places with few buyers are left out, and the largest come first', () => {
  const at = buyersAt({ a: 9, b: 10, d: 12, c: 12 })
  const { places, weights } = trendsOf(Float64Array.of(1), at, () => Float64Array.of(1))
  deepEqual(places, ['c', 'd', 'b'])
  equal(weights.rows, 3)
})

test('a place has the same key in every script', () => {
  const same = [
    ['Нукус', 'Nukus', ' NUKUS '],
    ['Ташкент', 'Tashkent', 'Toshkent', 'Тошкент'],
    ['Самарқанд', 'Samarqand', 'Самарканд', 'Samarkand'],
    ['Фарғона', 'Farg‘ona', "Farg'ona", 'Фергана', 'Fergana'],
    ['Бухара', 'Buxoro', 'Bukhara', 'Бухоро'],
    ['Қўқон', 'Qo‘qon', 'Коканд', 'Kokand'],
  ]
  for (const names of same) equal(new Set(names.map(placeKey)).size, 1, names.map(placeKey).join(' '))
  equal(new Set(same.map(([name]) => placeKey(name!))).size, same.length)
  equal(placeKey('Constructor'), 'constructor')
  equal(placeKey('  Toshkent   SHAHRI '), placeKey('toshkent shahri'))
  equal(placeKey('Я'.repeat(500)).length, 100)
})

test('a device and an application have the same key in every letter case, and nothing stands for an empty value', () => {
  deepEqual(platformKeys({ device_os: ' iOS ', device_brand: 'APPLE', from_app: 'WebAndMobile' }), [
    'os=ios',
    'brand=apple',
    'app=webandmobile',
  ])
  deepEqual(platformKeys({ device_os: '', device_brand: '  ' }), [])
})

test('long names are clipped to text that can be stored', () => {
  // Half of a pair at the end of a stored name made trainings fail: PostgreSQL cannot read it from JSON.
  const long = `${'a'.repeat(99)}🛒`
  equal(placeKey(long), 'a'.repeat(99))
  deepEqual(platformKeys({ device_brand: long }), [`brand=${'a'.repeat(99)}`])
})
