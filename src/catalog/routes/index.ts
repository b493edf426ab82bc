import type { Environment } from '../../base/db.ts'
import type { Route } from '../../http/route.ts'
import { seasonNow } from '../promotions/season-now.ts'
import { productInSeason } from '../promotions/sheets-in-season.ts'
import { promotionRoutes } from '../promotions/routes.ts'
import { productForm } from '../records.ts'
import type { ShelfKeeper } from '../shelf-keeper.ts'
import { loadProductSheets } from '../store/sheets.ts'
import { categoryRoutes } from './categories.ts'
import { exchangeRateRoutes } from './exchange-rates.ts'
import { writePaths } from './goods.ts'
import { moderationRoutes } from './moderation.ts'
import { goodsRoutes, productFacts } from './paths.ts'
import { productRoutes } from './products.ts'
import { stockRoutes } from './stock.ts'
import { productDetailReply, productDetailView } from './views.ts'

export const routesOver = (keepers: Record<Environment, ShelfKeeper>): Route[] => [
  ...categoryRoutes,
  ...productRoutes(keepers),
  ...productWrites,
  ...goodsRoutes,
  ...moderationRoutes,
  ...stockRoutes,
  ...exchangeRateRoutes,
  ...promotionRoutes,
]

/** Products are read from the shelf; only their writes are like those of other goods. */
const productWrites = writePaths({
  form: productForm,
  plural: { path: 'products', field: 'products' },
  singular: { field: 'product', words: 'a product' },
  reply: productDetailReply,
  show: async (read, goods, call) => {
    const [sheets, season] = await Promise.all([
      loadProductSheets(
        read,
        goods.map((it) => it.id),
      ),
      seasonNow(read),
    ])
    return goods.map((it) =>
      productDetailView(productInSeason({ ...sheets.get(it.id)!, ...it }, season), call),
    )
  },
  sorts: {},
  defaultSort: 'id',
  filters: {},
  facts: productFacts,
})
