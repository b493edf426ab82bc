// What the search for recipes keeps of the best trials: what they fitted, for the first model, as far as memory allows.

import type { Tables } from '../../ml/selection/families.ts'
import type { Trial } from '../../ml/selection/family-climb.ts'
import type { Recipe } from './sources.ts'

/** Of the tables of the best trials together. */
const mostKeptBytes = 400e6

const bytesOf = (tables: Tables): number =>
  Object.values(tables).reduce((sum, { byteLength }) => sum + byteLength, 0)

/** Keeps the best trial of a source, without its tables where those of all sources would take too much memory. */
export type KeepTables = (source: { name: string; option: Omit<Recipe, 'params'> }) => (trial: Trial) => Trial

export function keepingTables({ everyNth }: { everyNth: number }): KeepTables {
  const bytesBy = new Map<string, number>()
  return ({ name, option }) => {
    const owner = `${name} ${option.kind} ${option.rows}`
    return (trial) => {
      bytesBy.delete(owner)
      const others = bytesBy.values().reduce((sum, it) => sum + it, 0)
      const bytes = bytesOf(trial.tables)
      if (everyNth > 1 || others + bytes > mostKeptBytes) return { ...trialOf(trial), tables: {} }
      bytesBy.set(owner, bytes)
      return trialOf(trial)
    }
  }
}

const trialOf = ({ params, score, seconds, fitSeconds, tables }: Trial): Trial => ({
  params,
  score,
  seconds,
  fitSeconds,
  tables,
})
