// A fake bank: an HTTP server that implements the gateway protocol of docs/payments.md and stores its own charges.

import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'
import { Webhook } from 'standardwebhooks'

export const bankSecret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
export const bankToken = 'let-me-in'
export const bankCards = { good: '8600000000000015', poor: '8600000000000031', slow: '8600000000000056' }

interface Charge {
  status: string
  amount: number
  refunds: Map<string, number>
}

// Untyped: tests read the fields they expect, and a wrong name fails the test.
// oxlint-disable-next-line typescript/no-explicit-any
type BankRequest = any

export async function openBank() {
  const charges = new Map<string, Charge>()
  const requests: BankRequest[] = []
  /** Overrides the replies. The bank still carries out the requests. */
  let instead: ((response: ServerResponse) => void) | undefined
  const server = createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      const text = Buffer.concat(pieces).toString()
      if (request.headers.authorization !== `Bearer ${bankToken}`) return void response.writeHead(401).end()
      new Webhook(bankSecret).verify(text, request.headers as Record<string, string>)
      const received = JSON.parse(text)
      requests.push(received)
      const reply = JSON.stringify(replyTo(charges, received))
      if (instead) instead(response)
      else response.writeHead(200, { 'content-type': 'application/json' }).end(reply)
    })
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/ask`,
    charges,
    requests,
    answer: (how: typeof instead) => void (instead = how),
    /** The captured amount minus refunds. */
    kept: (): number =>
      [...charges.values()]
        .filter((it) => it.status === 'captured')
        .reduce((sum, it) => sum + it.amount - [...it.refunds.values()].reduce((a, b) => a + b, 0), 0),
  }
}

function replyTo(charges: Map<string, Charge>, request: BankRequest): object {
  const { ask, payment_id: id, amount, capture, card, refund_id: refundId } = request
  const charge = charges.get(id)
  if (ask === 'authorise' && !charge) {
    const good = capture ? 'captured' : 'authorised'
    const status =
      card.number === bankCards.poor ? 'failed' : card.number === bankCards.slow ? 'pending' : good
    charges.set(id, { status, amount, refunds: new Map() })
  }
  const known = charges.get(id)
  if (!known) return { status: 'unknown' }
  if (ask === 'capture' && known.status === 'authorised') known.status = 'captured'
  if (ask === 'void' && known.status === 'authorised') known.status = 'voided'
  if (ask === 'refund') {
    known.refunds.set(refundId, amount)
    return { status: 'refunded' }
  }
  return {
    status: known.status,
    ...(known.status === 'failed' && { code: 'insufficient_funds' }),
    ...(known.status === 'pending' && { action_url: `https://bank.example/approve/${id}` }),
  }
}
