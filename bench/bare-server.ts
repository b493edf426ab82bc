// The floor: a server that answers with one fixed JSON text, once or repeatedly, and does nothing else. The size of the
// text is an argument.

import { createServer, type ServerResponse } from 'node:http'
import Fastify from 'fastify'

const [kind, size] = process.argv.slice(2)
const body = JSON.stringify({ data: 'x'.repeat(Math.max(0, Number(size) - 11)) })
const fixed = JSON.parse(body) as { data: string }

if (kind === 'node') {
  const server = createServer((_request, reply) => {
    reply.setHeader('content-type', 'application/json')
    reply.end(body)
  })
  server.listen(0, '127.0.0.1', () =>
    console.log(`http://127.0.0.1:${(server.address() as { port: number }).port}`),
  )
} else if (kind === 'stream') {
  const open = new Set<ServerResponse>()
  const server = createServer((request, reply) => {
    reply.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
    open.add(reply)
    request.socket.once('close', () => open.delete(reply))
  })
  setInterval(() => {
    for (const reply of open) reply.write(`data: ${body}\n\n`)
  }, 20)
  server.listen(0, '127.0.0.1', () =>
    console.log(`http://127.0.0.1:${(server.address() as { port: number }).port}`),
  )
} else {
  const fastify = Fastify()
  fastify.get('/', async () => fixed)
  fastify.post('/', async () => fixed)
  console.log(await fastify.listen({ port: 0 }))
}
