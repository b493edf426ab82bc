import { refuse } from '../base/refusal.ts'

/** Refuses a step that the present state does not allow, and says which ones it does. */
export const notNow = (state: string, asked: string, allowed: readonly string[]) =>
  refuse('invalid_transition', { state, asked, allowed })
