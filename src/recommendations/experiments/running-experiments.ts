// The experiments under way in an environment, and the models that their groups are served by.

import type { Log } from '../../base/log.ts'
import type { Shop } from '../../base/shop.ts'
import { type Serving, servingOf } from '../model-keeper.ts'
import { readModel } from '../read-model.ts'
import * as store from '../store/experiments.ts'
import type { Experiment, ExperimentLayer } from './experiment.ts'

const changing = new Set(['ExperimentStarted', 'ExperimentStopped'])

export class RunningExperiments {
  readonly #shop: Shop
  readonly #log: Log
  #byLayer = new Map<ExperimentLayer, Experiment>()
  #models = new Map<number, Serving>()
  /** Of several readings under way, only the last counts. */
  #turn = 0

  constructor(shop: Shop, log: Log) {
    this.#shop = shop
    this.#log = log
    shop.relay.listen((event) => {
      if (changing.has(event.type)) void this.take()
    })
  }

  on(layer: ExperimentLayer): Experiment | undefined {
    return this.#byLayer.get(layer)
  }

  /** A group's own model; undefined when it cannot be read. */
  model(id: number): Serving | undefined {
    return this.#models.get(id)
  }

  /** Takes up what runs now. An experiment whose models are not here yet waits for them. */
  async take(): Promise<void> {
    const turn = ++this.#turn
    try {
      const running = await store.runningExperiments(this.#shop.db.read())
      const wanted = running.flatMap((it) => it.groups.flatMap(({ modelId }) => modelId ?? []))
      const models = new Map<number, Serving>()
      for (const id of wanted) {
        const serving = this.#models.get(id) ?? (await this.#read(id))
        if (serving) models.set(id, serving)
      }
      if (turn !== this.#turn) return
      this.#models = models
      this.#byLayer = new Map(running.flatMap((it) => it.layers.map((layer) => [layer, it] as const)))
    } catch (error) {
      this.#log.warn('the experiments could not be read; what ran before goes on', { error })
    }
  }

  async #read(id: number): Promise<Serving | undefined> {
    try {
      return servingOf(id, await readModel(this.#shop.db, id))
    } catch (error) {
      this.#log.error('the model of a group was refused', {
        environment: this.#shop.environment,
        model: id,
        error,
      })
      return undefined
    }
  }
}
