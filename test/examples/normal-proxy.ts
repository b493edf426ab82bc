// A proxy that writes JSON bodies in one form, so that the same request in three languages has the same bytes and an
// Idempotency-Key recognizes it.

import { createServer, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

export async function openNormalProxy(target: string): Promise<{ url: string; close(): void }> {
  const server = createServer(async (request, response) => {
    const body = await buffer(request)
    const isJson = request.headers['content-type']?.startsWith('application/json') && body.length > 0
    const sent = isJson ? Buffer.from(JSON.stringify(JSON.parse(body.toString()))) : body
    const { 'transfer-encoding': _, ...headers } = request.headers
    const forwarded = send(
      new URL(request.url!, target),
      { method: request.method!, headers: { ...headers, 'content-length': sent.length } },
      (reply) => {
        response.writeHead(reply.statusCode!, reply.headers)
        reply.pipe(response)
      },
    )
    response.once('close', () => forwarded.destroy())
    forwarded.on('error', () => response.destroy())
    forwarded.end(sent)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
