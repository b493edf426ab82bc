import { deepEqual, throws } from 'node:assert/strict'
import { test } from 'node:test'
import type { Buyer } from '../../base/buyer.ts'
import type { Actor, Principal } from '../../http/route.ts'
import { buyerOf, mergingBuyers, type Named, namedByCustomerId, refuseOtherRequester } from './buyer.ts'

const principal = (actor: Actor, type: 'web' | 'mobile' | 'server' | null): Principal => ({
  id: 'key_1',
  environment: 'test',
  actor,
  application: type && { id: 'app_test_1', type },
  scopes: new Set(),
  rate: undefined,
})

const client7: Actor = { kind: 'client', clientId: 7 }
// oxfmt-ignore
const credentials = {
  'a session of client 7':             principal(client7, null),
  'a web user token of client 7':      principal(client7, 'web'),
  'a mobile user token of client 7':   principal(client7, 'mobile'),
  'a server user token of client 7':   principal(client7, 'server'),
  'a key of a server application':     principal({ kind: 'application' }, 'server'),
  'a key of a web application':        principal({ kind: 'application' }, 'web'),
  'a key of a mobile application':     principal({ kind: 'application' }, 'mobile'),
  'a member of the staff':             principal({ kind: 'member', memberId: 'm', role: 'operator' }, null),
}

const guestId = 'guest-of-the-shop'
const requests = {
  absent: {},
  'client 7': { clientId: 7 },
  'client 8': { clientId: 8 },
  'a guest': { sessionId: guestId },
  'client 7 and a guest': { clientId: 7, sessionId: guestId },
} satisfies Record<string, Named>

const seven: Buyer = { kind: 'client', clientId: 7 }
const eight: Buyer = { kind: 'client', clientId: 8 }
const guest: Buyer = { kind: 'guest', sessionId: guestId }
const absent = 'buyer_required'
const wrong = 'buyer_mismatch'

// oxfmt-ignore
const matrix: Record<keyof typeof credentials, [Buyer | string, Buyer | string, Buyer | string, Buyer | string, Buyer | string]> = {
  //                                   absent  client 7 client 8 a guest client 7 and a guest
  'a session of client 7':            [seven,  seven,   wrong,   wrong,  wrong],
  'a web user token of client 7':     [seven,  seven,   wrong,   wrong,  wrong],
  'a mobile user token of client 7':  [seven,  seven,   wrong,   wrong,  wrong],
  'a server user token of client 7':  [seven,  seven,   wrong,   wrong,  wrong],
  'a key of a server application':    [absent, seven,   eight,   guest,  absent],
  'a key of a web application':       [absent, wrong,   wrong,   guest,  absent],
  'a key of a mobile application':    [absent, wrong,   wrong,   guest,  absent],
  'a member of the staff':            [absent, seven,   eight,   guest,  absent],
}

for (const [credential, row] of Object.entries(matrix))
  Object.entries(requests).forEach(([request, named], at) => {
    const expected = row[at]!
    const by = credentials[credential as keyof typeof credentials]
    if (typeof expected === 'string')
      test(`${credential} that names ${request} is refused: ${expected}`, () =>
        throws(() => buyerOf(by, named), { code: expected }))
    else
      test(`${credential} that names ${request} buys as ${JSON.stringify(expected)}`, () =>
        deepEqual(buyerOf(by, named), expected))
  })

const both = { guest, client: seven }
// oxfmt-ignore
const merges: Record<keyof typeof credentials, [object | string, object | string, object | string, object | string, object | string]> = {
  //                                   absent  client 7 client 8 a guest client 7 and a guest
  'a session of client 7':            [absent, absent,  absent,  both,   both],
  'a web user token of client 7':     [absent, absent,  absent,  both,   both],
  'a mobile user token of client 7':  [absent, absent,  absent,  both,   both],
  'a server user token of client 7':  [absent, absent,  absent,  both,   both],
  'a key of a server application':    [absent, absent,  absent,  absent, both],
  'a key of a web application':       [absent, absent,  absent,  absent, wrong],
  'a key of a mobile application':    [absent, absent,  absent,  absent, wrong],
  'a member of the staff':            [absent, absent,  absent,  absent, both],
}

for (const [credential, row] of Object.entries(merges))
  Object.entries(requests).forEach(([request, named], at) => {
    const expected = row[at]!
    const by = credentials[credential as keyof typeof credentials]
    if (typeof expected === 'string')
      test(`${credential} cannot merge for ${request}: ${expected}`, () =>
        throws(() => mergingBuyers(by, named), { code: expected }))
    else test(`${credential} merges for ${request}`, () => deepEqual(mergingBuyers(by, named), expected))
  })

test('the refusal of a merge that names one of two buyers has the missing field', () => {
  const key = credentials['a key of a server application']
  const session = credentials['a session of client 7']
  const missing = (...accepted: string[]) => ({ details: { reason: 'merge', accepted } })
  throws(() => mergingBuyers(key, { sessionId: guestId }), missing('ClientId'))
  throws(() => mergingBuyers(key, { clientId: 7 }), missing('SessionId'))
  throws(() => mergingBuyers(key, {}), missing('SessionId', 'ClientId'))
  throws(() => mergingBuyers(session, {}), missing('SessionId'))
})

test('a client cannot merge into the cart of another client', () =>
  throws(() => mergingBuyers(credentials['a session of client 7'], { clientId: 8, sessionId: guestId }), {
    code: 'buyer_mismatch',
  }))

test('a customer_id of digits is a client id, any other a session id', () => {
  deepEqual(namedByCustomerId('7'), { clientId: 7 })
  deepEqual(namedByCustomerId('9007199254740991'), { clientId: 9007199254740991 })
  deepEqual(namedByCustomerId(guestId), { sessionId: guestId })
  deepEqual(namedByCustomerId('7-visitors'), { sessionId: '7-visitors' })
})

test('rejects a customer_id that is neither', () => {
  for (const bad of [
    '',
    '0',
    '007',
    '9007199254740993',
    'short',
    'with a blank',
    'я-покупатель',
    'x'.repeat(129),
  ])
    throws(() => namedByCustomerId(bad), { code: 'validation_failed' }, bad)
})

test('RequesterId must be the buyer', () => {
  for (const own of [7, '7', undefined]) refuseOtherRequester(seven, own)
  refuseOtherRequester(guest, guestId)
  for (const [buyer, other] of [
    [seven, 8],
    [seven, guestId],
    [guest, 7],
    [guest, 'another-guest'],
  ] as const)
    throws(() => refuseOtherRequester(buyer, other), { code: 'buyer_mismatch' })
})
