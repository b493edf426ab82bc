// Somebody outside who is told of events: a real HTTP server that verifies with the library that everybody has.

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
  // A test looks where it expects something; a wrong guess fails it at once.
  // oxlint-disable-next-line typescript/no-explicit-any
  event: any
}

export type Answering = (received: Received, response: ServerResponse) => void

export interface Receiver {
  url: string
  received: Received[]
  /** How it answers from now on: with a status, or as a function does. */
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

/** The event, if the signature is good: the library throws otherwise. */
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
