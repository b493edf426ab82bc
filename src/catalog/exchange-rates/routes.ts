// Exchange rates, for operators.

import { Type } from 'typebox'
import { refuse } from '../../base/refusal.ts'
import { del, get, put, type Route } from '../../http/route.ts'
import { instant, integer, list, strict, text, named } from '../../http/schema.ts'
import { deleteExchangeRate, setExchangeRate } from './exchange-rates.ts'
import { type ExchangeRate, listRates } from './store.ts'

const currency = text({ max: 3, pattern: '^[A-Z]{3}$', examples: ['USD'] })
export const tiyin = integer(1, 10 ** 12, { description: 'The price of one unit of the currency, in tiyin.' })
const rate = named('ExchangeRate', Type.Object({ currency, tiyin, created_at: instant, updated_at: instant }))
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
    summary: 'Set an exchange rate',
    scope: 'admin:write',
    params: { currency },
    body: strict({ tiyin }),
    reply: one,
    versioned: true,
    creates: 'sometimes',
    run: async ({ tx, params, body, ifMatch }) => {
      const { rate: it, isNew } = await setExchangeRate(tx, { ...params, tiyin: body.tiyin, ifMatch })
      return { data: { exchange_rate: view(it) }, version: it.version, created: isNew }
    },
  }),
  del('/v1/admin/exchange-rates/{currency}', {
    summary: 'Delete an exchange rate',
    scope: 'admin:write',
    params: { currency },
    reply: one,
    versioned: true,
    run: async ({ tx, params, ifMatch }) => ({
      data: { exchange_rate: view(await deleteExchangeRate(tx, params.currency, ifMatch)) },
    }),
  }),
]
