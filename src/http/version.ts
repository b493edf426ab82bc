import { refuse } from '../base/refusal.ts'

/** Refuses a write by somebody who has not seen the present version (`If-Match`). */
export function refuseStale(current: { version: number }, ifMatch: number | undefined): void {
  if (ifMatch !== undefined && ifMatch !== current.version)
    throw refuse('version_mismatch', { current: current.version, sent: ifMatch })
}
