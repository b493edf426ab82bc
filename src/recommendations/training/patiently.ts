import { withPatience } from '../../base/patience.ts'

/** A training has time, and much to lose: a database that is busy for some minutes is waited for. */
export const patiently = <T>(work: () => Promise<T>): Promise<T> => withPatience(work, { tries: 8 })
