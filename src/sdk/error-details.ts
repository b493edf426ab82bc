// The `details` of errors, one type per code. The document describes what replies may have; here is what each code has.

import type { ErrorDetails as Documented, Remedy, Violation } from './schema.ts'

/** A number in the cart's API, decimal digits in `/v1`. */
type Id = number | string

/** The line that a rule is about. */
interface OfLine {
  offer_id?: Id
  moderated_offer_id?: Id
}

/** The figures of every rule of the shop. Money is in sums. */
export interface RuleFigures {
  stock_exceeded: OfLine & { requested: number; available: number }
  purchase_limit_exceeded: { limit: number; used: number; requested: number }
  /** With `used` the limit is for thirty days, else for one order. */
  product_limit_exceeded: OfLine & { limit: number; requested: number; used?: number }
  credit_limit_exceeded: { limit: number; used: number; requested: number }
  /** Units of a line, or the amount of the cart when no line is named. */
  guest_limit_exceeded: OfLine & { limit: number; requested: number }
  authorization_required: { limit: number; requested: number }
  loan_condition_required: OfLine
  loan_condition_unavailable: OfLine
  partner_credit_inactive: OfLine
  payment_method_not_allowed: {}
  offer_unavailable: OfLine
  moderation_pending: OfLine
  delivery_method_required: { partner_id: Id }
  delivery_unavailable: { partner_id: Id }
  amount_too_large: { limit: number }
  mandate_required: {}
  mandate_invalid: { mandate_id: string; reason: 'unknown' | 'expired' | 'revoked'; expires_at?: string }
  mandate_category_not_allowed: OfLine & { category_id: Id; category_ids: Id[] }
  mandate_budget_exceeded: { limit: number; used: number; requested: number; available: number }
  confirmation_required: { mandate_id: string; requested: number }
  cart_empty: {}
  nothing_orderable: {}
  cart_full: { limit: number; requested: number }
  wishlist_full: { limit: number; requested: number }
  coupon_unknown: { coupon: string }
  coupon_inactive: { coupon: string; starts_at: string }
  coupon_expired: { coupon: string }
  coupon_used_up: { coupon: string }
  coupon_already_used: { coupon: string }
  coupon_sign_in_required: { coupon: string }
  coupon_not_applicable: { coupon: string }
  coupon_amount_too_low: { coupon: string; limit: number; requested: number }
  shared_cart_closed: {}
}

export type RuleCode = keyof RuleFigures

/** What is in the way of a request, by the `reason` of a `conflict`. */
export interface ConflictReasons {
  taken: { field: string; value?: unknown }
  in_use: { id: string; used_by: string; count?: number }
  reference_gone: { field: string; value: string }
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
  model_unusable: { model_id: string; cause: string }
  no_active_model: {}
  model_changed: {}
  experiment_running: { experiment_id: string; layers: string[] }
}

/** `reason` decides which other fields there are. */
export type ConflictDetails = {
  [Reason in keyof ConflictReasons]: { reason: Reason } & ConflictReasons[Reason]
}[keyof ConflictReasons]

/** Details of other codes that are more exact than the document. */
interface Exact {
  conflict: ConflictDetails
  invalid_json: Documented['invalid_json'] & { reason?: 'syntax' | 'empty' | 'invalid_encoding' | 'too_deep' }
  unauthorized: {
    reason: 'missing' | 'scheme' | 'malformed' | 'unknown' | 'revoked' | 'token_expired'
    expires_at?: string
  }
  two_step_required: { reason: 'missing' | 'wrong' }
  insufficient_permissions: Documented['insufficient_permissions'] & {
    needs?: 'staff' | 'member' | 'owner' | 'client' | 'session' | 'live'
  }
  origin_mismatch: {
    header: 'X-CSRF-Token'
    reason: 'missing' | 'wrong'
    /** What the page sent as `Origin`. */
    origin?: string
    own_origin: string
  }
}

/**
 * The details of every error code. A rule of the shop has the figures of the violation that gave the error its code, and
 * all violations.
 */
export type ErrorDetails = {
  [Code in keyof Documented]: Code extends RuleCode
    ? RuleFigures[Code] & { remedy?: Remedy; violations: Violation[] }
    : Code extends keyof Exact
      ? Exact[Code]
      : Documented[Code]
}

interface Sent {
  code: string
  type: string
  details?: object
}

/** The details of a reply; those of a rule with the figures of the violation that has the error's code. */
export function detailsOf({ code, type, details = {} }: Sent): object {
  if (type !== 'business_rule_violation') return details
  const { violations = [] } = details as { violations?: Violation[] }
  const { code: _code, message: _message, ...figures } = violations.find((it) => it.code === code) ?? {}
  return { violations, ...figures, ...details }
}
