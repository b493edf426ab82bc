import { deepEqual, equal, ok } from 'node:assert/strict'
import { after, test } from 'node:test'
import { freshDatabase } from '../support/database.ts'
import { openLockCheck, scenarioNames } from './lock-check.ts'
import { lockTable, rowsFor } from './lock-table.ts'
import { locksIn, locksInSource, without } from './locks.ts'
import { type History, legalOrder, type State } from './model.ts'

const locks = locksInSource()

test('the table knows every lock of the code base, and every row is about one lock', () => {
  deepEqual(
    locks.filter((it) => rowsFor(it.id).length !== 1).map((it) => it.id),
    [],
    'add a row to test/simulation/lock-table.ts',
  )
  deepEqual(
    lockTable.filter((it) => locks.filter(({ id }) => rowsFor(id).includes(it)).length !== 1),
    [],
    'these rows are about no lock, or about several',
  )
  const shown = lockTable.flatMap(({ verdict }) => ('shownBy' in verdict ? [verdict.shownBy] : []))
  deepEqual(
    shown.filter((it) => !scenarioNames.includes(it)),
    [],
  )
})

test('locks are found in all kinds of SQL texts, and not in prose', () => {
  const source = `
    // a comment that says for update
    const plain = 'select 1 from a for update'
    const built = \`select \${columns.map((it) => \`x.\${it}\`)} from b where id = $1
      order by id for no key update of b skip locked\`
    const table = \`lock table \${name} in share row exclusive mode\`
    const text = 'Wait for update of the page'
    const advisory = 'select pg_advisory_xact_lock(7)'`
  deepEqual(
    locksIn('x.ts', source).map((it) => it.id),
    [
      'x.ts: from a for update',
      'x.ts: from b where id = $1 order by id for no key update of b skip locked',
      'x.ts: lock table … in share row exclusive mode',
      'x.ts: select pg_advisory_xact_lock(7)',
    ],
  )
})

test('one lock is removed and the others stay', () => {
  const found = locksIn(
    'x.ts',
    `[\`select \${a} from t where id = $1 for update\`, 'select 1 from t where id = $1 for update']`,
  )
  const [built, plain] = found
  const sqlOf = {
    built: 'select x from t where id = $1 for update',
    plain: 'select 1 from t where id = $1 for update',
  }
  equal(without(built!, found)(sqlOf.built), 'select x from t where id = $1 ')
  equal(without(built!, found)(sqlOf.plain), sqlOf.plain)
  equal(without(plain!, found)(sqlOf.built), sqlOf.built)
})

const before: State = {
  stock: 3,
  sold: 0,
  isReserved: false,
  carts: { anna: 2, bek: 2, guest: 0 },
  listed: { anna: false, bek: false, guest: false },
  changed: [],
  mergedCarts: 0,
  mergedWishlists: 0,
}
const twoOrders: History = {
  before,
  operations: [
    { kind: 'order', buyer: 'anna' },
    { kind: 'order', buyer: 'bek' },
  ],
  replies: ['refused', { units: 2 }],
  after: { ...before, stock: 1, sold: 2, carts: { anna: 2, bek: 0, guest: 0 } },
}

test('the model finds the order that explains a history', () => {
  deepEqual(legalOrder(twoOrders), [1, 0])
})

test('the model rejects a history that sells more than there is', () => {
  const oversold = {
    ...twoOrders,
    replies: [{ units: 2 }, { units: 2 }],
    after: { ...before, stock: -1, sold: 4, carts: { anna: 0, bek: 0, guest: 0 } },
  }
  equal(legalOrder(oversold), undefined)
})

test('the model rejects a final state that lost acknowledged units', () => {
  const adds: History = {
    before,
    operations: [
      { kind: 'add', buyer: 'guest', units: 1 },
      { kind: 'merge', client: 'anna', strategy: 'sum' },
    ],
    replies: [{ units: 1 }, { units: 2 }],
    after: { ...before, carts: { anna: 2, bek: 2, guest: 0 } },
  }
  equal(legalOrder(adds), undefined)
  deepEqual(legalOrder({ ...adds, after: { ...before, carts: { anna: 2, bek: 2, guest: 1 } } }), [1, 0])
})

const check = await openLockCheck(await freshDatabase())
after(() => check.close())

for (const theme of ['oneCart', 'merges', 'deletions', 'wishlists', 'sales', 'reservations'])
  test(`every history of two seeds has a legal order: ${theme}`, async () => {
    for (const seed of [1, 2]) equal(await check.run(theme, seed), undefined)
  })

for (const pair of [
  'keyRotatedAndRevoked',
  'leaseLost',
  'retriedTwice',
  'migratedTwice',
  'lastUseOfCoupon',
  'enqueuedTwice',
])
  test(`two transactions at once end as one after the other: ${pair}`, async () => {
    for (const seed of [1, 2, 3]) equal(await check.run(pair, seed), undefined)
  })

/** One cart history, one pair of transactions and one of processes; `npm run simulate -- --locks` tries all. */
for (const [part, scenario, seeds] of [
  ['session_id = $1', 'guestCart', 30],
  [`role = 'owner'`, 'ownersDemoteEachOther', 5],
  ['outbox_relay', 'relayedTwice', 5],
] as const)
  test(`a shop without the lock "${part}" is found by ${scenario}`, async () => {
    const lock = locks.find((it) => it.id.includes(part))!
    ok(await check.firstRed(lock, scenario, seeds))
  })
