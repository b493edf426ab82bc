// Writes the generated files of the SDK from the OpenAPI document: a table of operations and their types.

/** As much of a JSON Schema as the OpenAPI document uses. */
interface Schema {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
  description?: string
  discriminator?: { mapping: Record<string, string> }
}

interface Parameter {
  $ref?: string
  name?: string
  in?: string
  required?: boolean
  schema?: Schema
}

interface Body {
  required?: boolean
  content?: Record<string, { schema?: Schema }>
}

export interface SdkOperation {
  operationId: string
  summary?: string
  parameters?: Parameter[]
  requestBody?: Body
  responses: Record<string, Body>
}

export interface SdkDocument {
  paths: Record<string, Record<string, SdkOperation>>
  webhooks: Record<string, object>
  components: { schemas: Record<string, Schema> }
}

interface Entry {
  method: string
  path: string
  operation: SdkOperation
}

const notice = '// Generated from the OpenAPI document by `node test/generated.ts --write`. Do not edit.\n'
/** OAuth has functions of its own in the SDK. */
const isLeftOut = (path: string): boolean => path.startsWith('/oauth') || path.startsWith('/.well-known')

/** The content of the generated files of the SDK by their paths. */
export function sdkFiles(document: SdkDocument): Record<string, string> {
  const entries = Object.entries(document.paths)
    .filter(([path]) => !isLeftOut(path))
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        method: method.toUpperCase(),
        path,
        operation,
      })),
    )
  return {
    'src/sdk/operations.ts': operationsFile(entries),
    'src/sdk/schema.ts': schemaFile(document, entries),
  }
}

function operationsFile(entries: Entry[]): string {
  const rows = entries.map(({ method, path, operation }) =>
    [
      operation.operationId,
      method,
      path,
      flagsOf(method, operation),
      queryOf(operation).join(','),
      listOf(operation),
    ]
      .join(' ')
      .trimEnd(),
  )
  return `${notice}
/** One line per operation: name, method, path, flags, query parameters, field of the listed items. */
export const operations = \`${rows.join('\n')}\`
`
}

/** The meaning of the letters stands in `src/sdk/client.ts`. */
function flagsOf(method: string, operation: SdkOperation): string {
  const hasKey = operation.parameters?.some((it) => it.$ref?.endsWith('/IdempotencyKey'))
  const isJson = jsonOf(operation.requestBody) !== undefined
  return (
    [
      isJson && 'b',
      envelopeOf(operation) && 'e',
      hasKey && 'k',
      !hasKey && (method === 'GET' || isJson) && 's',
      operation.requestBody?.content?.['application/x-ndjson'] && 'n',
    ]
      .filter(Boolean)
      .join('') || '-'
  )
}

const parametersIn = (operation: SdkOperation, where: string): Parameter[] =>
  (operation.parameters ?? []).filter((it) => it.in === where)

const queryOf = (operation: SdkOperation): string[] => parametersIn(operation, 'query').map((it) => it.name!)

/** The schema of a JSON body; undefined for streamed bodies, which are described as text. */
function jsonOf(body: Body | undefined): Schema | undefined {
  const schema = body?.content?.['application/json']?.schema
  return schema?.type === 'string' ? undefined : schema
}

const replyOf = (operation: SdkOperation): Body | undefined =>
  operation.responses['200'] ?? operation.responses['201'] ?? operation.responses['202']

/** `data` of a reply in the envelope of `/v1`. */
function envelopeOf(operation: SdkOperation): Schema | undefined {
  const properties = jsonOf(replyOf(operation))?.properties
  return properties?.['success'] ? properties['data'] : undefined
}

/** The field of a paged list: the one array beside `pagination`. */
function listOf(operation: SdkOperation): string {
  const properties = envelopeOf(operation)?.properties
  if (!properties?.['pagination'] || !queryOf(operation).includes('cursor')) return ''
  return Object.keys(properties).find((name) => properties[name]!.type === 'array') ?? ''
}

function schemaFile({ components, webhooks }: SdkDocument, entries: Entry[]): string {
  const { ApiError: errors, ErrorReply: _reply, Event: _event, ...others } = components.schemas
  const codes = Object.entries(errors?.discriminator?.mapping ?? {})
  const eventTypes = Object.keys(webhooks)
  // Errors and events have one generic type each, with their details and data by name.
  const left = new Set([...codes.map(([, ref]) => nameOf(ref)), ...eventTypes.map((it) => `${it}Event`)])
  const types = Object.entries(others)
    .filter(([name]) => !left.has(name))
    .map(([name, schema]) => `export type ${name} = ${typeOf(schema, 0)}\n`)
  const partOf = (name: string, part: string): string =>
    typeOf(components.schemas[name]?.properties?.[part] ?? {}, 1)
  const operations = entries.map(
    ({ operation }) =>
      `${commentOf(operation.summary, 1)}  '${operation.operationId}': {\n    input: ${inputOf(operation)}\n    reply: ${replyTypeOf(operation)}${itemOf(operation)}\n  }`,
  )
  return `${notice}
/** The details of every error code. */
export interface ErrorDetails {
${codes.map(([code, ref]) => `  ${code}: ${partOf(nameOf(ref), 'details')}`).join('\n')}
}

export type ErrorCode = keyof ErrorDetails

/** The data of every event. */
export interface EventData {
${eventTypes.map((it) => `${commentOf(components.schemas[`${it}Event`]?.description, 1)}  ${it}: ${partOf(`${it}Event`, 'data')}`).join('\n')}
}

/** An event of the shop; \`type\` decides the type of \`data\`. */
export type Event = {
  [Type in keyof EventData]: {
    specversion: '1.0'
    /** Repeated deliveries have the same id. */
    id: string
    source: string
    type: Type
    subject: string
    time: string
    /** Increases with every event of the same subject. */
    sequence: number
    datacontenttype: 'application/json'
    data: EventData[Type]
  }
}[keyof EventData]

${types.join('\n')}
export interface Operations {
${operations.join('\n')}
}
`
}

const nameOf = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1)

/** Path, query and body in one object. */
function inputOf(operation: SdkOperation): string {
  const json = jsonOf(operation.requestBody)
  // A field that may be sent in the query or in the body has the type of the body; the client sends it in the query.
  const inQuery = parametersIn(operation, 'query').filter((it) => !json?.properties?.[it.name!])
  const parameters = [...parametersIn(operation, 'path'), ...inQuery]
  const fields = parameters.map((it) => {
    const isPath = it.in === 'path'
    const type = isPath ? 'string | number' : typeOf(it.schema ?? {}, 2)
    return `      ${it.name!}${isPath || it.required ? '' : '?'}: ${type}`
  })
  if (operation.requestBody && !json) fields.push('      body: string | Uint8Array')
  const object = fields.length > 0 ? `{\n${fields.join('\n')}\n    }` : undefined
  const body = json && typeOf(json, 2)
  return [object, body].filter(Boolean).join(' & ') || 'Record<string, never>'
}

function replyTypeOf(operation: SdkOperation): string {
  const schema = envelopeOf(operation) ?? jsonOf(replyOf(operation))
  return schema ? typeOf(schema, 2) : 'string'
}

function itemOf(operation: SdkOperation): string {
  const field = listOf(operation)
  if (!field) return ''
  return `\n    item: ${typeOf(envelopeOf(operation)!.properties![field]!.items ?? {}, 2)}`
}

const indent = (depth: number): string => '  '.repeat(depth)

const commentOf = (text: string | undefined, depth: number): string =>
  text ? `${indent(depth)}/** ${text.replaceAll('*/', '* /').replaceAll('\n', ' ')} */\n` : ''

const primitives: Record<string, string> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
}

/** A JSON Schema as a TypeScript type. */
function typeOf(schema: Schema, depth: number): string {
  if (schema.$ref) return nameOf(schema.$ref)
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  const union = schema.anyOf ?? schema.oneOf
  if (union) return [...new Set(union.map((it) => typeOf(it, depth)))].join(' | ')
  if (schema.allOf) return schema.allOf.map((it) => `(${typeOf(it, depth)})`).join(' & ')
  const kinds = [schema.type ?? []].flat()
  if (kinds.length === 0) return 'unknown'
  return [...new Set(kinds.map((kind) => kindOf(kind, schema, depth)))].join(' | ')
}

function kindOf(kind: string, schema: Schema, depth: number): string {
  if (kind === 'array') {
    const item = typeOf(schema.items ?? {}, depth)
    return /[|&]/.test(item) && !item.startsWith('{')
      ? `(${item})[]`
      : `${item.includes(' | ') ? `(${item})` : item}[]`
  }
  if (kind !== 'object') return primitives[kind] ?? 'unknown'
  const { properties, additionalProperties } = schema
  const isOpen = additionalProperties === true && Object.keys(properties ?? {}).length === 0
  if (!properties || isOpen)
    return `Record<string, ${typeof additionalProperties === 'object' ? typeOf(additionalProperties, depth) : 'unknown'}>`
  const fields = Object.entries(properties).map(([name, part]) => {
    const mark = schema.required?.includes(name) ? '' : '?'
    const key = /^\w+$/.test(name) ? name : `'${name}'`
    return `${commentOf(part.description, depth + 1)}${indent(depth + 1)}${key}${mark}: ${typeOf(part, depth + 1)}`
  })
  return fields.length > 0 ? `{\n${fields.join('\n')}\n${indent(depth)}}` : '{}'
}
