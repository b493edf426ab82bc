// Routes of the recommendation calls: body → request → list → reply.

import { elapsedMs } from '../../base/clock.ts'
import type { Environment, Reader } from '../../base/database.ts'
import { ownBytes } from '../../base/own-bytes.ts'
import { timedUuid } from '../../base/random.ts'
import { refuse } from '../../base/refusal.ts'
import { withTimeout } from '../../base/with-timeout.ts'
import { type Catalog, knownCategories, type OfferDetails } from '../../catalog/index.ts'
import { bareQuery, type RequestContext, type Route } from '../../http/route.ts'
import { phoneOf } from '../../identity/index.ts'
import type { ListLog } from '../experiments/list-log.ts'
import type { RunningExperiments } from '../experiments/running-experiments.ts'
import { interactionRoutes } from '../interactions/routes.ts'
import type { ActiveModel } from '../models/active-model.ts'
import { platformKeys } from '../models/place-trends.ts'
import { recommend } from '../serving/recommend.ts'
import type { RecommendationRequest, Layer, Source } from '../serving/request.ts'
import { categoryBody, declaredFields, type RequestBody } from './bodies.ts'
import { bodyOf, type Channel, channels, type Settings } from './channels.ts'
import type { Reading } from './offer-shapes.ts'

const deprecatedSince = new Date('2026-01-01T00:00:00Z')

export interface RecommendationRouteDeps {
  catalog: Catalog
  models: Record<Environment, ActiveModel>
  experiments: Record<Environment, RunningExperiments>
  lists: Record<Environment, ListLog>
  settings: Settings
}

export function recommendationRoutes(deps: RecommendationRouteDeps): Route[] {
  const serializer = new OfferSerializer(deps.settings)
  return [...channels.map((channel) => routeOf(channel, deps, serializer)), ...interactionRoutes]
}

function routeOf(channel: Channel, deps: RecommendationRouteDeps, serializer: OfferSerializer): Route {
  const { catalog, models, experiments, lists, settings } = deps
  const { path, summary, status, offer, wrapper } = channel
  return bareQuery(path, {
    summary,
    status,
    description: `Status: ${status}. Send the reply’s \`X-Recommendation-Id\` as \`request_id\` when you report interactions with the list.`,
    scope: settings.requireKey ? 'catalog:read' : null,
    // Shops may require a key; clients are written for both kinds.
    refusals: ['insufficient_permissions'],
    body: bodyOf(channel, settings),
    reply: wrapper.shape(offer.shape),
    shed: 'first',
    ...(status === 'deprecated' && {
      deprecated: {
        since: deprecatedSince,
        ...(settings.r3Sunset && { sunset: settings.r3Sunset }),
        successor: '/offers/recommended/v3',
      },
    }),
    run: async ({ read, body, ...context }) => {
      const startedMs = elapsedMs()
      const id = timedUuid(read.now)
      const { environment } = context
      const { serving } = models[environment]
      const serve = (request: RecommendationRequest) =>
        recommend(read, request, {
          catalog,
          environment,
          serving,
          experiments: experiments[environment],
          listId: id,
        })
      let request = parseRequest(channel, body as object, context, settings)
      let list = await serve(request)
      // Only then, because almost every category that is sent exists and has offers.
      if (request.isCategoriesPage && list.offers.length === 0) {
        const categoryId = await deepestKnown(read, categoriesIn(body as RequestBody))
        if (categoryId !== request.categoryId) list = await serve((request = { ...request, categoryId }))
      }
      const source = list.source === 'collaborative_filtering' ? channel.cfSource : list.source
      const json = serializer.reply(channel, { offers: list.offers, source }, context)
      lists[environment].add({ id, at: read.now, request, durationMs: elapsedMs() - startedMs, ...list })
      return { json, headers: { 'x-recommendation-id': id } }
    },
  })
}

/** Every call returns this many offers if the shop has them (SPEC-1 8). */
const listLength = 30

export function parseRequest(
  channel: Channel,
  received: object,
  context: RequestContext,
  settings: Settings,
): RecommendationRequest {
  const body = declaredFields(bodyOf(channel, settings), received)
  rejectPageMismatch(body)
  const { group, isChosen } = channel.group(body.test_group_value, settings)
  const products = (body.product_ids ?? []).map(Number).filter((it) => Number.isSafeInteger(it) && it > 0)
  return {
    channel: channel.path,
    layer: layerOf(body),
    identifiers: identifiersOf(channel, body, context),
    offers: [...new Set(body.offer_ids)].map((it) => it.toLowerCase()),
    products: [...new Set(products)],
    group,
    isGroupChosen: isChosen,
    experimentGroup: body.exp_id || null,
    region: context.region,
    place: body.region || null,
    platform: platformKeys(channel.fromApp === undefined ? body : { ...body, from_app: channel.fromApp }),
    isCategoriesPage: channel.body === categoryBody,
    categoryId: categoriesIn(body)[0] ?? null,
    limit: listLength,
  }
}

/** The categories of the request, the deepest first. */
const categoriesIn = (body: RequestBody): number[] =>
  [body.third_category_id, body.sub_category_id, body.category_id].filter((it) => typeof it === 'number')

/** A list does not wait longer for the database. */
const categoriesTimeoutMs = 100

/** An unknown category is ignored if a wider one is known, as after a change of the tree that an app has not seen yet. */
async function deepestKnown(read: Reader, categories: readonly number[]): Promise<number | null> {
  if (categories.length < 2) return categories[0] ?? null
  const none = new Set<number>()
  const known = await withTimeout(knownCategories(read, categories), categoriesTimeoutMs, () => none)
  return categories.find((it) => known.has(it)) ?? categories[0]!
}

/** An offer or cart page without offers is treated as the main page. */
function layerOf(body: RequestBody): Layer {
  const hasItems = (body.offer_ids?.length ?? 0) + (body.product_ids?.length ?? 0) > 0
  return hasItems ? ((body.from_layer ?? 'main_page') as Layer) : 'main_page'
}

/** A buyer's own token decides the buyer, whatever the body says. */
function identifiersOf({ buyer }: Channel, body: RequestBody, { principal }: RequestContext): string[] {
  if (principal?.actor.kind === 'client') return [String(principal.actor.clientId)]
  const found = buyer.map((it) =>
    it === 'phone' ? phoneIdentifier(body.phone) : body[it] && String(body[it]),
  )
  return [...new Set(found.filter((it) => it !== undefined && it !== ''))] as string[]
}

/** Always with a plus: without one it would look like a client id. */
const phoneIdentifier = (phone: string | undefined): string | undefined =>
  phone ? (phoneOf(phone) ?? `+${phone.replace(/^\+/, '')}`) : undefined

/** The main page has no offers, an offer page at most one (SPEC-1 4.2). */
function rejectPageMismatch({ from_layer: layer, offer_ids: ids, product_ids: products }: RequestBody): void {
  const violation = (path: string, rule: string, limit?: number) =>
    refuse('validation_failed', { fields: [{ path, rule, ...(limit !== undefined && { limit }) }] })
  if (layer === 'main_page' && ids !== undefined) throw violation('offer_ids', 'absent_on_main_page')
  if (layer === 'offer_page' && new Set(ids).size > 1) throw violation('offer_ids', 'max_items', 1)
  if (layer === 'offer_page' && new Set(products).size > 1) throw violation('product_ids', 'max_items', 1)
}

/** Limits the cached variants: the origin in them is chosen by the caller. */
const maxVariants = 12

const opening = Buffer.from('{"offers":[')
const bareOpening = Buffer.from('[')
const bareClosing = Buffer.from(']')

/** Each buffer starts with a comma, which is cut off for the first offer of a list. */
type SerializedOffers = WeakMap<OfferDetails, Buffer>

/** Serializes replies. Cached offer details keep their identity until they change, so each is serialized once per variant. */
export class OfferSerializer {
  readonly #variants = new Map<string, SerializedOffers>()
  readonly #settings: Settings

  constructor(settings: Settings) {
    this.#settings = settings
  }

  reply(
    channel: Channel,
    list: { offers: readonly OfferDetails[]; source: Source },
    reading: Reading,
  ): Buffer {
    const fields = channel.wrapper.fields(list.source, this.#settings)
    const serialized = this.#variant(`${channel.offer.name} ${reading.language} ${reading.origin}`)
    const parts: Buffer[] = [fields ? opening : bareOpening]
    for (const offer of list.offers) {
      let bytes = serialized.get(offer)
      if (!bytes) {
        bytes = ownBytes(`,${JSON.stringify(channel.offer.view(offer, reading))}`)
        serialized.set(offer, bytes)
      }
      parts.push(parts.length === 1 ? bytes.subarray(1) : bytes)
    }
    parts.push(fields ? Buffer.from(`],${JSON.stringify(fields).slice(1)}`) : bareClosing)
    return Buffer.concat(parts)
  }

  #variant(key: string): SerializedOffers {
    const known = this.#variants.get(key)
    if (known) return known
    if (this.#variants.size >= maxVariants) this.#variants.clear()
    const serialized: SerializedOffers = new WeakMap()
    this.#variants.set(key, serialized)
    return serialized
  }
}
