// Errors as results that an agent can act on: what is wrong, the figures, and the next step.

import { Refusal } from '../base/refusal.ts'
import type { Language } from '../http/language.ts'
import { messageOf } from '../http/messages.ts'
import type { RefusalCode } from '../http/refusals.ts'
import { BozorConnectionError, BozorError } from '../sdk/index.ts'

/** What an agent does about an error. Errors without a line here explain themselves in `message` and `details`. */
const nextSteps: Partial<Record<string, string>> = {
  mandate_required:
    'Ask the buyer to grant a mandate to this application (in the shop account, /shop/en/account/mandates, or POST /v1/mandates in their own session), then call list_mandates.',
  'mandate_required several':
    'Choose the one of `mandates` whose `left` and `category_ids` cover the cart, and call order again with its mandate_id. If several do, ask the buyer which.',
  mandate_invalid: 'Call list_mandates and use an active one, or ask the buyer for a new mandate.',
  mandate_category_not_allowed:
    'Remove the named lines with remove_from_cart, or ask the buyer for a mandate that covers their categories.',
  mandate_budget_exceeded:
    'Remove lines until the order costs at most `available`, or ask the buyer for a larger mandate.',
  confirmation_required:
    'Show the cart and the total to the buyer. The buyer confirms this cart version in the shop account (/shop/en/account/mandates) or in their own session (POST /v1/mandates/{mandate_id}/confirmations). Do not change the cart, and call order again.',
  price_changed:
    'Show `actual` to the buyer. If the buyer agrees, call order again with it as expected_total.',
  stock_exceeded: 'Lower the quantity to `available` of the violation, or choose another offer.',
  offer_unavailable: 'Remove the offer and choose another one with search_products.',
  cart_empty: 'Add items with add_to_cart first.',
  nothing_orderable: 'Remove the unavailable lines and add others.',
  buyer_required: 'Connect with a token of a client, or start bozor mcp with --client.',
  insufficient_permissions:
    'Ask the buyer to authorize the application again with the scopes in `required_scopes`.',
  unauthorized: 'Refresh the access token and connect again.',
  not_found: 'Check the id: search_products, view_cart and list_orders return valid ones.',
  delivery_method_required: 'Call list_delivery_methods and send one delivery method per partner.',
  delivery_unavailable: 'Call list_delivery_methods for the region and choose one of its methods.',
  payment_method_not_allowed: 'Choose one of `payment_method_ids` in the remedy.',
  rate_limit_exceeded: 'Wait `retry_after` seconds and repeat the call.',
}

const defaultStep =
  'Correct the input as `message` and `details` say, or tell the buyer why it is not possible.'

interface Refused {
  code: string
  message: string
  details: object
  /** In place of the usual next step. */
  what_to_do?: string
}

/** The result of a tool that was refused. Nothing has changed. */
export const refusedResult = (refused: Refused): McpToolResult =>
  errorResult({ what_to_do: nextStep(refused), ...refused })

function nextStep({ code, details }: Refused): string {
  const { reason } = details as { reason?: unknown }
  return nextSteps[`${code} ${String(reason)}`] ?? nextSteps[code] ?? defaultStep
}

const errorResult = (error: Record<string, unknown>): McpToolResult => ({
  isError: true,
  content: [{ type: 'text', text: JSON.stringify({ error }) }],
  structuredContent: { error },
})

/** The result for an error of the SDK or a refusal of a tool; other errors are defects and are thrown. */
export function resultOfError(error: unknown, language: Language): McpToolResult {
  if (error instanceof Refusal) {
    const { code, details } = error
    return refusedResult({ code, message: messageOf(code as RefusalCode, details, language), details })
  }
  if (error instanceof BozorError)
    return refusedResult({ code: error.code, message: error.message, details: error.details })
  if (error instanceof BozorConnectionError)
    return errorResult({
      code: 'unreachable',
      message: 'The shop did not reply.',
      details: {},
      what_to_do: 'Repeat the call in a minute; repeat order with the same idempotency_key.',
    })
  throw error
}
