// Holds the model that serves an environment in this process, and takes up another when it is activated anywhere.

import type { Log } from '../base/log.ts'
import type { Shop } from '../base/shop.ts'
import { type Proposer, proposerOf } from './engine/candidates.ts'
import { columnsFor, type Describer, describerOf, type Features } from './engine/features.ts'
import type { Deed } from './behaviour/interaction.ts'
import { placesOf } from './engine/items.ts'
import type { Past } from './engine/past.ts'
import type { Model } from './engine/model.ts'
import { type Ranker, rankerOf } from './engine/ranker.ts'
import { type GuardOptions, guarded } from './ranker-guard.ts'
import { readModel } from './read-model.ts'
import * as store from './store/models.ts'

/** A model with what is made of it once, for many questions. */
export interface Serving {
  modelId: number
  model: Model
  propose: Proposer
  describe: Describer
  /** Room for the features of one question after the other. */
  columns: Features
  ranker: Ranker | undefined
  placeOf: ReadonlyMap<number, number>
  /** By place, where the product stood on the shelf when it was last looked for. */
  slots: Int32Array
  /** What the deeds that are remembered say of their buyers. */
  pasts: WeakMap<readonly Deed[], Past>
}

/** So many are put in order by the ranker. */
export const candidateCount = 200

/** `guard` says who hears of a ranker that fails. */
export const servingOf = (modelId: number, model: Model, guard: GuardOptions = {}): Serving => ({
  modelId,
  model,
  propose: proposerOf(model),
  describe: describerOf(model),
  columns: columnsFor(candidateCount),
  ranker: model.ranker && guarded(rankerOf(model.ranker), guard),
  placeOf: placesOf(model.items),
  slots: new Int32Array(model.items.count).fill(-1),
  pasts: new WeakMap(),
})

export class ModelKeeper {
  readonly #shop: Shop
  readonly #log: Log
  #serving: Serving | undefined
  #taking: Promise<void> | undefined
  #again = false
  #isAwaited = false

  constructor(shop: Shop, log: Log) {
    this.#shop = shop
    this.#log = log
    shop.relay.listen((event) => {
      if (event.type === 'ModelActivated') void this.take()
    })
  }

  /** What serves now; undefined while nothing has been learnt. */
  get serving(): Serving | undefined {
    return this.#serving
  }

  /** Any model that is kept, as it would serve. */
  async kept(id: number): Promise<Serving> {
    if (this.#serving?.modelId === id) return this.#serving
    return servingOf(id, await readModel(this.#shop.db, id))
  }

  /** Whether it has taken up, or passed over, what was active when it started. */
  get isReady(): boolean {
    return !this.#isAwaited
  }

  /** Looks whether there is a model, and takes it up meanwhile. */
  async start(): Promise<void> {
    this.#isAwaited = (await store.findActive(this.#shop.db.read())) !== undefined
    void this.take().finally(() => {
      this.#isAwaited = false
    })
  }

  /** Takes up the active model. What cannot be read is passed over, and what served before goes on. */
  take(): Promise<void> {
    if (this.#taking) this.#again = true
    this.#taking ??= this.#work().finally(() => {
      this.#taking = undefined
      if (this.#again) {
        this.#again = false
        void this.take()
      }
    })
    return this.#taking
  }

  async #work(): Promise<void> {
    try {
      const models = await store.listModels(this.#shop.db.read())
      const active = models.find((it) => it.isActive)
      if (!active || active.id === this.#serving?.modelId) return
      if (await this.#tried(active.id)) return
      if (this.#serving) return
      for (const { id } of models) if (id !== active.id && (await this.#tried(id))) return
    } catch (error) {
      this.#log.warn('the models could not be read; the one that serves goes on', { error })
    }
  }

  async #tried(id: number): Promise<boolean> {
    try {
      const model = await readModel(this.#shop.db, id)
      this.#serving = servingOf(id, model, {
        tell: (fault, error) =>
          this.#log.error('the ranker failed; lists are made without it for a while', {
            environment: this.#shop.environment,
            model: id,
            fault,
            error,
          }),
      })
      this.#log.info('a model serves', {
        environment: this.#shop.environment,
        model: id,
        products: model.items.count,
      })
      return true
    } catch (error) {
      this.#log.error('a model was refused', { environment: this.#shop.environment, model: id, error })
      return false
    }
  }
}
