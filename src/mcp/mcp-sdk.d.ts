// The part of the MCP package that we use, on both sides. The package is loaded with the first agent, so only its shape
// is needed here; its own types are built on zod, which the rest of the platform does not use.

interface McpTransport {
  close(): Promise<void>
}

interface McpToolResult {
  content: { type: 'text'; text: string }[]
  structuredContent?: Record<string, unknown>
  isError?: boolean
}

interface McpToolDescription {
  name: string
  title?: string
  description?: string
  inputSchema: object
  annotations?: {
    title?: string
    readOnlyHint?: boolean
    destructiveHint?: boolean
    idempotentHint?: boolean
    openWorldHint?: boolean
  }
}

declare module '@modelcontextprotocol/sdk/server/index.js' {
  export class Server {
    constructor(
      info: { name: string; title: string; version: string },
      options: { capabilities: { tools: object }; instructions: string },
    )
    setRequestHandler(
      schema: { method: 'tools/list' },
      handler: () => Promise<{ tools: McpToolDescription[] }>,
    ): void
    setRequestHandler(
      schema: { method: 'tools/call' },
      handler: (request: {
        params: { name: string; arguments?: Record<string, unknown> }
      }) => Promise<McpToolResult>,
    ): void
    connect(transport: McpTransport): Promise<void>
    close(): Promise<void>
  }
}

declare module '@modelcontextprotocol/sdk/types.js' {
  export const ListToolsRequestSchema: { method: 'tools/list' }
  export const CallToolRequestSchema: { method: 'tools/call' }
}

declare module '@modelcontextprotocol/sdk/server/stdio.js' {
  import type { Readable, Writable } from 'node:stream'
  export class StdioServerTransport implements McpTransport {
    constructor(input: Readable, output: Writable)
    close(): Promise<void>
  }
}

declare module '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js' {
  export class WebStandardStreamableHTTPServerTransport implements McpTransport {
    constructor(options: { enableJsonResponse: boolean })
    handleRequest(request: Request): Promise<Response>
    close(): Promise<void>
  }
}

declare module '@modelcontextprotocol/sdk/client/index.js' {
  export class Client {
    constructor(info: { name: string; version: string })
    connect(transport: McpTransport): Promise<void>
    listTools(): Promise<{ tools: McpToolDescription[] }>
    callTool(call: { name: string; arguments: Record<string, unknown> }): Promise<McpToolResult>
    close(): Promise<void>
  }
}

declare module '@modelcontextprotocol/sdk/client/streamableHttp.js' {
  /** The parts of an OAuth client that a program provides. */
  interface OAuthProvider {
    redirectUrl: string
    clientMetadata: { redirect_uris: string[]; client_name: string }
    clientInformation(): { client_id: string; client_secret?: string }
    tokens(): object | undefined
    saveTokens(tokens: object): void
    saveCodeVerifier(verifier: string): void
    codeVerifier(): string
    redirectToAuthorization(url: URL): Promise<void>
  }
  export class StreamableHTTPClientTransport implements McpTransport {
    constructor(url: URL, options?: { authProvider?: OAuthProvider; requestInit?: RequestInit })
    finishAuth(code: string): Promise<void>
    close(): Promise<void>
  }
}

declare module '@modelcontextprotocol/sdk/client/stdio.js' {
  export class StdioClientTransport implements McpTransport {
    constructor(server: { command: string; args: string[]; env: Record<string, string>; stderr: 'inherit' })
    close(): Promise<void>
  }
}
