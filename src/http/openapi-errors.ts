// The envelope and the errors of the OpenAPI document.

import { apiVersion } from './envelope.ts'
import type { JsonSchema } from './openapi-example.ts'
import { refusals, type RefusalCode } from './refusals.ts'

export const errorExample = (code: RefusalCode) => ({
  summary: refusals[code].en,
  value: {
    error: {
      code,
      message: refusals[code].en,
      type: refusals[code].type,
      details: detailExamples[code] ?? ruleExample(code),
    },
    meta: metaExample,
  },
})

const detailExamples: Partial<Record<RefusalCode, Record<string, unknown>>> = {
  unauthorized: { reason: 'token_expired', expires_at: '2026-11-01T09:00:00.000Z' },
  insufficient_permissions: { required_scopes: ['catalog:write'], current_scopes: ['catalog:read'] },
  rate_limit_exceeded: { retry_after: 12, limit: 1000, remaining: 0, reset_at: '2026-11-01T09:00:12.000Z' },
  validation_failed: { fields: [{ path: 'name', rule: 'required', message: 'is required' }] },
  price_changed: {
    expected: 1_299_000,
    actual: 1_399_000,
    lines: [{ offer_id: 1000, quantity: 1, price_at_add: 1_299_000, price: 1_399_000, amount: 1_399_000 }],
  },
  not_found: { resource: 'brand', id: '77' },
  stock_exceeded: {
    violations: [
      {
        code: 'stock_exceeded',
        offer_id: 1000,
        requested: 5,
        available: 3,
        remedy: { action: 'set_quantity', quantity: 3 },
      },
    ],
  },
  purchase_limit_exceeded: {
    violations: [
      {
        code: 'purchase_limit_exceeded',
        limit: 50_000_000,
        used: 48_000_000,
        requested: 3_500_000,
        remedy: { action: 'remove' },
      },
    ],
  },
  buyer_required: { accepted: ['ClientId', 'SessionId'] },
  buyer_mismatch: { field: 'ClientId' },
  invalid_transition: { state: 'cancelled', requested: 'ship', allowed: [] },
  version_mismatch: { current: 4, sent: 3 },
  conflict: { field: 'slug', value: 'phones', reason: 'taken' },
  invalid_header: { header: 'X-Timezone', examples: ['Asia/Tashkent', 'UTC'] },
  invalid_json: { reason: 'syntax' },
  idempotency_in_progress: { retry_after: 1 },
  idempotency_key_reused: { key: 'order-7712-attempt' },
  service_unavailable: { retry_after: 1 },
  storage_unavailable: { retry_after: 2 },
}

const ruleExample = (code: RefusalCode): Record<string, unknown> =>
  refusals[code].type === 'business_rule_violation'
    ? { violations: [{ code, offer_id: 1000, remedy: { action: 'remove' } }] }
    : {}

export const metaExample = {
  request_id: '6b1f0c3e-6a53-4a53-9d1a-1f4f0a1c2b3d',
  timestamp: '2026-11-01T09:00:00.000Z',
  api_version: apiVersion,
}

const word: JsonSchema = { type: 'string' }

export const metaSchema: JsonSchema = {
  type: 'object',
  required: ['request_id', 'timestamp', 'api_version'],
  properties: {
    request_id: {
      ...word,
      description: 'Your `X-Request-ID`, or a generated id. Give it when you ask for support.',
    },
    timestamp: {
      ...word,
      format: 'date-time',
      description: 'When the reply was made, by the clock of the environment.',
    },
    api_version: { ...word, const: apiVersion },
  },
}

export const errorSchema: JsonSchema = {
  title: 'ErrorReply',
  type: 'object',
  required: ['error', 'meta'],
  properties: {
    error: { $ref: '#/components/schemas/ApiError' },
    meta: { $ref: '#/components/schemas/Meta' },
  },
}
