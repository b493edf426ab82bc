// One thing that a query asks for, and its part in the query.

import type { StepWord } from './query-steps.ts'
import type { Meaning } from './synonyms.ts'

/** `unknown` is a word that neither the shop nor the dictionary has. */
export const unitRoles = ['thing', 'brand', 'number', 'modifier', 'unknown'] as const
export type UnitRole = (typeof unitRoles)[number]

/** One thing that a query asks for: a word, or several that mean one thing. */
export interface QueryUnit {
  role: UnitRole
  /** The words as typed. */
  typed: string
  words: StepWord[]
  meanings: Meaning[]
  /** The unit may not be left out when not all units match. */
  isRequired: boolean
  /** The only unit of the query. */
  isAlone: boolean
  /** The last word, which may be incomplete. */
  isIncomplete: boolean
  /** The word is looked up as the beginning of longer ones. */
  isBeginning?: boolean
  /** The word of a series or a model and no brand. */
  isSeries?: boolean
  /** A series or a model beside it says which thing is meant. */
  isOfModel?: boolean
  /** The word stands between the words of a need. */
  isInside?: boolean
  /** Only orders what the other units find. */
  isExtra?: boolean
}
