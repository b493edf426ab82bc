// Actions of buyers on their carts. Only what the shop acknowledges is recorded as expected state.

import type { Buyer } from '../../../src/base/buyer.ts'
import type { Tx } from '../../../src/base/database.ts'
import { sha256 } from '../../../src/base/random.ts'
import { addItems } from '../../../src/cart/carts/add-items.ts'
import type { Cart, LineKey } from '../../../src/cart/carts/cart.ts'
import { changeLine, removeItem } from '../../../src/cart/carts/change-items.ts'
import { keyOf, paymentMethods } from '../../../src/cart/index.ts'
import { mergeCarts } from '../../../src/cart/merging/merge-carts.ts'
import { runOnce } from '../../../src/http/idempotency.ts'
import type { Order } from '../../../src/orders/order.ts'
import { placeOrders } from '../../../src/orders/placing/place-orders.ts'
import {
  buyers,
  type Held,
  moderatedIds,
  nameOf,
  offerIds,
  type InjectFault,
  survived,
  type World,
} from '../world.ts'
import type { Acknowledge, Action, Plan } from './action.ts'

export const someKey = ({ chance }: World): LineKey =>
  chance.percent(85)
    ? { isModerated: false, offerId: chance.pick(offerIds) }
    : { isModerated: true, offerId: chance.pick(moderatedIds) }

const heldIn = (cart: Cart | undefined): Held =>
  new Map((cart?.lines ?? []).map((it) => [keyOf(it), it.quantity]))

const serialize = (held: Held): string => JSON.stringify([...held].toSorted())

const recordCart = ({ expected }: World, buyer: Buyer, cart: Cart | undefined) =>
  void expected.carts.set(nameOf(buyer), heldIn(cart))

export const linesOf = ({ expected }: World, buyer: Buyer): LineKey[] =>
  [...(expected.carts.get(nameOf(buyer))?.keys() ?? [])].map((it) => ({
    isModerated: it[0] === 'm',
    offerId: Number(it.slice(1)),
  }))

export const add: Plan = (world, focus) => {
  const { chance, settings } = world
  const buyer = chance.pick(buyers)
  const key = focus?.key ?? someKey(world)
  const item = {
    ...key,
    quantity: 1 + chance.below(3),
    ...(chance.percent(50) && { loanConditionId: (key.offerId % 2) + 1 }),
  }
  return async (injectFault) => {
    const priced = await world.risky(injectFault, (tx) =>
      addItems(tx, { buyer, settings }, { items: [item] }),
    )
    return () => void (priced && recordCart(world, buyer, priced.cart))
  }
}

export const change: Plan = (world, focus) => {
  const { chance, settings } = world
  const buyer = focus?.buyer ?? chance.pick(buyers)
  const held = linesOf(world, buyer)
  const key = held.length > 0 && chance.percent(80) ? chance.pick(held) : someKey(world)
  const quantity = chance.below(6)
  return async (injectFault) => {
    const target = { key, ifMatch: undefined }
    const priced = await world.risky(injectFault, (tx) =>
      quantity === 0
        ? removeItem(tx, { buyer, settings }, target)
        : changeLine(tx, { buyer, settings }, { ...target, change: { quantity } }),
    )
    return () => void (priced && recordCart(world, buyer, priced.cart))
  }
}

/** I8: merging creates no units and is idempotent. */
export const merge: Action = async (world) => {
  const { chance, settings, expected } = world
  const guest = { kind: 'guest', sessionId: `session-${1 + chance.below(2)}` } as const
  const client = { kind: 'client', clientId: 1 + chance.below(4) } as const
  const strategy = chance.pick(['max', 'sum', 'guest', 'client'] as const)
  const [mine, theirs] = [expected.carts.get(nameOf(guest)), expected.carts.get(nameOf(client))]
  const merged = (tx: Tx) => mergeCarts(tx, settings, { guest, client, strategy })
  const done = await world.risky(world.fate(), merged)
  if (!done) return
  const after = heldIn(done.priced.cart)
  for (const [key, units] of after) {
    const most = (mine?.get(key) ?? 0) + (theirs?.get(key) ?? 0)
    if (units > most) throw new Error(`I8: merging turned ${most} units of ${key} into ${units}`)
  }
  const again = heldIn((await world.db.transaction(merged)).priced.cart)
  if (serialize(again) !== serialize(after))
    throw new Error(
      `I8: ${nameOf(client)} held ${serialize(after)} after the first merge and ${serialize(again)} after the second`,
    )
  recordCart(world, client, done.priced.cart)
  expected.carts.set(nameOf(guest), new Map())
}

/** Usually a buyer with a filled cart. */
export const someBuyer = (world: World): Buyer => {
  const full = buyers.filter((it) => linesOf(world, it).length > 0)
  return full.length > 0 && world.chance.percent(90) ? world.chance.pick(full) : world.chance.pick(buyers)
}

interface Call {
  buyer: Buyer
  key: string
  methodId: number
  chosen: LineKey[]
}

export const order: Plan = (world, focus) => {
  const { chance, expected } = world
  const buyer = focus?.buyer ?? someBuyer(world)
  const held = linesOf(world, buyer)
  const chosen = held.length > 1 && chance.percent(40) ? held.filter(() => chance.percent(50)) : []
  const methodId = chance.pick([1, 1, 1, 2, 2, 3, 3, 4])
  // Two clicks at once send the same key; a click after a reply sends a new one.
  const key = `key-${expected.replies.size}-${nameOf(buyer)}-${chance.below(2)}`
  return (injectFault) => ordered(world, { buyer, key, methodId, chosen }, injectFault)
}

/** Repeats an order call, like a client that did not receive the reply. */
export const orderAgain: Action = async (world) => {
  const { chance, expected } = world
  if (expected.replies.size === 0) return
  const [key, first] = chance.pick([...expected.replies])
  if (world.now() - first.at > 23 * 3_600_000) return
  const acknowledge = await ordered(world, { ...first, key, chosen: [] }, world.fate())
  acknowledge()
}

async function ordered(world: World, call: Call, injectFault: InjectFault): Promise<Acknowledge> {
  const { db, settings } = world
  const { buyer, key, methodId, chosen } = call
  const method = paymentMethods.find((it) => it.id === methodId)!
  let made: Order[] = []
  const run = async (whole: Tx) => {
    const tx = injectFault(whole)
    const before = await promotionsNow(whole)
    const delivery = { address: null, text: 'Toshkent', choices: [] }
    const checkout = { method, delivery, contact: null, ...(chosen.length > 0 && { chosen }) }
    const { orders } = await placeOrders(tx, { buyer, settings }, checkout)
    made = orders
    await checkPrices(whole, orders, [before, await promotionsNow(whole)])
    const body = JSON.stringify(orders.map((it) => it.id))
    return {
      status: 201,
      headers: {},
      body,
      cookie: undefined,
      bodyWithoutSecrets: undefined,
      clientId: null,
    }
  }
  const claim = { principal: nameOf(buyer), key, fingerprint: sha256(key) }
  // An empty map: each call acts like a separate process and does not wait for a concurrent one in memory.
  const reply = await survived(runOnce(db, new Map(), { claim, write: { run } }))
  return () => void (reply && acknowledgeOrders(world, call, { ...reply, made }))
}

function acknowledgeOrders(
  { expected, now }: World,
  { buyer, key, methodId }: Call,
  { body, replayed, made }: { body: string; replayed: boolean; made: Order[] },
): void {
  const before = expected.replies.get(key)
  if (before && (!replayed || body !== before.body))
    throw new Error(`I4: the replies to ${key} differ: ${before.body}, then ${body}`)
  if (!replayed) {
    for (const it of made) expected.orders.set(it.id, buyer)
    const held = expected.carts.get(nameOf(buyer))
    checkHeld(held, made)
    for (const line of made.flatMap((it) => it.lines)) held!.delete(keyOf(line))
  }
  expected.replies.set(key, before ?? { buyer, body, at: now(), methodId })
}

/** I3: every ordered unit was in the cart and was not ordered before. */
function checkHeld(held: Held | undefined, orders: readonly Order[]): void {
  for (const line of orders.flatMap((it) => it.lines)) {
    const units = held?.get(keyOf(line)) ?? 0
    if (units !== line.quantity)
      throw new Error(`I3: ${line.quantity} of ${keyOf(line)} were ordered; the cart held ${units}`)
  }
}

/** All promotions as a transaction sees them. */
const promotionsNow = async (tx: Tx): Promise<string> =>
  (
    await tx.one<{ all: string }>(
      `select coalesce(json_agg(it), '[]')::text as all from catalog_promotions it`,
    )
  ).all

const lowered = (aboutIt: string) => `(select least(
    min(greatest(1, offer.price_tiyin * (100 - discount_percent) / 100)) filter (where discount_percent is not null), min(price_tiyin))
  from json_populate_recordset(null::catalog_promotions, $2)
  where starts_at <= $1 and (ends_at is null or ends_at > $1)
    and (offer.id = any(${aboutIt}) or offer.partner_id = any(partner_ids) or 1 = any(category_ids)))`

/** The prices of all offers in a transaction at its instant, given these promotions. */
async function pricesBy(tx: Tx, promotions: string): Promise<Map<string, number>> {
  const rows = await tx.all<{ key: string; price: number }>(
    `select 'o' || id as key, least(price_tiyin, ${lowered('offer_ids')}) as price from catalog_offers offer
     union all select 'm' || id, least(price_tiyin, ${lowered('moderated_offer_ids')}) from catalog_moderated_offers offer`,
    [tx.now, promotions],
  )
  return new Map(rows.map((it) => [it.key, it.price]))
}

/**
 * I2: lines sold together have the prices of one instant, as other transactions see them. A promotion that is planned or
 * ended concurrently applies to all lines or to none.
 */
async function checkPrices(tx: Tx, orders: readonly Order[], moments: [string, string]): Promise<void> {
  const lines = orders.flatMap((it) => it.lines)
  const prices = [await pricesBy(tx, moments[0]), await pricesBy(tx, moments[1])]
  if (prices.some((them) => lines.every((it) => them.get(keyOf(it)) === it.priceTiyin))) return
  const sold = lines.map((it) => {
    const [before, after] = prices.map((them) => them.get(keyOf(it)))
    return `${keyOf(it)} for ${it.priceTiyin} (before ${before}, after ${after})`
  })
  throw new Error(`I2: no single instant has these prices: ${sold.join('; ')}`)
}
