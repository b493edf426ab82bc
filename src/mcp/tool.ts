import type { Static, TSchema } from 'typebox'
import type { AgentShop } from './shop.ts'

/** A tool as agents see it. */
export interface Tool<Input extends TSchema = TSchema> {
  name: string
  title: string
  description: string
  input: Input
  hints: McpToolDescription['annotations']
  run(shop: AgentShop, input: Static<Input>): Promise<object>
}

/** Tools of all inputs fit into one list. */
export const tool = <Input extends TSchema>(it: Tool<Input>): Tool => it as unknown as Tool
