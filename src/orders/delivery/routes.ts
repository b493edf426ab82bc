// How a cart can be delivered: the methods of each partner with prices and promised days, as ordering will charge them.

import { Type } from 'typebox'
import type { Reader } from '../../base/database.ts'
import { shownTiyin } from '../../base/money.ts'
import * as cart from '../../cart/index.ts'
import * as catalog from '../../catalog/index.ts'
import { get, type RequestContext, type Route } from '../../http/route.ts'
import { list, nullable, strict } from '../../http/schema.ts'
import { deliveryOptions } from './delivery.ts'
import { inCartApi, inV1, optionReply, optionView, type Spelling, titleIn } from './request.ts'

const description =
  'One entry per partner whose offers can be ordered now, the cheapest method first. Prices hold for these lines at this moment; a method can be free from an amount on. With a region (an ISO 3166-2 code) only methods that deliver there are listed, and only pick-up points of the region.'

const replyOf = (spelling: Spelling) => {
  const { field, idOut, money } = spelling
  const parcel = Type.Object(
    {
      [field('partnerId')]: idOut,
      [field('partnerName')]: Type.String(),
      [field('amount')]: money,
      [field('methods')]: list(optionReply(spelling), 1_000),
    },
    titleIn(spelling, 'PartnerDelivery'),
  )
  return Type.Object({
    [field('region')]: nullable(Type.String()),
    [field('discount')]: { ...money, description: 'What the coupon of the cart takes off these lines.' },
    [field('deliveries')]: list(parcel, 200),
  })
}

interface Asked {
  region: string | undefined
  /** Undefined means the whole cart. */
  chosen: readonly cart.LineKey[] | undefined
}

async function optionsFor(
  read: Reader,
  shopper: cart.Shopper,
  {
    region,
    chosen,
    spelling,
    ...call
  }: Asked & { spelling: Spelling } & Pick<RequestContext, 'language' | 'currency'>,
) {
  const whole = await cart.viewCart(read, shopper)
  const priced = chosen
    ? cart.withPricedLines(
        whole,
        whole.lines.filter(({ line }) => chosen.some((it) => cart.isSameOffer(it, line))),
      )
    : whole
  const parcels = parcelsOf(cart.splitLines(priced.lines).sold)
  const methods = await catalog.deliveryMethodsOf(
    read,
    parcels.map((it) => it.partnerId),
  )
  const day = shopper.settings.dayOf(read.now)
  const { field } = spelling
  return {
    data: {
      [field('region')]: region ?? null,
      [field('discount')]: spelling.amount(priced.coupon?.discountTiyin ?? 0, call.currency),
      [field('deliveries')]: parcels.map((it) => ({
        [field('partnerId')]: spelling.id(it.partnerId),
        [field('partnerName')]: it.partnerName,
        [field('amount')]: spelling.amount(it.amountTiyin, call.currency),
        [field('methods')]: deliveryOptions(it, { methods, region, day }).map((option) =>
          optionView(option, { ...call, spelling }),
        ),
      })),
    },
  }
}

/** The lines that can be ordered, by partner. */
const parcelsOf = (sold: readonly cart.PricedLine[]) =>
  [...Map.groupBy(sold, (it) => it.offer!.partner.id)]
    .toSorted(([a], [b]) => a - b)
    .map(([partnerId, lines]) => ({
      partnerId,
      partnerName: lines[0]!.offer!.partner.name,
      amountTiyin: shownTiyin(
        lines.reduce((sum, { line, offer }) => sum + offer!.priceTiyin * line.quantity, 0),
      ),
    }))

const cartQuery = strict({
  ...cart.buyerFields,
  Region: Type.Optional(catalog.regionCode),
  OfferIds: cart.offerIdsInQuery,
  ModeratedOfferIds: cart.moderatedIdsInQuery,
})

const v1Query = strict({
  region: Type.Optional(catalog.regionCode),
  offer_ids: cart.offerIdsInQuery,
  moderated_offer_ids: cart.moderatedIdsInQuery,
})

const chosenLines = async (
  read: Reader,
  offerIds: readonly string[] | undefined,
  moderatedIds: readonly string[] | undefined,
): Promise<cart.LineKey[] | undefined> =>
  offerIds || moderatedIds
    ? [
        ...(offerIds ?? []).map((it) => ({ isModerated: false, offerId: Number(it) })),
        ...(await cart.moderatedKeys(read, moderatedIds ?? [])),
      ]
    : undefined

const inCart = (path: string, settings: cart.CartSettings): Route =>
  get(path, {
    summary: 'List delivery methods for the cart',
    description,
    scope: 'cart:read',
    query: cartQuery,
    reply: replyOf(inCartApi),
    refusals: ['buyer_required', 'buyer_mismatch'],
    run: async ({ read, query, ...call }) =>
      optionsFor(read, cart.shopperOf(settings, call, { ...query }), {
        ...call,
        region: query.Region,
        chosen: await chosenLines(read, query.OfferIds, query.ModeratedOfferIds),
        spelling: inCartApi,
      }),
  })

export const deliveryRoutes = (settings: cart.CartSettings): Route[] => [
  inCart('/api/cart/delivery', settings),
  inCart('/api/cart/mini-app/delivery', settings),
  get('/v1/cart/{cart_id}/delivery', {
    summary: 'List delivery methods for a cart',
    description,
    scope: 'cart:read',
    params: { cart_id: cart.cartId },
    query: v1Query,
    reply: replyOf(inV1),
    refusals: ['not_found'],
    run: async ({ read, params, query, ...call }) =>
      optionsFor(read, await cart.shopperOfCart(read, params.cart_id, { settings, ...call }), {
        ...call,
        region: query.region,
        chosen: await chosenLines(read, query.offer_ids, query.moderated_offer_ids),
        spelling: inV1,
      }),
  }),
]
