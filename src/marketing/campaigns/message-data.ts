// Loads what an occasion adds to a message, as variables for templates. No data for a client means that the occasion is
// over: the cart was ordered, the wishlist item removed, the offer sold out.

import type { Reader } from '../../base/database.ts'
import { shownTiyin, timesTiyin } from '../../base/money.ts'
import * as cart from '../../cart/index.ts'
import { type OfferDetails, runningPromotions } from '../../catalog/index.ts'
import { findOrder } from '../../orders/index.ts'
import type { Item, Variables } from '../templates/variables.ts'
import { type Clause, parsedConditions, conditions } from './audience.ts'
import {
  cartOccasion,
  type MessageDataName,
  orderOccasion,
  type Target,
  targetKey,
  wishlistOccasion,
} from './occasion.ts'
import { type Trigger, triggerKind, triggers } from './triggers.ts'
import { filledAtSending } from '../templates/render.ts'
import { type Template, variablesOf } from '../templates/template.ts'
import type { Campaign, CampaignInput } from './campaign.ts'
import { templatesBySlug } from '../templates/store.ts'

export interface MessageSettings {
  settings: cart.CartSettings
  /** The public address of the shop. */
  shopUrl: string
}

/** Variables by target key; a target without an entry has no occasion any more. */
export type MessageData = Map<string, Variables>

interface MessageDataSource {
  /** The variables that it provides. */
  variables: readonly string[]
  load(read: Reader, settings: MessageSettings, request: DataRequest): Promise<MessageData>
}

interface DataRequest {
  targets: readonly Target[]
  trigger: Trigger
  audience: readonly Clause[]
}

const offerNames = [
  'offer.name',
  'offer.price',
  'offer.old_price',
  'offer.url',
  'offer.image',
  'offers.lines',
]

export const messageDataSources: Record<MessageDataName, MessageDataSource> = {
  cart: { variables: ['cart.total', 'cart.url', 'cart.lines'], load: loadCarts },
  'cheaper wishlist items': {
    variables: offerNames,
    load: (read, settings, request) =>
      loadWishlistItems(read, settings, {
        ...request,
        turn: { kind: 'cheaper', percent: percentOf(request) },
      }),
  },
  'available wishlist items': {
    variables: offerNames,
    load: (read, settings, request) =>
      loadWishlistItems(read, settings, { ...request, turn: { kind: 'back' } }),
  },
  order: {
    variables: ['order.id', 'order.total', 'order.address', 'order.lines'],
    load: loadOrders,
  },
  promotion: { variables: ['promotion.title', 'promotion.url'], load: loadPromotions },
}

/** The required price drop, of the trigger or else of the audience. */
const percentOf = ({ trigger, audience }: DataRequest): number =>
  (trigger.wishlist_cheaper ?? audience.find((it) => it.wishlist_cheaper)!.wishlist_cheaper!).percent

/** Loads all targets concurrently, so that the queries of a batch share round trips. */
async function loadEach(
  targets: readonly Target[],
  load: (target: Target) => Promise<Variables | undefined>,
): Promise<MessageData> {
  const loaded = await Promise.all(targets.map(async (it) => [targetKey(it), await load(it)] as const))
  return new Map(loaded.flatMap(([key, variables]) => (variables ? [[key, variables]] : [])))
}

function loadCarts(
  read: Reader,
  { settings, shopUrl }: MessageSettings,
  { targets }: DataRequest,
): Promise<MessageData> {
  return loadEach(targets, async (target) => {
    const buyer = { kind: 'client', clientId: target.clientId } as const
    const priced = await cart.viewCart(read, { buyer, settings })
    const lines = priced.lines.flatMap((entry) => lineOf(entry, shopUrl))
    if (!isUnchangedCart(priced.cart, target) || lines.length === 0) return undefined
    const total = shownTiyin(lines.reduce((sum, it) => sum + it.amount, 0))
    return { cart: { total, url: `${shopUrl}/cart`, lines } }
  })
}

/** An occasion that is a cart requires the same cart, unchanged. */
const isUnchangedCart = (it: cart.PricedCart['cart'], { occasion }: Target): boolean =>
  it !== undefined &&
  (!occasion.startsWith('cart/') || occasion === cartOccasion({ cartId: it.id, changedAt: it.updatedAt }))

function lineOf(it: cart.PricedLine, shopUrl: string) {
  if (!cart.isAvailable(it)) return []
  const { line, offer } = it
  const amount = shownTiyin(offer.priceTiyin * line.quantity)
  return [{ ...shown(offer, shopUrl), quantity: line.quantity, price: offer.priceTiyin, amount }]
}

const shown = ({ name, path, images }: OfferDetails, shopUrl: string) => ({
  name,
  url: new URL(path, shopUrl).href,
  image: images[0] ? new URL(images[0].mdPath, shopUrl).href : null,
})

async function loadWishlistItems(
  read: Reader,
  { shopUrl }: MessageSettings,
  { targets, turn }: DataRequest & { turn: cart.WishlistCondition },
): Promise<MessageData> {
  const clients = [...new Set(targets.map((it) => it.clientId))]
  const items = Map.groupBy(await cart.matchWishlists(read, clients, turn), (it) => it.clientId)
  const data: MessageData = new Map()
  for (const target of targets) {
    const all = items.get(target.clientId) ?? []
    const first = target.occasion.startsWith('wish/')
      ? all.find((it) => wishlistOccasion(it) === target.occasion)
      : all[0]
    if (first)
      data.set(targetKey(target), wishlistVariables([first, ...all.filter((it) => it !== first)], shopUrl))
  }
  return data
}

function wishlistVariables(items: readonly cart.WishlistMatch[], shopUrl: string): Variables {
  const [first] = items
  const { offer, priceAtAddTiyin } = first!
  return {
    offer: { ...shown(offer, shopUrl), price: offer.priceTiyin, old_price: priceAtAddTiyin },
    offers: {
      lines: items.map((it): Item => ({
        ...shown(it.offer, shopUrl),
        quantity: 1,
        price: it.offer.priceTiyin,
        amount: it.offer.priceTiyin,
      })),
    },
  }
}

function loadOrders(
  read: Reader,
  _settings: MessageSettings,
  { targets }: DataRequest,
): Promise<MessageData> {
  return loadEach(targets, async ({ occasion }) => {
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

/** A promotion that has ended meanwhile has no data. */
async function loadPromotions(
  read: Reader,
  { shopUrl }: MessageSettings,
  { targets }: DataRequest,
): Promise<MessageData> {
  const running = new Map((await runningPromotions(read)).map((it) => [it.id, it]))
  return new Map(
    targets.flatMap((target): [string, Variables][] => {
      const promotion = running.get(Number(target.occasion.split('/')[1]))
      if (!promotion) return []
      const title = { ru: promotion.title, uz: promotion.titleUz, en: promotion.titleEn }
      const url = new URL(`/promotions/${promotion.slug}`, shopUrl).href
      return [[targetKey(target), { promotion: { title, url } }]]
    }),
  )
}

/**
 * The variables of all targets. A missing target has no occasion any more: that of the trigger always, those of conditions
 * only when the template uses their variables.
 */
export async function loadMessageData(
  read: Reader,
  settings: MessageSettings,
  {
    campaign,
    template,
    targets,
  }: {
    campaign: Pick<Campaign, 'trigger' | 'audience' | 'variables'>
    template: Template
    targets: readonly Target[]
  },
): Promise<MessageData> {
  const used = variablesOf(template.texts)
  const { own, others } = sourcesOf(campaign)
  const needed = others.filter((it) => messageDataSources[it].variables.some((name) => used.includes(name)))
  const custom = { custom: campaign.variables }
  let data: MessageData = new Map(targets.map((it) => [targetKey(it), custom]))
  for (const name of new Set([...own, ...needed])) {
    const left = targets.filter((it) => data.has(targetKey(it)))
    const more = await messageDataSources[name].load(read, settings, { targets: left, ...campaign })
    data = new Map(
      [...more].map(([target, variables]): [string, Variables] => [
        target,
        { ...data.get(target), ...variables },
      ]),
    )
  }
  return data
}

/** Variables that a template uses and a campaign cannot provide. */
export function missingVariables(
  template: Template,
  campaign: Pick<CampaignInput, 'trigger' | 'audience' | 'variables'>,
): string[] {
  const { own, others } = sourcesOf(campaign)
  const filled = new Set([
    'client.name',
    ...[...filledAtSending].filter((it) => it !== 'password_reset.url'),
    ...Object.keys(campaign.variables).map((it) => `custom.${it}`),
    ...[...own, ...others].flatMap((it) => messageDataSources[it].variables),
  ])
  return variablesOf(template.texts).filter((it) => !filled.has(it))
}

function sourcesOf({ trigger, audience }: Pick<CampaignInput, 'trigger' | 'audience'>) {
  const own: MessageDataName[] = [triggers[triggerKind(trigger)].messageData].filter((it) => it !== undefined)
  const others = parsedConditions(audience)
    .filter((it) => !it.isNegated)
    .flatMap((it): MessageDataName[] => [conditions[it.kind].messageData ?? []].flat())
  return { own, others }
}

/** The template of a campaign for its channel. */
export const findCampaignTemplate = async (
  read: Reader,
  { template, channel }: Pick<CampaignInput, 'template' | 'channel'>,
): Promise<Template | undefined> =>
  (await templatesBySlug(read, [template])).find((it) => it.channel === channel)
