export {
  countByMember,
  countByValue,
  countFlags,
  countFromSteps,
  type FacetCount,
  passingAllBut,
} from './facet-counts.ts'
export { InternedIds, InternedSets } from './interned.ts'
export { type Language, languages, translated } from './language.ts'
export { Matcher } from './matcher.ts'
export { Postings } from './postings.ts'
export { type PriceLimits, readPrice } from './price-words.ts'
export { type Step, type StepName, stepNames } from './query-steps.ts'
export { type Position, type Ranking, SortedOrder } from './sorted-order.ts'
export { type IndexedTexts, TextIndex } from './text-index.ts'
export { type SuggestedTitles, Suggester, type Suggestion } from './suggester.ts'
export { TopK } from './top-k.ts'
export { parseSynonyms, type SynonymLine, type SynonymProblem } from './synonym-lines.ts'
export { Synonyms } from './synonyms.ts'
