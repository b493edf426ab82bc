// Answers one request over streamable HTTP with a server of its own.

import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { refuse } from '../base/refusal.ts'
import type { RawReply } from '../http/raw-route.ts'
import { requestsWithin } from '../http/requests-within.ts'
import type { Principal } from '../http/route.ts'
import { createBozor } from '../sdk/index.ts'
import { mcpServer } from './server.ts'

export interface McpServing {
  /** The server that the tools call, without a socket. */
  fastify: () => FastifyInstance
  /** In production plain HTTP is accepted from this machine only, and these requests never leave it. */
  production: boolean
  version: string
}

interface AgentRequest {
  request: FastifyRequest
  body: Buffer
  principal: Principal
}

export async function answer(
  options: McpServing,
  { request, body, principal }: AgentRequest,
): Promise<RawReply> {
  const { origin, preferences } = request.state
  const { language } = preferences
  const { actor } = principal
  const fetch = requestsWithin(options.fastify(), {
    address: options.production ? '127.0.0.1' : request.ip,
    userAgent: request.headers['user-agent'] ?? 'mcp',
  })
  const apiKey = request.headers.authorization!.replace(/^bearer +/i, '')
  const server = mcpServer({
    shop: {
      bozor: createBozor({ baseUrl: origin, apiKey, language, fetch }),
      buyer: {},
      requireBuyer: async () => {
        if (actor.kind !== 'client') throw refuse('insufficient_permissions', { needs: 'client' })
      },
      userId: actor.kind === 'client' ? String(actor.clientId) : undefined,
    },
    language,
    version: options.version,
  })
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  await server.connect(transport)
  try {
    return await rawReplyOf(await transport.handleRequest(webRequestOf(request, origin, body)))
  } finally {
    await server.close()
  }
}

function webRequestOf({ headers, method, url }: FastifyRequest, origin: string, body: Buffer): Request {
  const sent = new Headers()
  for (const [name, value] of Object.entries(headers))
    for (const each of [value].flat()) if (each !== undefined) sent.append(name, each)
  return new Request(new URL(url, origin), { method, headers: sent, body: new Uint8Array(body) })
}

async function rawReplyOf(response: Response): Promise<RawReply> {
  return {
    status: response.status,
    headers: { 'cache-control': 'no-store', ...Object.fromEntries(response.headers) },
    body: await response.text(),
  }
}
