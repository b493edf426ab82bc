// What an occasion has to tell, as variables for templates. A telling that finds nothing to say for a client says that
// his occasion is over: the cart was ordered, the wish withdrawn, the goods sold out.

import type { Reader } from '../../base/db.ts'
import { timesTiyin } from '../../base/money.ts'
import * as cart from '../../cart/index.ts'
import { type OfferSheet, runningPromotions } from '../../catalog/index.ts'
import { findOrder } from '../../orders/index.ts'
import type { Item, Variables } from '../templates/variables.ts'
import type { Clause } from './conditions.ts'
import { cartOccasion, type Found, orderOccasion, wishOccasion, type When } from './cues.ts'

/** What tellings need of the shop around them. */
export interface Surroundings {
  terms: cart.Terms
  /** Where buyers find the shop; its carts and goods are below it. */
  shopUrl: string
}

/** What there is to tell, by client and occasion; whoever is missing has nothing to be told. */
export type Told = Map<string, Variables>

export type TellingName = 'cart' | 'cheaper wishes' | 'wishes in stock' | 'order' | 'promotion'

interface Telling {
  /** The variables that it fills. */
  names: readonly string[]
  tell(read: Reader, surroundings: Surroundings, asked: Asked): Promise<Told>
}

interface Asked {
  targets: readonly Found[]
  when: When
  audience: readonly Clause[]
}

export const nameOf = ({ clientId, occasion }: Found): string => `${clientId} ${occasion}`

const offerNames = [
  'offer.name',
  'offer.price',
  'offer.old_price',
  'offer.url',
  'offer.image',
  'offers.lines',
]

export const tellings: Record<TellingName, Telling> = {
  cart: { names: ['cart.total', 'cart.url', 'cart.lines'], tell: tellCarts },
  'cheaper wishes': {
    names: offerNames,
    tell: (read, surroundings, asked) =>
      tellWishes(read, surroundings, { ...asked, turn: { kind: 'cheaper', percent: percentOf(asked) } }),
  },
  'wishes in stock': {
    names: offerNames,
    tell: (read, surroundings, asked) => tellWishes(read, surroundings, { ...asked, turn: { kind: 'back' } }),
  },
  order: {
    names: ['order.id', 'order.total', 'order.address', 'order.lines'],
    tell: tellOrders,
  },
  promotion: { names: ['promotion.title', 'promotion.url'], tell: tellPromotions },
}

/** By how much a wish must be cheaper to be told of, as the cue or else the audience says. */
const percentOf = ({ when, audience }: Asked): number =>
  (when.wish_cheaper ?? audience.find((it) => it.wish_cheaper)!.wish_cheaper!).percent

/** Asks for all at once: the questions travel together, so that a batch waits once and not for each. */
async function eachTold(
  targets: readonly Found[],
  tell: (target: Found) => Promise<Variables | undefined>,
): Promise<Told> {
  const told = await Promise.all(targets.map(async (it) => [nameOf(it), await tell(it)] as const))
  return new Map(told.flatMap(([name, variables]) => (variables ? [[name, variables]] : [])))
}

function tellCarts(read: Reader, { terms, shopUrl }: Surroundings, { targets }: Asked): Promise<Told> {
  return eachTold(targets, async (target) => {
    const buyer = { kind: 'client', clientId: target.clientId } as const
    const basket = await cart.shownBasket(read, { buyer, terms })
    const lines = basket.purchase.entries.flatMap((entry) => lineOf(entry, shopUrl))
    if (!isLeftAsItWas(basket.cart, target) || lines.length === 0) return undefined
    const total = lines.reduce((sum, it) => sum + it.amount, 0)
    return { cart: { total, url: `${shopUrl}/cart`, lines } }
  })
}

/** Where the occasion is a cart, it must be the same cart, unchanged. */
const isLeftAsItWas = (it: cart.Basket['cart'], { occasion }: Found): boolean =>
  it !== undefined &&
  (!occasion.startsWith('cart/') || occasion === cartOccasion({ cartId: it.id, changedAt: it.updatedAt }))

function lineOf({ line, offer, availableUnits }: cart.Entry, shopUrl: string) {
  if (!cart.isForSale(offer) || availableUnits === 0) return []
  const amount = timesTiyin(offer.priceTiyin, line.quantity)
  return [{ ...shown(offer, shopUrl), quantity: line.quantity, price: offer.priceTiyin, amount }]
}

const shown = ({ name, path, images }: OfferSheet, shopUrl: string) => ({
  name,
  url: new URL(path, shopUrl).href,
  image: images[0] ? new URL(images[0].mdPath, shopUrl).href : null,
})

async function tellWishes(
  read: Reader,
  { shopUrl }: Surroundings,
  { targets, turn }: Asked & { turn: cart.Turn },
): Promise<Told> {
  const clients = [...new Set(targets.map((it) => it.clientId))]
  const wishes = Map.groupBy(await cart.wishesComeTrue(read, clients, turn), (it) => it.clientId)
  const told: Told = new Map()
  for (const target of targets) {
    const all = wishes.get(target.clientId) ?? []
    const first = target.occasion.startsWith('wish/')
      ? all.find((it) => wishOccasion(it) === target.occasion)
      : all[0]
    if (first) told.set(nameOf(target), wishVariables([first, ...all.filter((it) => it !== first)], shopUrl))
  }
  return told
}

function wishVariables(wishes: readonly cart.TrueWish[], shopUrl: string): Variables {
  const [first] = wishes
  const { offer, priceAtAddTiyin } = first!
  return {
    offer: { ...shown(offer, shopUrl), price: offer.priceTiyin, old_price: priceAtAddTiyin },
    offers: {
      lines: wishes.map((it): Item => ({
        ...shown(it.offer, shopUrl),
        quantity: 1,
        price: it.offer.priceTiyin,
        amount: it.offer.priceTiyin,
      })),
    },
  }
}

function tellOrders(read: Reader, _surroundings: Surroundings, { targets }: Asked): Promise<Told> {
  return eachTold(targets, async ({ occasion }) => {
    const order = await findOrder(read, Number(occasion.slice(orderOccasion('').length)))
    if (!order) return undefined
    const lines = order.lines.map(({ name, quantity, priceTiyin }) => ({
      name,
      quantity,
      price: priceTiyin,
      amount: timesTiyin(priceTiyin, quantity),
    }))
    const { id, amountTiyin: total, address } = order
    return { order: { id: String(id), total, address, lines } }
  })
}

/** Nobody is told of a promotion that has ended meanwhile. */
async function tellPromotions(read: Reader, { shopUrl }: Surroundings, { targets }: Asked): Promise<Told> {
  const running = new Map((await runningPromotions(read)).map((it) => [it.id, it]))
  return new Map(
    targets.flatMap((target): [string, Variables][] => {
      const promotion = running.get(Number(target.occasion.split('/')[1]))
      if (!promotion) return []
      const title = { ru: promotion.title, uz: promotion.titleUz }
      const url = new URL(`/promotions/${promotion.slug}`, shopUrl).href
      return [[nameOf(target), { promotion: { title, url } }]]
    }),
  )
}
