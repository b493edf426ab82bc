// Callers that send one request after another until the server refuses connections.

import { Agent, request } from 'node:http'

export interface LoadOutcome {
  /** Calls with a complete reply. */
  answered: number
  /** Replies that asked to close the connection. */
  closing: number
  /** Calls that were sent, or may have been, and got no complete reply. */
  lost: string[]
}

/** Half of the callers keep their connections, the others open one for each call. Ends when all callers are refused. */
export async function loadUntilRefused(
  url: string,
  { callers, headers, onReply }: { callers: number; headers: Record<string, string>; onReply: () => void },
): Promise<LoadOutcome> {
  const outcome: LoadOutcome = { answered: 0, closing: 0, lost: [] }
  const callInTurn = async (at: number) => {
    const agent = new Agent({ keepAlive: at % 2 === 0, maxSockets: 1 })
    for (;;) {
      const result = await call(url, { agent, headers })
      if (result === 'refused') break
      if (result.error) outcome.lost.push(result.error)
      else outcome.answered++
      if (result.closes) outcome.closing++
      onReply()
    }
    agent.destroy()
  }
  await Promise.all(Array.from({ length: callers }, (_, at) => callInTurn(at)))
  return outcome
}

const call = (
  url: string,
  options: { agent: Agent; headers: Record<string, string> },
): Promise<'refused' | { error?: string; closes: boolean }> =>
  new Promise((done) => {
    const sent = request(url, options, (reply) => {
      const closes = reply.headers.connection === 'close'
      reply.resume()
      reply.once('end', () => done({ closes }))
      reply.once('error', (error) => done({ error: error.message, closes }))
    })
    // An error of the connecting itself: nothing was sent.
    sent.once('error', (error: NodeJS.ErrnoException) =>
      done(
        error.syscall === 'connect' ? 'refused' : { error: `${error.code}: ${error.message}`, closes: false },
      ),
    )
    sent.end()
  })
