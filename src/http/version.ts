import { refuse } from '../base/refusal.ts'

/** Throws if `If-Match` names another version than the current one. */
export function requireVersion(current: { version: number }, ifMatch: number | undefined): void {
  if (ifMatch !== undefined && ifMatch !== current.version)
    throw refuse('version_mismatch', { current: current.version, sent: ifMatch })
}
