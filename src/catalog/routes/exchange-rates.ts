// What other currencies cost, for those who run the shop.

import { Type } from 'typebox'
import { refuse } from '../../base/refusal.ts'
import { del, get, put, type Route } from '../../http/route.ts'
import { instant, integer, list, strict, text } from '../../http/schema.ts'
import { deleteExchangeRate } from '../delete-exchange-rate.ts'
import type { ExchangeRate } from '../exchange-rate.ts'
import { setExchangeRate } from '../set-exchange-rate.ts'
import { listRates } from '../store/rates.ts'

const currency = text({ max: 3, pattern: '^[A-Z]{3}$', examples: ['USD'] })
export const tiyin = integer(1, 10 ** 12, { description: 'What one unit of the currency costs, in tiyin.' })
const rate = Type.Object({ currency, tiyin, created_at: instant, updated_at: instant })
const view = (it: ExchangeRate) => ({
  currency: it.currency,
  tiyin: it.tiyin,
  created_at: it.createdAt.toISOString(),
  updated_at: it.updatedAt.toISOString(),
})
const one = Type.Object({ exchange_rate: rate })

export const exchangeRateRoutes: Route[] = [
  get('/v1/admin/exchange-rates', {
    summary: 'List exchange rates',
    scope: 'admin:read',
    reply: Type.Object({ exchange_rates: list(rate) }),
    run: async ({ read }) => ({ data: { exchange_rates: (await listRates(read)).map(view) } }),
  }),
  get('/v1/admin/exchange-rates/{currency}', {
    summary: 'Get an exchange rate',
    scope: 'admin:read',
    params: { currency },
    reply: one,
    run: async ({ read, params }) => {
      const found = (await listRates(read)).find((it) => it.currency === params.currency)
      if (!found) throw refuse('not_found')
      return { data: { exchange_rate: view(found) }, version: found.version }
    },
  }),
  put('/v1/admin/exchange-rates/{currency}', {
    summary: 'Set what a currency costs',
    scope: 'admin:write',
    params: { currency },
    body: strict({ tiyin }),
    reply: one,
    versioned: true,
    run: async ({ tx, params, body, ifMatch }) => {
      const { rate: it, isNew } = await setExchangeRate(tx, { ...params, tiyin: body.tiyin, ifMatch })
      return { data: { exchange_rate: view(it) }, version: it.version, created: isNew }
    },
  }),
  del('/v1/admin/exchange-rates/{currency}', {
    summary: 'No longer show prices in a currency',
    scope: 'admin:write',
    params: { currency },
    reply: one,
    versioned: true,
    run: async ({ tx, params, ifMatch }) => ({
      data: { exchange_rate: view(await deleteExchangeRate(tx, params.currency, ifMatch)) },
    }),
  }),
]
