// An MCP server over the SDK. It keeps no state: one is made per connection or request.

import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { validatorCompiler } from '../base/validation.ts'
import type { Language } from '../http/language.ts'
import { messageOf } from '../http/messages.ts'
import { localizedFaults, withFaults } from '../http/validation.ts'
import { refusedResult, resultOfError } from './refused.ts'
import type { AgentShop } from './shop.ts'
import type { Tool } from './tool.ts'
import { tools } from './tools.ts'

const instructions = `Tools of a shop: find products, fill the buyer's cart, and order within a mandate that the buyer has granted. Prices are in sums (UZS). A refused tool has isError and an error with code, message, details and what_to_do; nothing has changed then. Show totals to the buyer before you order.`

export interface McpServerOptions {
  shop: AgentShop
  language: Language
  version: string
}

export function mcpServer({ shop, language, version }: McpServerOptions): Server {
  const server = new Server(
    { name: 'bozor', title: 'Bozor', version },
    { capabilities: { tools: {} }, instructions },
  )
  server.setRequestHandler(ListToolsRequestSchema, async () => ({ tools: tools.map(descriptionOf) }))
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    const tool = tools.find((it) => it.name === params.name)
    if (!tool) return unknownTool(params.name.slice(0, 100), language)
    const input = params.arguments ?? {}
    const faults = validatorCompiler()(tool.input)(input)
    if (faults.length > 0) {
      const fields = localizedFaults(faults, language)
      const message = withFaults(messageOf('validation_failed', {}, language), fields, language)
      return refusedResult({ code: 'validation_failed', message, details: { fields } })
    }
    try {
      const result = await tool.run(shop, input)
      return isResult(result) ? result : resultOf(result)
    } catch (error) {
      return resultOfError(error, language)
    }
  })
  return server
}

const descriptionOf = ({ name, title, description, input, hints }: Tool): McpToolDescription => ({
  name,
  title,
  description,
  inputSchema: input,
  annotations: { title, ...hints },
})

function unknownTool(id: string, language: Language): McpToolResult {
  const details = { resource: 'tool', id }
  const names = tools.map((it) => it.name).join(', ')
  return refusedResult({
    code: 'not_found',
    message: messageOf('not_found', details, language),
    details,
    what_to_do: `Call one of these tools: ${names}.`,
  })
}

const isResult = (it: object): it is McpToolResult => 'isError' in it

const resultOf = (data: object): McpToolResult => ({
  content: [{ type: 'text', text: JSON.stringify(data) }],
  structuredContent: data as Record<string, unknown>,
})
