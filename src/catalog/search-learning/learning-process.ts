// The child process that learns from searches. It has a product index of its own, as of its start.

import type pg from 'pg'
import { systemClock } from '../../base/clock.ts'
import type { SearchEngine } from '../../base/config.ts'
import type { Environment } from '../../base/database.ts'
import { openLog } from '../../base/log.ts'
import { closeShop, loadClockOffset, openShop } from '../../base/shop.ts'
import { answerTask } from '../../base/task-process.ts'
import { Synonyms, type TextStore } from '../../search/index.ts'
import { ProductIndexSync } from '../product-index/product-index-sync.ts'
import { openTextStore } from '../search-engine/open-text-store.ts'
import { learnAndSave } from './learn-and-save.ts'

export interface LearningTask {
  connection: pg.PoolConfig
  environment: Environment
  searchEngine: SearchEngine
  /** The end of what is learned from. */
  at: Date
}

answerTask<LearningTask, string>(async ({ connection, environment, searchEngine, at }) => {
  const clock = systemClock()
  const log = openLog({ level: 'warn', clock })
  // It is not started: it neither relays events nor runs jobs.
  const shop = openShop({ environment, connection, poolSize: 2, clock, zone: 'UTC', log, slowQueryMs: 0 })
  const texts = openTextStore(shop, searchEngine)
  try {
    await loadClockOffset(shop)
    const store = texts && readOnly(texts)
    const search = new ProductIndexSync(shop, { log, curated: Synonyms.curated(), store })
    return await learnAndSave(shop.db, { search, at })
  } finally {
    await texts?.close()
    await closeShop(shop)
  }
})

/** The server writes the words; here the index only reads them. */
const readOnly = (store: TextStore): TextStore => ({
  words: (wanted) => store.words(wanted),
  rows: (groups) => store.rows(groups),
  write: async () => {},
  remove: async () => {},
  beginLoad: async () => {},
  endLoad: async () => {},
  close: () => store.close(),
})
