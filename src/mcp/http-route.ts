// `/mcp`: the MCP server over streamable HTTP, for agents with a token of our OAuth. Requests share no state.

import type { FastifyRequest } from 'fastify'
import { Refusal } from '../base/refusal.ts'
import { type Authenticate, authenticationInput } from '../http/admission.ts'
import { bearerChallenge } from '../http/errors.ts'
import type { LocalizedRefusal, RawReply, RawRoute } from '../http/raw-route.ts'
import type { Principal } from '../http/route.ts'
import type { McpServing } from './http-server.ts'

export interface McpRouteOptions extends McpServing {
  authenticate: Authenticate
}

const path = '/mcp'
const metadataPath = '/.well-known/oauth-protected-resource'

/** What the tools need at most. */
const agentScopes = ['catalog:read', 'cart:read', 'cart:write', 'orders:read', 'orders:write']

export function mcpRoutes(options: McpRouteOptions): RawRoute[] {
  const metadata = (address: string): RawRoute => ({
    path: address,
    methods: ['GET'],
    run: async ({ state }) => json(200, metadataOf(state.origin), { 'cache-control': 'no-cache' }),
    errorReply,
  })
  return [
    {
      path,
      methods: ['POST'],
      // Agents that do not say which language their person reads get the one of the tools' descriptions.
      language: 'en',
      run: (request, body) => reply(options, request, body),
      errorReply,
    },
    metadata(metadataPath),
    metadata(`${metadataPath}${path}`),
  ]
}

/** Protected resource metadata (RFC 9728): where an agent gets a token. */
export const metadataOf = (origin: string) => ({
  resource: `${origin}${path}`,
  authorization_servers: [origin],
  scopes_supported: agentScopes,
  bearer_methods_supported: ['header'],
  resource_name: 'Bozor',
  resource_documentation: `${origin}/docs/guides/agents`,
})

async function reply(options: McpRouteOptions, request: FastifyRequest, body: Buffer): Promise<RawReply> {
  const principal = await principalOf(options, request)
  if (principal instanceof Refusal) return unauthorized(principal, request)
  request.state.environment = principal.environment
  // The MCP package is loaded with the first agent.
  const { answer } = await import('./http-server.ts')
  return answer(options, { request, body, principal })
}

/** Cookies are not accepted: a page of another origin could send them. */
async function principalOf(
  { authenticate }: McpRouteOptions,
  request: FastifyRequest,
): Promise<Principal | Refusal> {
  const missing = new Refusal('unauthorized', { reason: 'missing' })
  if (request.headers.authorization === undefined) return missing
  try {
    return (await authenticate(authenticationInput(request))) ?? missing
  } catch (error) {
    if (error instanceof Refusal && error.code === 'unauthorized') return error
    throw error
  }
}

/** With the address of the metadata (RFC 9728 5.1). */
function unauthorized(refusal: Refusal, { state }: FastifyRequest): RawReply {
  const { reason } = refusal.details as { reason?: string }
  const challenge = bearerChallenge(refusal, [
    `resource_metadata="${state.origin}${metadataPath}${path}"`,
    `scope="${agentScopes.join(' ')}"`,
  ])!
  return json(401, rpcError(-32_001, `unauthorized: ${reason}`), { 'www-authenticate': challenge })
}

const rpcError = (code: number, message: string) => ({ jsonrpc: '2.0', error: { code, message }, id: null })

const json = (status: number, body: object, headers: Record<string, string> = {}): RawReply => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store', ...headers },
  body: JSON.stringify(body),
})

/** A refusal before the protocol began, as a JSON-RPC error. */
const errorReply = ({ status, code, message }: LocalizedRefusal): RawReply =>
  json(status, rpcError(-32_000, `${code}: ${message}`))
