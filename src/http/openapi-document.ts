// The parts of an OpenAPI 3.1 document that the generator writes and the reference reads.

import type { JsonSchema } from './openapi-example.ts'

export type Json = Record<string, unknown>

export interface OpenApi {
  openapi: string
  info: { title: string; version: string; description: string; license: Json; contact: Json }
  servers: { url: string; description: string }[]
  tags: { name: string; description: string }[]
  'x-tagGroups': { name: string; tags: string[] }[]
  paths: Record<string, Record<string, Operation>>
  webhooks: Record<string, object>
  components: Components
}

export interface Components {
  securitySchemes: Json
  parameters: Record<string, Parameter>
  headers: Json
  responses: Record<string, ResponseObject>
  examples: Record<string, { summary: string; value: unknown }>
  schemas: Record<string, JsonSchema>
}

export interface Operation {
  operationId: string
  tags: string[]
  summary: string
  deprecated?: boolean
  /** Maturity of the call (SPEC-1 9). */
  'x-status'?: string
  /** How the recorded example is sent, and what comes before it. */
  'x-example'?: Pick<RecordedCall, 'credential' | 'headers' | 'needs'>
  description: string
  security: Record<string, string[]>[]
  servers?: OpenApi['servers']
  parameters: (Parameter | Reference)[]
  requestBody?: { required: boolean; content: Record<string, { schema: JsonSchema; example: unknown }> }
  responses: Record<string, ResponseObject | Reference>
}

export interface Reference {
  $ref: string
}

export interface Parameter {
  name: string
  in: string
  required: boolean
  description?: string
  schema: JsonSchema
  example?: unknown
}

export interface ResponseObject {
  description: string
  headers?: Record<string, Reference>
  content?: Record<string, { schema: JsonSchema; example?: unknown; examples?: Record<string, Reference> }>
}

/** Paths of another protocol, with their own descriptions. */
export interface ExtraPaths {
  tag: { group: string; name: string; description: string }
  paths: Record<string, Record<string, object>>
  securitySchemes: Record<string, object>
}

/** A call that was recorded from a running shop, by operationId. The reply is without its envelope. */
export interface RecordedCall {
  params?: Record<string, string>
  query?: Record<string, string>
  body?: unknown
  status: number
  reply: unknown
  /** What the call was sent with: a key, or the session of a client or of a member. */
  credential?: 'key' | 'client' | 'member'
  /** Headers that only this operation has. */
  headers?: Record<string, string>
  needs?: ExampleNeed[]
}

/** A call that has to be done before the example works. */
export interface ExampleNeed {
  operation: string
  /** The field of the example that takes a value of its reply. */
  field?: string
}

/** Requests that the shop sends, and their schemas. */
export interface SentWebhooks {
  webhooks: Record<string, object>
  schemas: Record<string, JsonSchema>
}

/** How operations are grouped. A path belongs to the first row whose prefix it starts with. */
export interface TagRow {
  prefix: string
  group: string
  name: string
  description: string
}
