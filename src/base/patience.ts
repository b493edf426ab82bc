import { Refusal } from './refusal.ts'

const usualTries = 5

/**
 * A busy or restarting database is waited for, each time twice as long: the hour that a long work took is not lost for a
 * moment of that.
 */
export async function withPatience<T>(work: () => Promise<T>, { tries = usualTries } = {}): Promise<T> {
  for (let attempt = 1; ; attempt++)
    try {
      return await work()
    } catch (error) {
      const waitSeconds = error instanceof Refusal ? error.details['retry_after'] : undefined
      if (typeof waitSeconds !== 'number' || attempt === tries) throw error
      await new Promise((done) => setTimeout(done, waitSeconds * 1000 * 2 ** (attempt - 1)))
    }
}
