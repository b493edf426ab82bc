import { Refusal } from '../../base/refusal.ts'

const tries = 8
const passing = ['service_unavailable', 'storage_unavailable']

/** Does something again when the database could not do it just now: a training has time, and much to lose. */
export async function patiently<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof Refusal) || !passing.includes(error.code) || attempt === tries) throw error
      await new Promise((done) => setTimeout(done, 500 * 2 ** attempt))
    }
  }
}
