// The shop's own search synonyms, for operators.

import { Type } from 'typebox'
import { get, put, type Route } from '../../http/route.ts'
import { instant, integer, nullable, strict, text } from '../../http/schema.ts'
import { maxTextLength, setSearchSynonyms } from './search-synonyms.ts'
import { loadSynonyms, type StoredSynonyms } from './store.ts'

const lines = text({
  min: 0,
  max: maxTextLength,
  description:
    'One meaning per line: "a, b, c" lists forms of one meaning in any language; "a > b, c" says that who types a wants b or c. Lines that begin with # are comments.',
  examples: ['самса, somsa, samosa'],
})
const reply = Type.Object({
  synonyms: Type.Object({
    text: lines,
    version: integer(0, Number.MAX_SAFE_INTEGER),
    updated_at: nullable(instant),
  }),
})
const view = (it: StoredSynonyms | undefined) => ({
  synonyms: {
    text: it?.text ?? '',
    version: it?.version ?? 0,
    updated_at: it?.updatedAt.toISOString() ?? null,
  },
})

export const searchSynonymRoutes: Route[] = [
  get('/v1/admin/search/synonyms', {
    summary: 'Get the search synonyms of the shop',
    scope: 'admin:read',
    reply,
    run: async ({ read }) => {
      const synonyms = await loadSynonyms(read)
      return { data: view(synonyms), version: synonyms?.version ?? 0 }
    },
  }),
  put('/v1/admin/search/synonyms', {
    summary: 'Replace the search synonyms of the shop',
    description:
      'They are looked up before the curated dictionary, from the next search on. A cycle, a contradiction, a repeated or a missing form is refused with its line.',
    scope: 'admin:write',
    body: strict({ text: lines }),
    reply,
    versioned: true,
    run: async ({ tx, body, ifMatch }) => {
      const saved = await setSearchSynonyms(tx, { text: body.text, ifMatch })
      return { data: view(saved), version: saved.version }
    },
  }),
]
