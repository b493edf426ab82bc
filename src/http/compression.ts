// Compression of large replies with public data. The length of a compressed reply depends on its content, so a reply that
// could hold a secret beside text of the caller is never compressed: only reads of the catalog and recommendations are.

import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Route } from './route.ts'

/** Shorter replies fit into one or two packets in any case. */
const minBytes = 2_048

type Encoding = 'br' | 'gzip'

/** The best encoding that `Accept-Encoding` allows. */
export const acceptedEncoding = (header: string | string[] | undefined): Encoding | undefined =>
  (['br', 'gzip'] as const).find((it) =>
    new RegExp(`\\b${it}\\b(?!\\s*;\\s*q=0(\\.0*)?\\s*(,|$))`).test(String(header ?? '')),
  )

/** Whether all replies of a route are public data. */
export const isPublicData = (route: Route | undefined): boolean =>
  route?.kind === 'bare-query' || (route?.kind === 'read' && route.declared.scope === 'catalog:read')

/** Passes the payload on, compressed if the route and the caller allow it. */
export function compressReply(
  request: FastifyRequest,
  reply: FastifyReply,
  { payload, send }: { payload: string | Buffer; send: (payload: string | Buffer) => void },
): void {
  if (!isPublicData(request.routeOptions.config.route) || reply.statusCode !== 200) return send(payload)
  reply.header('vary', `${String(reply.getHeader('vary'))}, Accept-Encoding`)
  const encoding = acceptedEncoding(request.headers['accept-encoding'])
  if (!encoding || Buffer.byteLength(payload) < minBytes) return send(payload)
  const compressed = (error: Error | null, bytes: Buffer) => {
    if (error) return send(payload)
    reply.header('content-encoding', encoding).removeHeader('content-length')
    // A strong ETag names one sequence of bytes.
    const etag = reply.getHeader('etag')
    if (typeof etag === 'string' && !etag.startsWith('W/')) reply.header('etag', `W/${etag}`)
    send(bytes)
  }
  if (encoding === 'gzip') gzip(payload, { level: 5 }, compressed)
  else brotliCompress(payload, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }, compressed)
}
