import { deepEqual } from 'node:assert/strict'
import { test } from 'node:test'
import { freshDatabase } from '../../../test/support/database.ts'
import { systemClock } from '../../base/clock.ts'
import { Database } from '../../base/database.ts'
import { addCategories } from './edit-categories.ts'

const records = Array.from({ length: 40 }, (_, at) => ({
  id: at + 1,
  parentId: null,
  slug: `category-${at + 1}`,
  name: { ru: `Категория ${at + 1}` },
  description: {},
  imageUrl: null,
}))

test('concurrent loads of an empty shop add every category once', async () => {
  for (let round = 0; round < 12; round++) {
    const db = new Database({
      connection: await freshDatabase(),
      environment: 'live',
      clock: systemClock(),
      poolSize: 4,
    })
    try {
      const loads = Array.from({ length: 4 }, () =>
        db.transaction(async (tx) => (await addCategories(tx, records)).length),
      )
      deepEqual(
        (await Promise.all(loads)).toSorted((a, b) => a - b),
        [0, 0, 0, records.length],
      )
    } finally {
      await db.close()
    }
  }
})
