// An MCP server for agents that start it as a program: JSON-RPC on stdin and stdout, the shop over HTTP.

import { loadStdio } from '../mcp/index.ts'
import { type Command, UsageError, wholeNumber } from './command.ts'
import { serverOrigin } from './server-address.ts'

const languages = ['ru', 'uz', 'en'] as const

export const mcpCommand: Command = {
  usage: '[--url ORIGIN] [--client ID] [--language ru|uz|en]',
  help: `Serves the tools of the shop to an agent (Model Context Protocol) on stdin and stdout.

  --url ORIGIN     the shop, for example https://shop.example (default: the server of this data directory)
  --client ID      the client for whom a server application acts; not needed with a token of the client
  --language LANG  language of names and messages (default en)

The credential is read from BOZOR_API_KEY: an API key of a server application, or an access token of a client.
Ordering needs a mandate that the client has granted to the application.`,
  options: {
    url: { type: 'string' },
    client: { type: 'string' },
    language: { type: 'string' },
  },
  async run(context, { flags }) {
    const credential = context.config.apiKey
    if (credential === undefined)
      throw new UsageError('set BOZOR_API_KEY to an API key of a server application or a token of a client')
    const { serveStdio } = await loadStdio()
    await serveStdio({
      baseUrl: originIn(flags['url'] as string | undefined) ?? serverOrigin(context.config),
      credential,
      clientId: clientIn(flags['client'] as string | undefined),
      language: languageIn(flags['language'] as string | undefined),
      version: context.version,
      input: context.input(),
      output: context.output(),
    })
    return 0
  },
}

function originIn(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const url = URL.parse(text)
  if (!url || !['http:', 'https:'].includes(url.protocol))
    throw new UsageError('--url must be an address such as https://shop.example')
  return url.origin
}

const clientIn = (text: string | undefined): number | undefined =>
  text === undefined
    ? undefined
    : wholeNumber(text, { name: 'client', usual: 1, least: 1, most: Number.MAX_SAFE_INTEGER })

function languageIn(text = 'en'): (typeof languages)[number] {
  const language = languages.find((it) => it === text)
  if (!language) throw new UsageError(`--language must be one of ${languages.join(', ')}`)
  return language
}
