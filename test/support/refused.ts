import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { messageOf } from '../../src/http/messages.ts'
import { refusals, type RefusalCode } from '../../src/http/refusals.ts'
import { withFaults } from '../../src/http/validation.ts'
import { detailsOf, type RuleCode, type RuleFigures } from '../../src/sdk/error-details.ts'

type Required<Fields> = { [Name in keyof Fields as {} extends Pick<Fields, Name> ? never : Name]: unknown }

const amounts = { limit: 'number', used: 'number', requested: 'number' }
const limited = { limit: 'number', requested: 'number' }
const ofCoupon = { coupon: 'string' }

/** What the SDK promises about each rule: these fields are in the violation, or in the details of a rule without one. */
export const ruleFigures: { [Code in RuleCode]: Record<keyof Required<RuleFigures[Code]>, string> } = {
  stock_exceeded: { requested: 'number', available: 'number' },
  purchase_limit_exceeded: amounts,
  product_limit_exceeded: limited,
  credit_limit_exceeded: amounts,
  guest_limit_exceeded: limited,
  authorization_required: limited,
  loan_condition_required: {},
  loan_condition_unavailable: {},
  partner_credit_inactive: {},
  payment_method_not_allowed: {},
  offer_unavailable: {},
  moderation_pending: {},
  delivery_method_required: { partner_id: 'number|string' },
  delivery_unavailable: { partner_id: 'number|string' },
  amount_too_large: { limit: 'number' },
  mandate_required: {},
  mandate_invalid: { mandate_id: 'string', reason: 'string' },
  mandate_category_not_allowed: { category_id: 'number|string', category_ids: 'object' },
  mandate_budget_exceeded: { ...amounts, available: 'number' },
  confirmation_required: { mandate_id: 'string', requested: 'number' },
  cart_empty: {},
  nothing_orderable: {},
  cart_full: limited,
  wishlist_full: limited,
  coupon_unknown: ofCoupon,
  coupon_inactive: { ...ofCoupon, starts_at: 'string' },
  coupon_expired: ofCoupon,
  coupon_used_up: ofCoupon,
  coupon_already_used: ofCoupon,
  coupon_sign_in_required: ofCoupon,
  coupon_not_applicable: ofCoupon,
  coupon_amount_too_low: { ...ofCoupon, ...limited },
  shared_cart_closed: {},
}

/** Every rule of the server has a row above. */
function assertFigures(code: RefusalCode, details: object): void {
  if (refusals[code].type !== 'business_rule_violation') return
  const expected = ruleFigures[code as RuleCode]
  ok(expected, `the SDK has no figures for ${code}`)
  const found = detailsOf({ code, type: refusals[code].type, details }) as Record<string, unknown>
  for (const [name, type] of Object.entries(expected))
    ok(type.split('|').includes(typeof found[name]), `${code}: ${name} is ${JSON.stringify(found[name])}`)
}

interface Answered {
  status: number
  headers: { get(name: string): string | null | undefined }
  text: string
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any
}

/** Internals that no reply may contain: stack traces, SQL, paths, package names, database errors. */
export const leaks =
  /\n\s+at |\.ts\b|node_modules|node:|fastify|FST_|\bpg\b|postgres|SQLSTATE|syntax error at|violates|relation "|\b(select|insert into|update|delete from) [a-z_]+ |\/src\//i

/** Fails unless the reply is this refusal in the standard format. Returns its details. */
// oxlint-disable-next-line typescript/no-explicit-any
export function assertRefused(code: RefusalCode, answered: Answered): any {
  const { status, headers, text, body } = answered
  equal(body?.error?.code, code, `${status} ${text.slice(0, 300)}`)
  equal(status, refusals[code].status)
  deepEqual(Object.keys(body), ['error', 'meta'])
  deepEqual(Object.keys(body.error), ['code', 'message', 'type', 'details'])
  equal(body.error.type, refusals[code].type)
  equal(Object.getPrototypeOf(body.error.details), Object.prototype)
  deepEqual(Object.keys(body.meta), ['request_id', 'timestamp', 'api_version'])
  match(body.meta.request_id, /^[A-Za-z0-9._-]{1,128}$/)
  equal(headers.get('x-request-id'), body.meta.request_id)
  match(body.meta.timestamp, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  equal(body.meta.api_version, 'v1')
  equal(headers.get('content-type'), 'application/json; charset=utf-8')
  const language = headers.get('content-language') as 'ru' | 'uz' | 'en'
  const sentence = messageOf(code, body.error.details, language)
  const { fields } = body.error.details
  equal(body.error.message, fields ? withFaults(sentence, fields, language) : sentence)
  assertFigures(code, body.error.details)
  if (code === 'conflict') ok(body.error.message !== refusals.conflict[language], text)
  for (const name of ['server', 'x-powered-by']) equal(headers.get(name) ?? null, null)
  equal(leaks.test(text), false, text.slice(0, 300))
  const { violations, ...details } = body.error.details
  return violations ? { ...details, violations: withoutMessages(violations) } : details
}

/** Every violation has a text; the tests compare the rest. */
function withoutMessages(violations: Record<string, unknown>[]): Record<string, unknown>[] {
  return violations.map(({ message, ...rest }) => {
    match(String(message), /^[^{}]+\.$/)
    return rest
  })
}
