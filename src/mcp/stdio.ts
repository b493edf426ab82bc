// The MCP server over stdin and stdout, for agents that start it as a program. It calls a shop over HTTP.

import type { Readable, Writable } from 'node:stream'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { createBozor } from '../sdk/index.ts'
import { mcpServer } from './server.ts'

export interface StdioOptions {
  baseUrl: string
  /** An API key or an access token. */
  credential: string
  /** The client for whom a server application acts. */
  clientId: number | undefined
  language: 'ru' | 'uz' | 'en'
  version: string
  input: Readable
  output: Writable
}

/** Serves until the input ends. */
export async function serveStdio(options: StdioOptions): Promise<void> {
  const { baseUrl, credential, clientId, language, version, input, output } = options
  const bozor = createBozor({ baseUrl, apiKey: credential, language })
  const server = mcpServer({
    shop: {
      bozor,
      buyer: clientId === undefined ? {} : { ClientId: clientId },
      // Throws unless the credential belongs to a buyer: the cart refuses one that does not.
      requireBuyer: async () => void (await bozor.cart.get({})),
      userId: clientId === undefined ? undefined : String(clientId),
    },
    language,
    version,
  })
  const ended = new Promise<void>((resolve) => input.once('end', resolve).once('close', resolve))
  await server.connect(new StdioServerTransport(input, output))
  await ended
  await server.close()
}
