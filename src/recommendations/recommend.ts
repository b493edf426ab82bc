// One way from a question to a list, for every channel.

import type { Environment, Reader } from '../base/db.ts'
import {
  bestOfferOf,
  type Catalog,
  findSheets,
  moderatedOffersByUuid,
  type OfferSheet,
  offersShown,
} from '../catalog/index.ts'
import type { Ask, Source } from './ask.ts'

/** A list of offers and where it truly came from. */
export interface Answered {
  offers: OfferSheet[]
  source: Source
}

/** The offers to show: none that the page is about, none twice, none that cannot be bought here. */
export async function recommend(
  read: Reader,
  asked: Ask,
  { goods, environment }: { goods: Catalog; environment: Environment },
): Promise<Answered> {
  const shownAlready = await productsOf(read, asked)
  const { region, categoryId } = asked
  const limit = asked.limit + shownAlready.size
  const wanted = (await goods.popularProducts(environment, { region, categoryId, limit }))
    .filter((it) => !shownAlready.has(it))
    .slice(0, asked.limit)
  const sheets = await findSheets(read, wanted)
  const best = wanted.flatMap((it) => {
    const sheet = sheets.get(it)
    const offer = sheet && bestOfferOf(sheet, region)
    return offer && offer.quantity > 0 ? [offer.id] : []
  })
  const offers = await offersShown(read, best)
  return {
    offers: best.flatMap((it) => offers.get(it) ?? []),
    source: 'recommendation_service',
  }
}

/** The products that the page is about; what names nothing is passed over. */
async function productsOf(read: Reader, { offers, products }: Ask): Promise<Set<number>> {
  const isNumber = (it: string) => /^[1-9]\d{0,15}$/.test(it) && Number.isSafeInteger(Number(it))
  const ordinary = offers.filter(isNumber).map(Number)
  const moderated = offers.filter((it) => uuidForm.test(it))
  const [known, others] = await Promise.all([
    offersShown(read, ordinary),
    moderated.length > 0 ? moderatedOffersByUuid(read, moderated) : new Map<number, OfferSheet>(),
  ])
  return new Set([...products, ...[...known.values(), ...others.values()].map((it) => it.productId)])
}

const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
