// Replies as bytes. What is remembered of an offer is one object until something about it changes, so it is printed
// once for each way of showing it.

import type { OfferSheet } from '../../catalog/index.ts'
import type { Source } from '../ask.ts'
import type { Channel, Settings } from './channels.ts'
import type { Reading } from './offer-shapes.ts'

/** Of one offer, so many prints are kept: the address under which a caller knows us is his to choose. */
const mostPrints = 12

const opening = Buffer.from('{"offers":[')
const bareOpening = Buffer.from('[')
const bareClosing = Buffer.from(']')
const comma = Buffer.from(',')

export class OfferPrinter {
  readonly #prints = new WeakMap<OfferSheet, Map<string, Buffer>>()
  readonly #settings: Settings

  constructor(settings: Settings) {
    this.#settings = settings
  }

  /** The whole reply of a channel. */
  reply(channel: Channel, list: { offers: readonly OfferSheet[]; source: Source }, reading: Reading): Buffer {
    const beside = channel.wrapper.beside(list.source, this.#settings)
    const way = `${channel.offer.name} ${reading.language} ${reading.origin}`
    const pieces: Buffer[] = [beside ? opening : bareOpening]
    for (const offer of list.offers) {
      if (pieces.length > 1) pieces.push(comma)
      pieces.push(this.#print(offer, way, () => channel.offer.view(offer, reading)))
    }
    pieces.push(beside ? Buffer.from(`],${JSON.stringify(beside).slice(1)}`) : bareClosing)
    return Buffer.concat(pieces)
  }

  #print(offer: OfferSheet, way: string, view: () => object): Buffer {
    let prints = this.#prints.get(offer)
    if (!prints) this.#prints.set(offer, (prints = new Map()))
    const known = prints.get(way)
    if (known) return known
    const printed = Buffer.from(JSON.stringify(view()))
    if (prints.size >= mostPrints) prints.clear()
    prints.set(way, printed)
    return printed
  }
}
