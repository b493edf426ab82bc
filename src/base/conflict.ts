// Conflicts with stored data. Every reason has the details that its message needs: which record, which field, which figure.

import { type Refusal, refuse } from './refusal.ts'

/** The details of every reason. Reasons are part of the API. */
export interface ConflictDetails {
  /** Another record has the value. `value` is missing when one of many records clashed. */
  taken: { field: string; value?: unknown }
  /** Others refer to the record that shall be deleted; `used_by` is what they are in the API. */
  in_use: { id: string; used_by: string; count?: number }
  /** What the field refers to was deleted meanwhile. */
  reference_gone: { field: string; value: string }
  /** The field cannot change while others use the record. */
  field_in_use: { field: string; value?: unknown; used_by: string }
  has_children: { id: string }
  changed_meanwhile: { field: string }
  last_owner: { member_id: string }
  invitation_open: { field: 'email'; value: string }
  two_step_is_on: {}
  two_step_is_off: {}
  two_step_not_begun: {}
  merged_or_erased: { client_id: string }
  no_secret: { application_type: string }
  too_many_keys: { limit: number }
  too_many_secrets: { limit: number }
  clock_too_far: { limit: number }
  demo_record_refused: { record: string; id: unknown; field: string; value?: unknown; rule: string }
  participants_full: { limit: number }
  slug_taken: { slug: string; channel: string }
  key_taken: { notification_id: string }
  too_many_campaigns: { limit: number }
  too_many_webhooks: { limit: number }
  period_too_long: { limit: number }
  queue_full: { limit: number; available: number }
  training_running: { training_id: string }
  /** `cause` is for programmers: why the file of the model cannot be read. */
  model_unusable: { model_id: string; cause: string }
  no_active_model: {}
  model_changed: {}
  experiment_running: { experiment_id: string; layers: string[] }
}

export type ConflictReason = keyof ConflictDetails

/** The refusal of a request that does not fit the stored data. */
export const conflict = <Reason extends ConflictReason>(
  reason: Reason,
  details: ConflictDetails[Reason],
): Refusal => refuse('conflict', { ...details, reason })
