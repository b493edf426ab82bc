// The active model of an environment in this process. It is replaced when a model is activated on any node.

import { elapsedMs } from '../../base/clock.ts'
import type { Log } from '../../base/log.ts'
import type { Shop } from '../../base/shop.ts'
import { atOnce, inTurns, type Steps } from '../../base/steps.ts'
import { type Proposer, proposerInSteps, rankedCandidates } from '../serving/candidates.ts'
import { arrangerOf } from '../serving/arrange.ts'
import { keepingProposer } from '../serving/kept-candidates.ts'
import { companionFinder, type CompanionFinder } from '../serving/companion-finder.ts'
import { columnsFor, type Describer, describerOf, type Features } from '../serving/features.ts'
import { type Places, placesOf } from './items.ts'
import type { Model } from './model.ts'
import type { BuyerProfile } from '../serving/buyer-profile.ts'
import { type Ranker, rankerOf } from '../serving/ranker.ts'
import type { PastInteraction } from '../interactions/interaction.ts'
import { readModel } from './read-model.ts'
import * as store from './store.ts'

/** A model with the structures that serving derives from it once. */
export interface ServingModel {
  modelId: number
  model: Model
  propose: Proposer
  /** Puts ranked items into the order of their page. */
  arrange: ReturnType<typeof arrangerOf>
  companionsOf: CompanionFinder
  describe: Describer
  /** Buffers for the features of one query at a time. */
  columns: Features
  ranker: Ranker | undefined
  /** Model rows by product id. */
  rowOf: Places
  /** By row, the product's last known slot in the product index. */
  slots: Int32Array
  /** Summaries of cached interaction arrays. */
  profiles: WeakMap<readonly PastInteraction[], BuyerProfile>
}

/** How many candidates a list is chosen from. */
export const candidateCount = 200

function* preparedInSteps(
  modelId: number,
  model: Model,
  breaker: CircuitBreakerOptions = {},
): Steps<ServingModel> {
  const propose = keepingProposer(model, yield* proposerInSteps(model))
  yield
  const describe = describerOf(model)
  yield
  const ranker = model.ranker && withCircuitBreaker(rankerOf(model.ranker), breaker)
  yield
  return {
    modelId,
    model,
    propose,
    arrange: arrangerOf(model),
    companionsOf: companionFinder(model),
    describe,
    columns: columnsFor(rankedCandidates),
    ranker,
    rowOf: placesOf(model.items),
    slots: new Int32Array(model.items.count).fill(-1),
    profiles: new WeakMap(),
  }
}

export const prepareModel = (...given: Parameters<typeof preparedInSteps>): ServingModel =>
  atOnce(preparedInSteps(...given))

/** Calls are answered between the steps. */
export const prepareInTurns = (...given: Parameters<typeof preparedInSteps>): Promise<ServingModel> =>
  inTurns(preparedInSteps(...given))

export class ActiveModel {
  readonly #shop: Shop
  readonly #log: Log
  #serving: ServingModel | undefined
  #loading: Promise<void> | undefined
  #isStale = false
  #isStarting = false

  constructor(shop: Shop, log: Log) {
    this.#shop = shop
    this.#log = log
    shop.relay.subscribe((event) => {
      if (event.type === 'ModelActivated') void this.reload()
    })
  }

  /** Undefined while no model is active. */
  get serving(): ServingModel | undefined {
    return this.#serving
  }

  /** Loads any stored model. */
  async load(id: number): Promise<ServingModel> {
    if (this.#serving?.modelId === id) return this.#serving
    return prepareInTurns(id, await readModel(this.#shop.db, id))
  }

  /** Whether the model that was active at the start is loaded or rejected. */
  get isReady(): boolean {
    return !this.#isStarting
  }

  /** Starts loading the active model without waiting for it. */
  async start(): Promise<void> {
    this.#isStarting = (await store.findActive(this.#shop.db.read())) !== undefined
    void this.reload().finally(() => {
      this.#isStarting = false
    })
  }

  /** Resolves when no model is being loaded. */
  async loaded(): Promise<void> {
    while (this.#loading) await this.#loading
  }

  /** Loads the active model. If it cannot be read, the previous one stays; at the start, the newest readable one is used. */
  reload(): Promise<void> {
    if (this.#loading) this.#isStale = true
    this.#loading ??= this.#load().finally(() => {
      this.#loading = undefined
      if (this.#isStale) {
        this.#isStale = false
        void this.reload()
      }
    })
    return this.#loading
  }

  async #load(): Promise<void> {
    try {
      const models = await store.listModels(this.#shop.db.read())
      const active = models.find((it) => it.isActive)
      if (!active || active.id === this.#serving?.modelId) return
      if (await this.#use(active.id)) return
      if (this.#serving) return
      for (const { id } of models) if (id !== active.id && (await this.#use(id))) return
    } catch (error) {
      this.#log.warn('models could not be listed; the active one stays', { error })
    }
  }

  async #use(id: number): Promise<boolean> {
    try {
      const model = await readModel(this.#shop.db, id)
      this.#serving = await prepareInTurns(id, model, {
        onFault: (fault, error) =>
          this.#log.error('the ranker failed; lists are built without it for 30 seconds', {
            environment: this.#shop.environment,
            model_id: id,
            fault,
            error,
          }),
      })
      this.#log.info('model loaded', {
        environment: this.#shop.environment,
        model_id: id,
        products: model.items.count,
      })
      return true
    } catch (error) {
      this.#log.error('model could not be loaded', {
        environment: this.#shop.environment,
        model_id: id,
        error,
      })
      return false
    }
  }
}

export type RankerFault = 'not_a_number' | 'wrong_count' | 'late' | 'broken'

export interface CircuitBreakerOptions {
  /** Called for the fault that opens the circuit. */
  onFault?: (fault: RankerFault, error?: unknown) => void
  budgetMs?: number
  now?: () => number
}

/** Time budget of the ranker per list. */
const rankerBudgetMs = 100
const openMs = 30_000

/**
 * Wraps a ranker, which may be uploaded, so that it cannot break a list: its scores are checked, and after a fault or a
 * timeout it is not called for a while.
 */
export function withCircuitBreaker(
  ranker: Ranker,
  { onFault = () => {}, budgetMs = rankerBudgetMs, now = elapsedMs }: CircuitBreakerOptions = {},
): Ranker {
  let openUntilMs = -Infinity
  const fails = (fault: RankerFault, error?: unknown): undefined => {
    openUntilMs = now() + openMs
    onFault(fault, error)
  }
  return {
    reasons: (features, rows) => ranker.reasons(features, rows),
    scores(features, rows) {
      const beganMs = now()
      if (beganMs < openUntilMs) return undefined
      try {
        const scores = ranker.scores(features, rows, () => now() - beganMs > budgetMs)
        if (!scores) return fails('late')
        if (scores.length !== rows) return fails('wrong_count')
        for (let row = 0; row < rows; row++) if (!Number.isFinite(scores[row]!)) return fails('not_a_number')
        return scores
      } catch (error) {
        return fails('broken', error)
      }
    },
  }
}
