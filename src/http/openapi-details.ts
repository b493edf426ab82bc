// The `details` of every error code, as schemas. A field that is not required is sent when it applies. The schemas are
// open: fields may be added.

import type { ConflictReason } from '../base/conflict.ts'
import type { JsonSchema } from './openapi-example.ts'
import { type RefusalCode, refusals, ruleCodes } from './refusals.ts'

const string: JsonSchema = { type: 'string' }
const number: JsonSchema = { type: 'number' }
const integer: JsonSchema = { type: 'integer' }
/** A number in the cart's API, decimal digits in `/v1`. */
const anyId: JsonSchema = { type: ['integer', 'string'] }
const strings: JsonSchema = { type: 'array', items: string }
const oneOf = (...values: string[]): JsonSchema => ({ type: 'string', enum: values })
const instant: JsonSchema = { type: 'string', format: 'date-time' }
const described = (schema: JsonSchema, description: string): JsonSchema => ({ ...schema, description })

const object = (properties: Record<string, JsonSchema>, required: string[] = []): JsonSchema => ({
  type: 'object',
  ...(required.length > 0 && { required }),
  properties,
})

const component = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` })

const nothing: JsonSchema = object({})
const retry = object({ retry_after: described(integer, 'Seconds to wait.') }, ['retry_after'])
const violated = object({ violations: { type: 'array', items: component('Violation'), minItems: 1 } }, [
  'violations',
])
const buyer = object(
  {
    accepted: described(strings, 'The fields that can name the buyer; in a merge those that are missing.'),
    reason: described(oneOf('merge'), 'A merge needs the guest and the client.'),
  },
  ['accepted'],
)
const field = object({ field: described(string, 'The field that names another buyer.') }, ['field'])
const header = object({
  header: described(string, 'The name of the header.'),
  allowed: described(strings, 'The allowed values.'),
  examples: described(strings, 'Values that are allowed.'),
  reason: string,
})

/** A record, so that the compiler finds a reason that is missing. */
// oxfmt-ignore
const conflictReasons: Record<ConflictReason, true> = {
  taken: true, in_use: true, reference_gone: true, field_in_use: true, has_children: true, changed_meanwhile: true,
  last_owner: true, invitation_open: true, two_step_is_on: true, two_step_is_off: true, two_step_not_begun: true,
  merged_or_erased: true, no_secret: true, too_many_keys: true, too_many_secrets: true, clock_too_far: true,
  demo_record_refused: true, participants_full: true, slug_taken: true, key_taken: true, too_many_campaigns: true,
  too_many_webhooks: true, period_too_long: true, queue_full: true, training_running: true, model_unusable: true,
  no_active_model: true, model_changed: true, experiment_running: true,
}

// oxfmt-ignore
const detailSchemas: Partial<Record<RefusalCode, JsonSchema>> = {
  invalid_json:            object({ reason: oneOf('syntax', 'empty', 'invalid_encoding', 'too_deep'), limit: integer, line: described(integer, 'Where the syntax is wrong, if it is known.'), column: integer }),
  invalid_header:          header,
  buyer_required:          buyer,
  unauthorized:            object({ reason: oneOf('missing', 'scheme', 'malformed', 'unknown', 'revoked', 'token_expired'), expires_at: instant }),
  insufficient_permissions: object({ required_scopes: strings, current_scopes: strings, needs: described(oneOf('staff', 'member', 'owner', 'client', 'session', 'live'), 'Who may call; `live` is no test key. Absent when only a scope is missing.') }),
  buyer_mismatch:          field,
  origin_mismatch:         object({ header: oneOf('X-CSRF-Token'), reason: oneOf('missing', 'wrong'), origin: described(string, 'What the page sent as `Origin`.'), own_origin: described(string, 'The origin whose pages need no token.') }),
  two_step_required:       object({ reason: oneOf('missing', 'wrong') }),
  not_found:               object({ resource: described(string, 'What was not found.'), id: described({ type: ['string', 'null'] }, 'The id that was sent.'), path: described(string, 'The field that holds the id.'), position: integer, place: described(oneOf('cart', 'wishlist', 'shared_cart'), 'Where it was looked for, if it may exist elsewhere.') }),
  method_not_allowed:      object({ allowed: strings }),
  not_acceptable:          object({ available: strings }),
  payload_too_large:       object({ limit_bytes: integer, limit_lines: integer }),
  uri_too_long:            object({ limit: integer }),
  unsupported_media_type:  object({ expected: string }),
  idempotency_in_progress: retry,
  conflict:                object({ field: described(string, 'The field that is in conflict.'), value: described({}, 'Its value.'), reason: described(oneOf(...Object.keys(conflictReasons)), 'What it is in conflict with; decides which other details there are.'), limit: number }),
  invalid_transition:      object({ state: described(string, 'The present state.'), status: string, requested: described(string, 'The step that was asked for.'), allowed: described(strings, 'The steps that are possible now.') }, ['requested', 'allowed']),
  price_changed:           object({ expected: number, actual: described(number, 'What ordering would cost now.'), currency: string, actual_total: described(object({ amount: integer, currency: string }, ['amount', 'currency']), 'In `/v1`: what to send as `expected_total`.'), lines: { type: 'array', items: component('ChangedLine') } }, ['expected', 'actual', 'lines']),
  version_mismatch:        object({ current: described({ type: ['integer', 'string'] }, 'The version that exists.'), sent: described({ type: ['integer', 'string'] }, 'The version in `If-Match`.') }),
  validation_failed:       object({ fields: { type: 'array', items: component('FieldFault') } }, ['fields']),
  idempotency_key_reused:  object({ key: string }, ['key']),
  rate_limit_exceeded:     object({ retry_after: described(integer, 'Seconds to wait.'), limit: integer, remaining: integer, reset_at: instant }, ['retry_after', 'limit', 'remaining', 'reset_at']),
  service_unavailable:     retry,
  storage_unavailable:     retry,
}

/** The actions that a remedy can propose. */
// oxfmt-ignore
export const remedyActions = [
  'set_quantity', 'remove', 'add', 'wait', 'sign_in', 'choose_loan_condition', 'clear_loan_condition',
  'choose_payment_method', 'pay_elsewhere', 'choose_delivery', 'remove_coupon', 'create_shared_cart', 'name_mandate',
  'request_mandate', 'request_confirmation', 'adjust_stock',
] as const
export type RemedyAction = (typeof remedyActions)[number]

const isRule = (code: RefusalCode): boolean => refusals[code].type === 'business_rule_violation'

/** Broken rules of the shop list all violations; some of them come from rules that have none. */
const detailsOf = (code: RefusalCode): JsonSchema =>
  detailSchemas[code] ?? (isRule(code) ? { ...violated, required: [] } : nothing)

/** `stock_exceeded` is described by `StockExceededError`. */
const errorName = (code: string): string =>
  `${code.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())}Error`

const shared: Record<string, JsonSchema> = {
  FieldFault: {
    title: 'FieldFault',
    ...object(
      {
        path: described(string, 'The field, with dots between nested names; empty for the whole body.'),
        rule: described(
          string,
          'The rule it breaks, for programs: `required`, `choice`, `max_length` and others; rules may be added.',
        ),
        message: described(string, 'For people, in the requested language.'),
        limit: described({}, 'The limit, the allowed values, or an example.'),
      },
      ['path', 'rule'],
    ),
  },
  Remedy: {
    title: 'Remedy',
    description: 'A change that would be accepted.',
    ...object(
      {
        action: described(oneOf(...remedyActions), 'What to do.'),
        quantity: described(integer, 'For `set_quantity`: the most that would be accepted.'),
        change: described(integer, 'For `adjust_stock`: the change that leaves no unit.'),
        loan_condition_ids: { type: 'array', items: anyId },
        payment_method_ids: { type: 'array', items: anyId },
        delivery_method_ids: { type: 'array', items: anyId },
        cart_version: described(integer, 'The version of the cart that the client confirms.'),
      },
      ['action'],
    ),
  },
  Violation: {
    title: 'Violation',
    description: 'A broken rule. Money is in sums.',
    ...object(
      {
        code: described(oneOf(...ruleCodes), 'The code of the rule, one of the error codes.'),
        message: described(string, 'For people, in the requested language.'),
        offer_id: anyId,
        moderated_offer_id: anyId,
        partner_id: anyId,
        limit: number,
        used: number,
        requested: number,
        available: described(number, 'What could be had instead.'),
        mandate_id: string,
        reason: described(oneOf('unknown', 'expired', 'revoked'), 'Why a mandate cannot be used.'),
        expires_at: instant,
        category_id: described(
          { type: ['integer', 'string'] },
          'The category of the product; a string in `/v1`.',
        ),
        category_ids: described(
          { type: 'array', items: { type: ['integer', 'string'] } },
          'The categories of the mandate.',
        ),
        coupon: described(string, 'The code of the coupon that the rule is about.'),
        starts_at: instant,
        remedy: component('Remedy'),
      },
      ['code'],
    ),
  },
  ChangedLine: {
    title: 'ChangedLine',
    ...object(
      {
        offer_id: anyId,
        moderated_offer_id: anyId,
        quantity: integer,
        price_at_add: number,
        price: number,
        amount: number,
        reason: { type: ['string', 'null'] },
      },
      ['quantity', 'price_at_add', 'price', 'amount'],
    ),
  },
}

/** One schema per code, and `ApiError`, their union with `code` as the discriminator. */
export function errorSchemas(): Record<string, JsonSchema> {
  const codes = Object.keys(refusals) as RefusalCode[]
  const single = codes.map((code): [string, JsonSchema] => [
    errorName(code),
    {
      title: errorName(code),
      description: refusals[code].en,
      ...object(
        {
          code: { ...string, const: code, description: 'For programs. Codes never change.' },
          message: described(string, 'For people, in the requested language.'),
          type: { ...string, const: refusals[code].type },
          details: detailsOf(code),
        },
        ['code', 'message', 'type', 'details'],
      ),
    },
  ])
  return {
    ...shared,
    ...Object.fromEntries(single),
    ApiError: {
      title: 'ApiError',
      oneOf: codes.map((code) => component(errorName(code))),
      discriminator: {
        propertyName: 'code',
        mapping: Object.fromEntries(codes.map((code) => [code, component(errorName(code)).$ref!])),
      },
    },
  }
}
