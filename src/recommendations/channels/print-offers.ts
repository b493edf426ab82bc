// Replies as bytes. What is remembered of an offer is one object until something about it changes, so it is printed
// once for each way of showing it.

import type { OfferSheet } from '../../catalog/index.ts'
import type { Source } from '../ask.ts'
import type { Channel, Settings } from './channels.ts'
import type { Reading } from './offer-shapes.ts'

/** So many ways of showing are remembered: the address under which a caller knows us is his to choose. */
const mostWays = 12

const opening = Buffer.from('{"offers":[')
const bareOpening = Buffer.from('[')
const bareClosing = Buffer.from(']')

/** Each begins with a comma, which is cut off the first of a list. */
type Prints = WeakMap<OfferSheet, Buffer>

export class OfferPrinter {
  readonly #ways = new Map<string, Prints>()
  readonly #settings: Settings

  constructor(settings: Settings) {
    this.#settings = settings
  }

  /** The whole reply of a channel. */
  reply(channel: Channel, list: { offers: readonly OfferSheet[]; source: Source }, reading: Reading): Buffer {
    const beside = channel.wrapper.beside(list.source, this.#settings)
    const prints = this.#printsOf(`${channel.offer.name} ${reading.language} ${reading.origin}`)
    const pieces: Buffer[] = [beside ? opening : bareOpening]
    for (const offer of list.offers) {
      let print = prints.get(offer)
      if (!print) {
        print = Buffer.from(`,${JSON.stringify(channel.offer.view(offer, reading))}`)
        prints.set(offer, print)
      }
      pieces.push(pieces.length === 1 ? print.subarray(1) : print)
    }
    pieces.push(beside ? Buffer.from(`],${JSON.stringify(beside).slice(1)}`) : bareClosing)
    return Buffer.concat(pieces)
  }

  #printsOf(way: string): Prints {
    const known = this.#ways.get(way)
    if (known) return known
    if (this.#ways.size >= mostWays) this.#ways.clear()
    const prints: Prints = new WeakMap()
    this.#ways.set(way, prints)
    return prints
  }
}
