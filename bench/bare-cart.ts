// The floor of the cart: a Fastify server without checks and rules that sends the same statements.

import Fastify from 'fastify'
import pg from 'pg'
import { addItem, viewCart } from './cart-statements.ts'

const pool = new pg.Pool({ host: process.argv[2]!, user: 'bozor', database: 'bozor', max: 10 })
const fastify = Fastify()
fastify.post('/add', (request) => {
  const { ClientId, OfferId } = request.body as { ClientId: number; OfferId: number }
  return addItem(pool, ClientId, OfferId)
})
fastify.get('/view', (request) => viewCart(pool, Number((request.query as { ClientId: string }).ClientId)))
console.log(await fastify.listen({ port: 0 }))
