import type { Job } from '../../base/jobs.ts'
import { purge, purged } from '../store/oauth.ts'

const batchRows = 1_000

/** Forgets tokens, grants and interrupted requests that ended long ago, so that no table grows without end. */
export const forgetTokens: Job = {
  name: 'forget-tokens',
  cron: '0 20 * * * ?',
  meaning: 'Forgets tokens and requests for authorization that ended a week ago, and grants without tokens.',
  run: async (work) => {
    const forgotten = []
    for (const what of purged)
      for (let total = 0; ;) {
        const count = await work.transaction((tx) => purge(tx, what, batchRows))
        total += count
        if (count === batchRows) continue
        forgotten.push(`${total} ${what}`)
        break
      }
    return `forgot ${forgotten.join(', ')}`
  },
}
