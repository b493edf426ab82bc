// The running experiments of an environment and the models of their groups, cached in this process.

import type { Log } from '../../base/log.ts'
import type { Shop } from '../../base/shop.ts'
import { type ServingModel, prepareInTurns } from '../models/active-model.ts'
import { readModel } from '../models/read-model.ts'
import * as store from './store.ts'
import type { Experiment, ExperimentLayer } from './experiment.ts'

const reloadOn = new Set(['ExperimentStarted', 'ExperimentStopped'])

export class RunningExperiments {
  readonly #shop: Shop
  readonly #log: Log
  #byLayer = new Map<ExperimentLayer, Experiment>()
  #models = new Map<number, ServingModel>()
  /** Of several concurrent reloads, only the last takes effect. */
  #reloads = 0

  constructor(shop: Shop, log: Log) {
    this.#shop = shop
    this.#log = log
    shop.relay.subscribe((event) => {
      if (reloadOn.has(event.type)) void this.reload()
    })
  }

  runningOn(layer: ExperimentLayer): Experiment | undefined {
    return this.#byLayer.get(layer)
  }

  /** The model of a group; undefined when it cannot be read. */
  model(id: number): ServingModel | undefined {
    return this.#models.get(id)
  }

  /** Loads the running experiments. They take effect after all their models are loaded. */
  async reload(): Promise<void> {
    const reload = ++this.#reloads
    try {
      const running = await store.runningExperiments(this.#shop.db.read())
      const wanted = running.flatMap((it) => it.groups.flatMap(({ modelId }) => modelId ?? []))
      const models = new Map<number, ServingModel>()
      for (const id of wanted) {
        const serving = this.#models.get(id) ?? (await this.#read(id))
        if (serving) models.set(id, serving)
      }
      if (reload !== this.#reloads) return
      this.#models = models
      this.#byLayer = new Map(running.flatMap((it) => it.layers.map((layer) => [layer, it] as const)))
    } catch (error) {
      this.#log.warn('experiments could not be read; the previous ones stay in effect', { error })
    }
  }

  async #read(id: number): Promise<ServingModel | undefined> {
    try {
      return await prepareInTurns(id, await readModel(this.#shop.db, id))
    } catch (error) {
      this.#log.error('the model of an experiment group could not be loaded', {
        environment: this.#shop.environment,
        model_id: id,
        error,
      })
      return undefined
    }
  }
}
