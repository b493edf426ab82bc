// A webhook receiver: an HTTP server that verifies signatures with the standardwebhooks library.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { equal } from 'node:assert/strict'
import type { Reply } from './shop.ts'

export interface Received {
  path: string
  headers: Record<string, string>
  text: string
  // Untyped: tests read the fields they expect, and a wrong name fails the test.
  // oxlint-disable-next-line typescript/no-explicit-any
  event: any
}

export type Answering = (received: Received, response: ServerResponse) => void

export interface Receiver {
  url: string
  received: Received[]
  /** Sets the reply from now on: a status or a function. */
  answer(how: number | Answering): void
  close(): void
}

export async function openReceiver(): Promise<Receiver> {
  const received: Received[] = []
  let how: number | Answering = 204
  const server = createServer((request, response) => {
    void textOf(request).then((text) => {
      const headers = request.headers as Record<string, string>
      const one = { path: request.url ?? '', headers, text, event: text ? JSON.parse(text) : undefined }
      received.push(one)
      if (typeof how === 'function') how(one, response)
      else response.writeHead(how).end()
    })
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  after(close)
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/hooks`,
    received,
    answer: (next) => (how = next),
    close,
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece as Buffer)
  return Buffer.concat(pieces).toString()
}

/** Returns the event; throws if the signature is invalid. */
export const verified = (secret: string, { text, headers }: Received): { id: string; sequence: number } =>
  new Webhook(secret).verify(text, headers) as { id: string; sequence: number }

type Call = (method: string, path: string, options?: { body?: unknown }) => Promise<Reply>

export interface Hook {
  id: string
  secret: string
}

export async function newHook(call: Call, url: string, filters: string[] = ['*']): Promise<Hook> {
  const reply = await call('POST', '/v1/webhooks', { body: { url, filters } })
  equal(reply.status, 201, reply.text)
  return { id: reply.body.data.webhook.id, secret: reply.body.data.secret }
}
