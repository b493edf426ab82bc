// The product index catches up with changes that arrive while it reads.

import { ok } from 'node:assert/strict'
import { test } from 'node:test'
import { openPlatform } from '../../../test/support/shop.ts'
import { openStock } from '../../../test/support/stock.ts'
import { silentLog } from '../../base/log.ts'
import { Synonyms, type TextStore } from '../../search/index.ts'
import { moveStock } from '../stock/move-stock.ts'
import { ProductIndexSync } from './product-index-sync.ts'

const shop = await openPlatform()
const stock = await openStock(shop)

/** A store of texts whose first writes wait until the test ends them: their rows are read and not yet in the index. */
function openSlowTexts(slowWrites: number) {
  const writes = Array.from({ length: slowWrites }, () => ({
    begun: Promise.withResolvers<void>(),
    ended: Promise.withResolvers<void>(),
  }))
  let count = 0
  const texts: TextStore = {
    words: async () => [],
    rows: async () => new Map(),
    write: async () => {
      const slow = writes[count++]
      slow?.begun.resolve()
      await slow?.ended.promise
    },
    remove: async () => {},
    beginLoad: async () => {},
    endLoad: async () => {},
    close: async () => {},
  }
  return { texts, writes }
}

test(
  'a refill while a sale during the first load is read reaches the index',
  { timeout: 60_000 },
  async () => {
    const productId = await stock.product(7)
    const offerId = await stock.offer({ id: 70, productId, quantity: 4 })
    const { texts, writes } = openSlowTexts(2)
    const [ofLoad, ofSale] = writes
    const { test: environment } = shop.app.shops
    const sync = new ProductIndexSync(environment, {
      log: silentLog(),
      curated: Synonyms.curated(),
      store: texts,
    })
    const move = (change: number) =>
      environment.db.transaction((tx) =>
        moveStock(tx, [{ kind: 'offer', offerId, change }], { cause: 'adjusted', reference: null }),
      )

    const loaded = sync.load()
    await ofLoad!.begun.promise
    await move(-4)
    ofLoad!.ended.resolve()
    await loaded
    await ofSale!.begun.promise
    await move(4)
    ofSale!.ended.resolve()
    const index = await sync.fresh()
    const buyable = index.buyableOffers({ region: 'home', categoryId: null, withModerated: false })
    ok(buyable.has(buyable.slotOf(productId)))
  },
)
