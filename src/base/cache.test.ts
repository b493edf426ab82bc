import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import type { Event } from '../events.ts'
import { collectGarbage } from './collect-garbage.ts'
import { Cache, type CacheKind } from './cache.ts'

interface Entry {
  id: number
  partnerId: number
}

const entries: CacheKind<Entry> = {
  max: 2,
  subjects: (it) => [`brand/${it.id}`, `partner/${it.partnerId}`],
  alsoAffects: (event) => (event.type === 'VariantCreated' ? [`brand/${event.productId}`] : []),
}
const brandChanged = (brandId: number): Event => ({ type: 'BrandChanged', brandId, slug: 'x' })

/** A cache with a loader that records which keys it loaded. */
function opened() {
  const cache = new Cache()
  const loads: number[][] = []
  const get = (...keys: number[]) =>
    cache.getOrLoad(entries, keys, async (missing) => {
      loads.push(missing)
      return new Map(missing.filter((it) => it < 100).map((id) => [id, { id, partnerId: 7 }]))
    })
  return { cache, loads, get }
}

test('a cached key is not loaded again', async () => {
  const { loads, get } = opened()
  await get(1, 2)
  deepEqual([...(await get(2, 1)).keys()].toSorted(), [1, 2])
  deepEqual(loads, [[1, 2]])
})

test('a key without a value is left out and is loaded again at the next call', async () => {
  const { loads, get } = opened()
  equal((await get(100)).size, 0)
  await get(100)
  deepEqual(loads, [[100], [100]])
})

test('an event invalidates the entries of its subject and no others', async () => {
  const { cache, loads, get } = opened()
  await get(1, 2)
  cache.invalidate(brandChanged(1))
  await get(1, 2)
  deepEqual(loads, [[1, 2], [1]])
})

test('an event about a shared subject invalidates every entry that depends on it', async () => {
  const { cache, loads, get } = opened()
  await get(1, 2)
  cache.invalidate({ type: 'PartnerChanged', partnerId: 7, slug: 'x' })
  await get(1, 2)
  equal(loads.length, 2)
})

test('an event may invalidate more than its own subject', async () => {
  const { cache, loads, get } = opened()
  await get(1)
  cache.invalidate({ type: 'VariantCreated', variantId: 5, productId: 1 })
  await get(1)
  equal(loads.length, 2)
})

test('the least recently used entry is evicted first', async () => {
  const { loads, get } = opened()
  await get(1)
  await get(2)
  await get(1)
  await get(3)
  await get(1)
  await get(2)
  deepEqual(loads, [[1], [2], [3], [2]])
})

test('a value that was read before an event arrived is not cached after it', async () => {
  const cache = new Cache()
  let release = () => {}
  const held = new Promise<void>((done) => (release = done))
  const slow = cache.getOrLoad(entries, [1], async () => {
    await held
    return new Map([[1, { id: 1, partnerId: 7 }]])
  })
  cache.invalidate(brandChanged(1))
  release()
  await slow
  let loadedAgain = false
  await cache.getOrLoad(entries, [1], async () => {
    loadedAgain = true
    return new Map()
  })
  equal(loadedAgain, true)
})

/** Numbers that invalidate nothing. */
const numbers = (max: number): CacheKind<number> => ({ max, subjects: () => [] })

test('entries that are read again stay, whatever else passes through the cache', async () => {
  const cache = new Cache()
  const kind = numbers(10)
  const loads: number[] = []
  const get = (...keys: number[]) =>
    cache.getOrLoad(kind, keys, async (missing) => {
      loads.push(...missing)
      return new Map(missing.map((it) => [it, it]))
    })
  const again = [1, 2, 3, 4]
  for (let other = 100; other < 1_000; other += 2) {
    await get(...again)
    await get(other)
    await get(other + 1)
    // What was loaded last is not evicted first.
    await get(other)
  }
  deepEqual(
    again.map((key) => loads.filter((it) => it === key).length),
    [1, 1, 1, 1],
  )
  equal(loads.length, again.length + 900)
})

test('what was invalidated is not held', async () => {
  const cache = new Cache()
  const kind: CacheKind<object> = { max: 1_000, subjects: () => ['brand/1'] }
  const put = (key: number, value: object) =>
    cache.getOrLoad(kind, [key], async () => new Map([[key, value]]))
  const first = await (async () => {
    const value = {}
    await put(0, value)
    return new WeakRef(value)
  })()
  for (let key = 1; key < 500; key++) await put(key, {})
  cache.invalidate(brandChanged(1))
  // A reference that was made or read in this turn is kept until its end.
  await new Promise((done) => setImmediate(done))
  collectGarbage()
  equal(first.deref(), undefined)
})
