import type { Language } from '../http/language.ts'
import type { OpenApi } from '../http/openapi.ts'
import type { RefusalCode } from '../http/refusals.ts'
import type { Guide } from './markdown.ts'
import type { Call } from './snippets.ts'

/** What every page is made from. */
export interface SiteContext {
  document: OpenApi
  origin: string
  guides: Guide[]
  /** Codes of all operations of the same kind. */
  commonCodes: (call: Call) => ReadonlySet<RefusalCode>
}

/** What the parts of one page share. */
export interface PageContext extends SiteContext {
  /** The language of error messages. */
  language: Language
  /** Names of schemas that this page has described already. */
  describedSchemas: Set<string>
  /** Error codes whose meaning this page has said already. */
  describedCodes: Set<RefusalCode>
  /** The anchors of lists of common codes on this page. */
  commonLists: Map<ReadonlySet<RefusalCode>, string>
}
