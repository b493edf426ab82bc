import { equal } from 'node:assert/strict'
import { test } from 'node:test'
import { type AnsweredWrite, clientOf } from './reply-client.ts'

const nothing: AnsweredWrite = { principal: null, params: {}, query: {}, body: undefined, data: null }
const client = { actor: { kind: 'client', clientId: 7 } } as AnsweredWrite['principal']

test('finds the client in the reply, the request, the path or the session, in this order', () => {
  const cases: [Partial<AnsweredWrite>, number | null][] = [
    [{}, null],
    [{ principal: client }, 7],
    [{ principal: client, params: { client_id: 8 } }, 8],
    [{ params: { client_id: 8 }, body: { into: 9 }, data: { client: { id: '9' } } }, 9],
    [{ body: { ClientId: 5 }, data: { OrderIds: [1] } }, 5],
    [{ query: { ClientId: 5 } }, 5],
    [{ body: { customer_id: '12' } }, 12],
    [{ data: { order: { id: '3', customer_id: '4' } } }, 4],
    [{ data: { client_id: '6' } }, 6],
    [{ body: { RequesterId: '11' } }, 11],
    [{ body: { customer_id: 'gs_test_0123456789' } }, null],
    [{ data: { application: { client_id: 'app_test_1' } }, params: { client_id: 'app_test_1' } }, null],
    [{ data: { order: { customer_id: null } }, principal: client }, 7],
  ]
  for (const [given, found] of cases) equal(clientOf({ ...nothing, ...given }), found, JSON.stringify(given))
})
