// Where the words of the text index are, by configuration.

import type { SearchEngine } from '../../base/config.ts'
import type { Shop } from '../../base/shop.ts'
import type { TextStore } from '../../search/index.ts'
import { OpenSearchTexts } from './opensearch-texts.ts'
import { PostgresTexts } from './postgres-texts.ts'

/** Undefined when they are in memory. OpenSearch's client is loaded only when it is used. */
export function openTextStore(shop: Shop, engine: SearchEngine): TextStore | undefined {
  if (engine.kind === 'memory') return undefined
  if (engine.kind === 'postgres') return new PostgresTexts(shop)
  const connect = async () => {
    const { Client } = await import('@opensearch-project/opensearch')
    return new Client({ node: engine.url })
  }
  let client: ReturnType<typeof connect> | undefined
  return new OpenSearchTexts(() => (client ??= connect()), `bozor-${shop.db.environment}`)
}
