// An acquirer over HTTP: one address that is asked by POST, in a form that any bank's interface can be brought into by a
// small program beside it (docs/payments.md). It is also the model of an acquirer in one file.

import { Type } from 'typebox'
import type { Clock } from '../../base/clock.ts'
import type { Environment } from '../../base/db.ts'
import { openSender } from '../../base/post.ts'
import { timedUuid } from '../../base/random.ts'
import { faultFinder } from '../../base/shape.ts'
import { isSigned, signedHeaders } from '../../base/sign.ts'
import type { Acquirer, Callback, Outcome, RefundOutcome } from './acquirer.ts'

export interface GatewayOptions {
  url: string
  environment: Environment
  /** What our questions are let in by. */
  token: string | undefined
  /** What questions and callbacks are signed with; without it no callback is believed. */
  secret: string | undefined
  /** The machine's own clock: the other side compares it with its own. */
  clock: Clock
}

export const gatewayName = 'gateway'

export function gateway(options: GatewayOptions): Acquirer {
  const ask = (question: Question) => asked(options, question)
  return {
    name: gatewayName,
    authorise: async ({ paymentId, amountTiyin, capturesAtOnce, card }) =>
      outcomeIn(
        await ask({
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
    capture: async (paymentId) => outcomeIn(await ask({ ask: 'capture', payment_id: paymentId })),
    void: async (paymentId) => outcomeIn(await ask({ ask: 'void', payment_id: paymentId })),
    refund: async (paymentId, { refundId, amountTiyin }) =>
      refundOutcomeIn(
        await ask({ ask: 'refund', payment_id: paymentId, refund_id: refundId, amount: amountTiyin }),
      ),
    find: async (paymentId) => {
      const reply = await ask({ ask: 'find', payment_id: paymentId })
      return reply.status === 'unknown' ? undefined : outcomeIn(reply)
    },
    callbackIn: ({ headers, bytes }) =>
      options.secret !== undefined && isSigned({ headers, body: bytes.toString() }, options.secret)
        ? callbackIn(bytes, String(headers['webhook-id']))
        : undefined,
  }
}

interface Question {
  ask: 'authorise' | 'capture' | 'void' | 'refund' | 'find'
  payment_id: string
  [field: string]: unknown
}

interface Said {
  status: string
  code?: string
  action_url?: string
}

const compile = faultFinder()
const said = {
  status: Type.String({ maxLength: 20 }),
  code: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
}
const faultsInReply = compile(
  Type.Object({
    ...said,
    action_url: Type.Optional(Type.String({ maxLength: 2_000, pattern: '^https?://' })),
  }),
)
const uuid = '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
const faultsInCallback = compile(Type.Object({ ...said, payment_id: Type.String({ pattern: uuid }) }))

/** Asks, and throws unless it is clear what was answered: then the same question comes again later. */
async function asked(
  { url, environment, token, secret, clock }: GatewayOptions,
  question: Question,
): Promise<Said> {
  const at = clock.now()
  const body = JSON.stringify({ ...question, environment })
  const sender = openSender(null)
  const { status, reply, error } = await sender
    .send(
      url,
      {
        'content-type': 'application/json; charset=utf-8',
        ...(secret !== undefined && signedHeaders({ id: timedUuid(at), body, at }, [secret])),
        'user-agent': 'Bozor-Payments/1.0',
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      body,
    )
    .finally(() => sender.close())
  if (error !== null || status !== 200) throw new Error(`the gateway said ${status ?? error}`)
  return readable(reply!.body, faultsInReply) as Said
}

function readable(text: string, faultsIn: ReturnType<typeof compile>): unknown {
  const value: unknown = JSON.parse(text)
  const [fault] = faultsIn(value)
  if (fault) throw new Error(`the gateway's ${fault.path} breaks "${fault.rule}"`)
  return value
}

function outcomeIn({ status, code = 'failed', action_url: actionUrl }: Said): Outcome {
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
      throw new Error(`the gateway knows a state "${status}" that nobody here does`)
  }
}

function refundOutcomeIn({ status, code = 'failed' }: Said): RefundOutcome {
  if (status === 'refunded') return { status }
  if (status === 'failed') return { status, code }
  throw new Error(`the gateway knows an end of a refund "${status}" that nobody here does`)
}

/** A callback that cannot be read is no callback; its sender is told that nobody heard it. */
function callbackIn(bytes: Buffer, id: string): Callback | undefined {
  try {
    const told = readable(bytes.toString(), faultsInCallback) as Said & { payment_id: string }
    return { id, paymentId: told.payment_id, outcome: outcomeIn(told) }
  } catch {
    return undefined
  }
}
