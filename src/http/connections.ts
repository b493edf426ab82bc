// Limits what one client can cost by connections: pipelined requests, replies that it does not read, and connections
// that send nothing.

import type { IncomingMessage, Server as HttpServer, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

export interface Connections {
  /** Counts a reply of this size as unread until it is sent. Closes connections that exceed the limits. */
  addReply(response: ServerResponse, bytes: number): void
  /** Whether the reply may end its connection: the request has arrived completely and none waits behind it. */
  isLast(request: IncomingMessage, response: ServerResponse): boolean
  /** Closes connections on which no request has arrived; browsers open some in advance. */
  closeUnused(): void
  /** Closes connections that had no request in this many calls of it in a row. */
  closeIdle(afterCalls: number): void
  /** How many are open. */
  count(): number
  /** Changes whenever one is opened or a reply ends. */
  activity(): number
  stop(): void
}

interface Connection {
  requests: number
  unfinished: number
  latest: ServerResponse | undefined
  /** Calls of `closeIdle` since a request arrived or ended. */
  idleCalls: number
  unreadBytes: number
  isClosed: boolean
  sentBytes: number
  queuedBytes: number
  /** Checks in a row in which the client read nothing of what waits for it. */
  stalledChecks: number
}

const maxPipelined = 64
/** More is allowed only for a single reply. */
const maxUnreadBytes = 8 * 1024 * 1024
/** Of all connections; above it, the connection with most unread bytes is closed. */
const maxUnreadBytesInAll = 128 * 1024 * 1024
/** Checks are counted, not time: a process that gets no processor does not take its clients for stalled. */
const usual = { checkEveryMs: 1_000, stalledAfterChecks: 20 }

export function watchConnections(
  server: HttpServer,
  options: { isTls: boolean; checkEveryMs?: number; stalledAfterChecks?: number },
): Connections {
  const { isTls, checkEveryMs, stalledAfterChecks } = { ...usual, ...options }
  const open = new Map<Socket, Connection>()
  let unreadInAll = 0
  let activity = 0
  server.on(isTls ? 'secureConnection' : 'connection', (socket: Socket) => {
    activity++
    const connection = newConnection()
    open.set(socket, connection)
    // Replies that wait behind another one are not closed with their connection.
    socket.once('close', () => {
      open.delete(socket)
      connection.isClosed = true
      unreadInAll -= connection.unreadBytes
    })
  })
  server.prependListener('request', (request, response) => {
    const connection = open.get(request.socket)
    if (!connection) return
    connection.requests++
    connection.latest = response
    if (++connection.unfinished > maxPipelined) request.socket.destroy()
    response.once('close', () => {
      connection.unfinished--
      connection.idleCalls = 0
      activity++
    })
  })
  const timer = setInterval(() => closeStalled(open, stalledAfterChecks), checkEveryMs).unref()
  return {
    addReply(response, bytes) {
      // A reply that waits behind another one has no socket of its own yet.
      const { socket } = response.req
      const connection = open.get(socket)
      if (!connection || response.writableFinished || response.destroyed) return
      connection.unreadBytes += bytes
      unreadInAll += bytes
      response.once('close', () => {
        if (connection.isClosed) return
        connection.unreadBytes -= bytes
        unreadInAll -= bytes
      })
      if (connection.unfinished > 1 && connection.unreadBytes > maxUnreadBytes) socket.destroy()
      else if (unreadInAll > maxUnreadBytesInAll) closeLargest(open)
    },
    isLast: (request, response) => request.complete && open.get(request.socket)?.latest === response,
    closeUnused() {
      for (const [socket, { requests }] of open) if (requests === 0) socket.destroy()
    },
    closeIdle(afterCalls) {
      for (const [socket, connection] of open)
        if (connection.unfinished === 0 && ++connection.idleCalls > afterCalls) socket.destroy()
    },
    count: () => open.size,
    activity: () => activity,
    stop: () => clearInterval(timer),
  }
}

const newConnection = (): Connection => ({
  requests: 0,
  unfinished: 0,
  latest: undefined,
  idleCalls: 0,
  unreadBytes: 0,
  isClosed: false,
  sentBytes: 0,
  queuedBytes: 0,
  stalledChecks: 0,
})

/**
 * Bytes that the operating system has not accepted yet. Without them a reply that is written in one piece would look
 * stalled until its last byte is accepted, also when the client reads all the time.
 */
const queuedBytesOf = (socket: Socket): number =>
  (socket as unknown as { _handle?: { writeQueueSize?: number } })._handle?.writeQueueSize ?? 0

function closeStalled(open: ReadonlyMap<Socket, Connection>, afterChecks: number): void {
  for (const [socket, connection] of open) {
    const sentBytes = socket.bytesWritten - socket.writableLength
    const queuedBytes = queuedBytesOf(socket)
    const isMoving = sentBytes !== connection.sentBytes || queuedBytes !== connection.queuedBytes
    if (socket.writableLength === 0 || isMoving) {
      Object.assign(connection, { sentBytes, queuedBytes })
      connection.stalledChecks = 0
    } else if (++connection.stalledChecks >= afterChecks) socket.destroy()
  }
}

function closeLargest(open: ReadonlyMap<Socket, Connection>): void {
  let largest: { socket: Socket; bytes: number } | undefined
  for (const [socket, { unreadBytes }] of open)
    if (!socket.destroyed && unreadBytes > (largest?.bytes ?? 0)) largest = { socket, bytes: unreadBytes }
  largest?.socket.destroy()
}
