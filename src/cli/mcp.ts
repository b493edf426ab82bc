// An MCP server for agents that start it as a program: JSON-RPC on stdin and stdout, the shop over HTTP.

import { loadStdio } from '../mcp/index.ts'
import { type Command, environmentOf, UsageError, wholeNumber } from './command.ts'
import { credentialsFor } from './credentials.ts'

const languages = ['ru', 'uz', 'en'] as const

export const mcpCommand: Command = {
  usage: '[--client ID] [--language ru|uz|en] [--env live|test]',
  help: `Serves the tools of the shop to an agent (Model Context Protocol) on stdin and stdout.

  --client ID      the client for whom a server application acts; not needed with a token of the client
  --language LANG  language of names and messages (default en)
  --env ENV        which key of "bozor login": live or test (default test)

BOZOR_KEY, an API key of a server application or an access token of a client, and BOZOR_URL replace the stored key.
Ordering needs a mandate that the client has granted to the application.`,
  options: {
    client: { type: 'string' },
    language: { type: 'string' },
    env: { type: 'string' },
  },
  async run(context, args) {
    const { url, key } = credentialsFor(context.config, environmentOf(args))
    const { serveStdio } = await loadStdio()
    await serveStdio({
      baseUrl: url,
      credential: key,
      clientId: clientIn(args.flags['client'] as string | undefined),
      language: languageIn(args.flags['language'] as string | undefined),
      version: context.version,
      input: context.input(),
      output: context.output(),
    })
    return 0
  },
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
