// Guard rail: an experiment stops itself when a group certainly loses more purchases than its bound allows.

import type { Job, JobContext } from '../../base/jobs.ts'
import type { Experiment } from './experiment.ts'
import { stopExperiment } from './manage-experiments.ts'
import { sumsOfExperiment } from './metrics-store.ts'
import { type GroupResult, resultsOf } from './results.ts'
import * as store from './store.ts'

/** The chance that a harmless experiment is ever stopped, however often it is checked. */
const falseStops = 0.05
/** The number of buyers for which the bound is tightest. */
const usualBuyers = 2_000
/** With fewer buyers in a group the normal approximation does not hold. */
const fewestBuyers = 200

/**
 * The groups whose share of buyers who purchase is certainly below that of the first group by more than `maxHarm` of it.
 * The bound holds at every check together (Robbins' normal mixture), because the job looks many times.
 */
export function harmedGroups(results: readonly GroupResult[], maxHarm: number): string[] {
  const [first, ...others] = results
  if (!first || first.figures.buyers < fewestBuyers) return []
  const kept = 1 - maxHarm
  return others
    .filter(({ figures: own }) => {
      if (own.buyers < fewestBuyers) return false
      const base = first.figures.buyersConverted
      const loss = kept * base.value - own.buyersConverted.value
      const error = Math.hypot(own.buyersConverted.standardError, kept * base.standardError)
      const buyers = Math.min(own.buyers, first.figures.buyers)
      return error > 0 && loss / error > certainErrors(buyers)
    })
    .map(({ group }) => group)
}

/** How many standard errors a loss must reach, with this many buyers. */
export function certainErrors(buyers: number): number {
  const grown = (buyers + usualBuyers) / usualBuyers
  return Math.sqrt((grown / (grown - 1)) * Math.log(grown / (2 * falseStops) ** 2))
}

export const guardJob: Job = {
  name: 'guard-experiments',
  cron: '0 3/10 * * * ?',
  description: 'Stops experiments that lose more purchases than their bound allows.',
  run: async (job) => {
    const running = await job.packet(store.runningExperiments)
    const stopped: string[] = []
    for (const experiment of running) if (await stopIfHarmful(job, experiment)) stopped.push(experiment.slug)
    return `checked ${running.length} experiments, stopped ${stopped.length === 0 ? 'none' : stopped.join(', ')}`
  },
}

function stopIfHarmful(job: JobContext, { id }: Experiment): Promise<boolean> {
  return job.transaction(async (tx) => {
    const experiment = await store.lockExperiment(tx, id)
    if (experiment?.status !== 'running' || experiment.maxHarm === null) return false
    const results = resultsOf(experiment, await sumsOfExperiment(tx, id))
    const harmed = harmedGroups(results, experiment.maxHarm)
    if (harmed.length === 0) return false
    await stopExperiment(tx, id, `harm: ${harmed.join(', ')}`)
    return true
  })
}
