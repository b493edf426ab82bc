// An acquirer over HTTP: one URL that receives POST requests. A small adapter translates them for a bank
// (docs/payments.md). This file is also the example to follow for other acquirers.

import { Type } from 'typebox'
import type { Clock } from '../../base/clock.ts'
import type { Environment } from '../../base/database.ts'
import { openHttpSender } from '../../base/http-post.ts'
import { timedUuid } from '../../base/random.ts'
import { validatorCompiler } from '../../base/validation.ts'
import { hasValidSignature, signatureHeaders } from '../../base/signature.ts'
import type { Acquirer, Callback, Outcome, RefundOutcome } from './acquirer.ts'

export interface GatewayOptions {
  url: string
  environment: Environment
  /** Sent as the bearer token of requests. */
  token: string | undefined
  /** Signs requests and callbacks; without it all callbacks are rejected. */
  secret: string | undefined
  /** The system clock, because the gateway compares timestamps with its own clock. */
  clock: Clock
}

export const gatewayName = 'gateway'

export function gateway(options: GatewayOptions): Acquirer {
  const send = (request: GatewayRequest) => sendRequest(options, request)
  return {
    name: gatewayName,
    authorise: async ({ paymentId, amountTiyin, capturesAtOnce, card }) =>
      outcomeIn(
        await send({
          ask: 'authorise',
          payment_id: paymentId,
          amount: amountTiyin,
          currency: 'UZS',
          capture: capturesAtOnce,
          card: {
            number: card.number,
            expiry_month: card.expiryMonth,
            expiry_year: card.expiryYear,
            cvc: card.cvc,
          },
        }),
      ),
    capture: async (paymentId) => outcomeIn(await send({ ask: 'capture', payment_id: paymentId })),
    void: async (paymentId) => outcomeIn(await send({ ask: 'void', payment_id: paymentId })),
    refund: async (paymentId, { refundId, amountTiyin }) =>
      refundOutcomeIn(
        await send({ ask: 'refund', payment_id: paymentId, refund_id: refundId, amount: amountTiyin }),
      ),
    find: async (paymentId) => {
      const reply = await send({ ask: 'find', payment_id: paymentId })
      return reply.status === 'unknown' ? undefined : outcomeIn(reply)
    },
    callbackIn: ({ headers, bytes }) =>
      options.secret !== undefined && hasValidSignature({ headers, body: bytes.toString() }, options.secret)
        ? callbackIn(bytes, String(headers['webhook-id']))
        : undefined,
  }
}

interface GatewayRequest {
  ask: 'authorise' | 'capture' | 'void' | 'refund' | 'find'
  payment_id: string
  [field: string]: unknown
}

interface GatewayReply {
  status: string
  code?: string
  action_url?: string
}

const compile = validatorCompiler()
const replyFields = {
  status: Type.String({ maxLength: 20 }),
  code: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
}
const errorsInReply = compile(
  Type.Object({
    ...replyFields,
    action_url: Type.Optional(Type.String({ maxLength: 2_000, pattern: '^https?://' })),
  }),
)
const uuid = '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
const errorsInCallback = compile(Type.Object({ ...replyFields, payment_id: Type.String({ pattern: uuid }) }))

/** Sends a request. Throws unless the reply is valid; the request is then repeated later. */
async function sendRequest(
  { url, environment, token, secret, clock }: GatewayOptions,
  request: GatewayRequest,
): Promise<GatewayReply> {
  const at = clock.now()
  const body = JSON.stringify({ ...request, environment })
  const sender = openHttpSender(null)
  const { status, reply, error } = await sender
    .send(
      url,
      {
        'content-type': 'application/json; charset=utf-8',
        ...(secret !== undefined && signatureHeaders({ id: timedUuid(at), body, at }, [secret])),
        'user-agent': 'Bozor-Payments/1.0',
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      body,
    )
    .finally(() => sender.close())
  if (error !== null || status !== 200) throw new Error(`the gateway replied with ${status ?? error}`)
  return parseValid(reply!.body, errorsInReply) as GatewayReply
}

function parseValid(text: string, errorsIn: ReturnType<typeof compile>): unknown {
  const value: unknown = JSON.parse(text)
  const [first] = errorsIn(value)
  if (first) throw new Error(`the gateway sent an invalid ${first.path}: rule "${first.rule}"`)
  return value
}

function outcomeIn({ status, code = 'failed', action_url: actionUrl }: GatewayReply): Outcome {
  switch (status) {
    case 'pending':
      return { status, ...(actionUrl !== undefined && { actionUrl }) }
    case 'authorised':
    case 'captured':
    case 'voided':
      return { status }
    case 'failed':
      return { status, code }
    default:
      throw new Error(`the gateway sent an unknown payment status "${status}"`)
  }
}

function refundOutcomeIn({ status, code = 'failed' }: GatewayReply): RefundOutcome {
  if (status === 'refunded') return { status }
  if (status === 'failed') return { status, code }
  throw new Error(`the gateway sent an unknown refund status "${status}"`)
}

/** An invalid callback gives undefined; its sender gets an error reply. */
function callbackIn(bytes: Buffer, id: string): Callback | undefined {
  try {
    const callback = parseValid(bytes.toString(), errorsInCallback) as GatewayReply & { payment_id: string }
    return { id, paymentId: callback.payment_id, outcome: outcomeIn(callback) }
  } catch {
    return undefined
  }
}
