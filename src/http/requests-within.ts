// Requests of the platform's own pages to its API: the whole way from admission to reply, without a socket.

import type { FastifyInstance } from 'fastify'

/** A `fetch` for the SDK, with the network address and the user agent of the visitor who requested the page. */
export const requestsWithin =
  (fastify: FastifyInstance, { address, userAgent }: { address: string; userAgent: string }): typeof fetch =>
  async (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : input)
    const reply = await fastify.inject({
      method: (init.method ?? 'GET') as 'GET',
      url: url.pathname + url.search,
      // The host decides the addresses in replies.
      headers: { 'user-agent': userAgent, ...(init.headers as Record<string, string>), host: url.host },
      remoteAddress: address,
      ...(init.body && { payload: init.body as string }),
    })
    const headers = new Headers()
    for (const [name, value] of Object.entries(reply.headers))
      for (const each of [value].flat()) if (each !== undefined) headers.append(name, String(each))
    const hasBody = reply.statusCode !== 204 && reply.statusCode !== 304
    return new Response(hasBody ? reply.body : null, { status: reply.statusCode, headers })
  }
