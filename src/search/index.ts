export { codesOf } from './character-codes.ts'
export {
  countByMember,
  countByValue,
  countFlags,
  countFromSteps,
  type FacetCount,
  passingAllBut,
} from './facet-counts.ts'
export { explainRow, type RowExplanation } from './explain-row.ts'
export { FetchedTexts } from './fetched-texts.ts'
export { InternedIds, InternedSets } from './interned.ts'
export { type Language, languages, translated, type Translations } from './language.ts'
export { Matcher, type Matches } from './matcher.ts'
export { Postings } from './postings.ts'
export { type PriceLimits, readPrice } from './price-words.ts'
export { type Step, type StepName, stepNames } from './query-steps.ts'
export { matchKinds } from './query-terms.ts'
export { type Position, type Ranking, SortedOrder } from './sorted-order.ts'
export { SortedValues } from './sorted-values.ts'
export { fieldNames } from './fields.ts'
export { hashOf, type IndexedRows, type IndexedTexts, TextIndex } from './text-index.ts'
export {
  analysed,
  type FoundRows,
  type FoundWord,
  maxNearWords,
  maxPrefixWords,
  type RowTexts,
  type StoredPosting,
  type StoredWord,
  type TextStore,
  type WantedWords,
} from './text-store.ts'
export { type SuggestedTitles, Suggester, type Suggestion } from './suggester.ts'
export type { Texts } from './texts.ts'
export { TopK } from './top-k.ts'
export { parseSynonyms, type SynonymLine, type SynonymProblem } from './synonym-lines.ts'
export { Synonyms } from './synonyms.ts'
export { type UnitRole, unitRoles } from './query-unit.ts'
