// Why a row matches a query as well as it does: what it has for each unit of the query, and where.

import { accessoryFactor, weightOf, weightsFor } from './matcher.ts'
import { lowerBound } from './postings.ts'
import type { MatchKind, RowList, UnitRows } from './query-terms.ts'
import { type FieldName, fieldNames, fields, slotBits } from './fields.ts'
import type { Texts } from './texts.ts'
import type { QueryUnit, UnitRole } from './query-unit.ts'
import { isCyrillic } from './word-key.ts'

/** What a row has for one unit of the query. */
export interface UnitMatch {
  /** As typed, and as it was searched after corrections. */
  typed: string
  searched: string
  role: UnitRole
  /** The word or the words that the row has. */
  found: string
  kind: MatchKind
  /** The field that counts most of those in which the row has it. */
  field: FieldName
  points: number
}

export interface RowExplanation {
  matches: UnitMatch[]
  /** Units that the row lacks, as typed. */
  missing: string[]
  /** Below 1 for a part or an accessory, when the query names no thing. */
  accessoryFactor: number
  /** The points of all matches and the factor: the score before availability, popularity and what was learned. */
  textScore: number
}

const fieldMask = (1 << slotBits) - 1

export function explainRow(texts: Texts, units: readonly UnitRows[], slot: number): RowExplanation {
  const matches: UnitMatch[] = []
  const missing: string[] = []
  for (const { unit, lists } of units) {
    const match = bestMatch(texts, unit, lists, slot)
    if (match) matches.push(match)
    else if (!unit.isExtra) missing.push(unit.typed)
  }
  const isLowered = !units.some((it) => it.unit.role === 'thing') && texts.isAccessory(slot)
  const factor = isLowered ? accessoryFactor : 1
  const points = matches.reduce((sum, it) => sum + it.points, 0)
  return { matches, missing, accessoryFactor: factor, textScore: points * factor }
}

function bestMatch(
  texts: Texts,
  unit: QueryUnit,
  lists: readonly RowList[],
  slot: number,
): UnitMatch | undefined {
  const weights = weightsFor(unit)
  let best: { list: RowList; bits: number; worth: number } | undefined
  for (const list of lists) {
    const bits = bitsOf(list, slot)
    const worth = list.quality * weights[bits]!
    if (worth > (best?.worth ?? 0)) best = { list, bits, worth }
  }
  if (!best) return undefined
  const { found, kind } = best.list
  const searched = unit.words.map((it) => it.word).join(' ')
  return {
    typed: unit.typed,
    searched,
    role: unit.role,
    found: typeof found === 'number' ? texts.vocabulary.shown(found, isCyrillic(searched)) : found.join(' '),
    kind,
    field: fieldNames
      .filter((it) => (best.bits & fields[it]) !== 0)
      .toSorted((one, other) => weights[fields[other]]! - weights[fields[one]]!)[0]!,
    points: weightOf(unit) * best.worth,
  }
}

/** The fields in which a row has what the list is for; 0 for none. */
function bitsOf({ values, mask }: RowList, slot: number): number {
  const value = values[lowerBound(values, (slot << slotBits) >>> 0, 0, values.length)]
  return value !== undefined && value >>> slotBits === slot ? value & fieldMask & mask : 0
}
