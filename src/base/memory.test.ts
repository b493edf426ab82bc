import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import type { Event } from '../events.ts'
import { Memory, type MemoryKind } from './memory.ts'

interface Sheet {
  id: number
  partnerId: number
}

const sheets: MemoryKind<Sheet> = {
  max: 2,
  subjects: (it) => [`brand/${it.id}`, `partner/${it.partnerId}`],
  touches: (event) => (event.type === 'VariantCreated' ? [`brand/${event.productId}`] : []),
}
const brandChanged = (brandId: number): Event => ({ type: 'BrandChanged', brandId, slug: 'x' })

/** A memory with a loader that counts how often each key was loaded. */
function opened() {
  const memory = new Memory()
  const loads: number[][] = []
  const recall = (...keys: number[]) =>
    memory.recall(sheets, keys, async (missing) => {
      loads.push(missing)
      return new Map(missing.filter((it) => it < 100).map((id) => [id, { id, partnerId: 7 }]))
    })
  return { memory, loads, recall }
}

test('what was loaded is not loaded again', async () => {
  const { loads, recall } = opened()
  await recall(1, 2)
  deepEqual([...(await recall(2, 1)).keys()].toSorted(), [1, 2])
  deepEqual(loads, [[1, 2]])
})

test('what stands for nothing is left out, and asked for again', async () => {
  const { loads, recall } = opened()
  equal((await recall(100)).size, 0)
  await recall(100)
  deepEqual(loads, [[100], [100]])
})

test('a fact makes forgotten what it is about, and nothing else', async () => {
  const { memory, loads, recall } = opened()
  await recall(1, 2)
  memory.hear(brandChanged(1))
  await recall(1, 2)
  deepEqual(loads, [[1, 2], [1]])
})

test('a fact about what stands behind many makes all of them forgotten', async () => {
  const { memory, loads, recall } = opened()
  await recall(1, 2)
  memory.hear({ type: 'PartnerChanged', partnerId: 7, slug: 'x' })
  await recall(1, 2)
  equal(loads.length, 2)
})

test('a fact may touch more than its own subject', async () => {
  const { memory, loads, recall } = opened()
  await recall(1)
  memory.hear({ type: 'VariantCreated', variantId: 5, productId: 1 })
  await recall(1)
  equal(loads.length, 2)
})

test('the longest unused goes first', async () => {
  const { loads, recall } = opened()
  await recall(1)
  await recall(2)
  await recall(1)
  await recall(3)
  await recall(1)
  await recall(2)
  deepEqual(loads, [[1], [2], [3], [2]])
})

test('what was read before a fact arrived is not remembered after it', async () => {
  const memory = new Memory()
  let release = () => {}
  const held = new Promise<void>((done) => (release = done))
  const slow = memory.recall(sheets, [1], async () => {
    await held
    return new Map([[1, { id: 1, partnerId: 7 }]])
  })
  memory.hear(brandChanged(1))
  release()
  await slow
  let loadedAgain = false
  await memory.recall(sheets, [1], async () => {
    loadedAgain = true
    return new Map()
  })
  equal(loadedAgain, true)
})
