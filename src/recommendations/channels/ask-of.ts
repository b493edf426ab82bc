// From what a caller sent to what he asks.

import { refuse } from '../../base/refusal.ts'
import type { Circumstances } from '../../http/route.ts'
import { phoneOf } from '../../identity/index.ts'
import type { Ask, Layer } from '../ask.ts'
import { categoryBody, listed, type Sent } from './bodies.ts'
import { bodyOf, type Channel, type Settings } from './channels.ts'

/** Every call returns so many offers when the shop has them (SPEC-1 8). */
const listLength = 30

export function askOf(channel: Channel, came: object, call: Circumstances, settings: Settings): Ask {
  const sent = listed(bodyOf(channel, settings), came)
  refuseStrangeContext(sent)
  const { group, isChosen } = channel.group(sent.test_group_value, settings)
  const products = (sent.product_ids ?? []).map(Number).filter((it) => Number.isSafeInteger(it) && it > 0)
  return {
    channel: channel.path,
    layer: layerOf(sent),
    buyers: buyersOf(channel, sent, call),
    offers: [...new Set(sent.offer_ids)].map((it) => it.toLowerCase()),
    products: [...new Set(products)],
    group,
    isGroupChosen: isChosen,
    experiment: sent.exp_id || null,
    region: call.region,
    place: sent.region || null,
    isCategoriesPage: channel.body === categoryBody,
    categoryId: sent.third_category_id ?? sent.sub_category_id ?? sent.category_id ?? null,
    limit: listLength,
  }
}

/** A page about offers without any is answered as the main page. */
function layerOf(sent: Sent): Layer {
  const hasContext = (sent.offer_ids?.length ?? 0) + (sent.product_ids?.length ?? 0) > 0
  return hasContext ? ((sent.from_layer ?? 'main_page') as Layer) : 'main_page'
}

/** Whoever has a credential of his own asks for himself, whatever he sends. */
function buyersOf({ buyer }: Channel, sent: Sent, { principal }: Circumstances): string[] {
  if (principal?.actor.kind === 'client') return [String(principal.actor.clientId)]
  const names = buyer.map((it) => (it === 'phone' ? phoneName(sent.phone) : sent[it] && String(sent[it])))
  return [...new Set(names.filter((it) => it !== undefined && it !== ''))] as string[]
}

/** In one spelling; a number without its plus would be taken for a client's. */
const phoneName = (sent: string | null | undefined): string | undefined =>
  sent ? (phoneOf(sent) ?? `+${sent.replace(/^\+/, '')}`) : undefined

/** The main page is about no offer, an offer's page about one (SPEC-1 4.2). */
function refuseStrangeContext({ from_layer: layer, offer_ids: ids, product_ids: products }: Sent): void {
  const fault = (path: string, rule: string, limit?: number) =>
    refuse('validation_failed', { fields: [{ path, rule, ...(limit !== undefined && { limit }) }] })
  if (layer === 'main_page' && ids !== undefined) throw fault('offer_ids', 'absent_on_main_page')
  if (layer === 'offer_page' && new Set(ids).size > 1) throw fault('offer_ids', 'max_items', 1)
  if (layer === 'offer_page' && new Set(products).size > 1) throw fault('product_ids', 'max_items', 1)
}
