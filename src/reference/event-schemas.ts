// The events as requests that the shop sends to webhooks: one typed schema per event.

import type { TSchema } from 'typebox'
import { events, type EventType } from '../events.ts'
import { exampleOf, type JsonSchema, jsonSchemaOf } from '../http/openapi-example.ts'
import type { SentWebhooks } from '../http/openapi.ts'
import { wireName } from '../webhooks/index.ts'
import { sampleId, sampleValue } from './event-values.ts'

const eventName = (type: string): string => `${type}Event`

const string: JsonSchema = { type: 'string' }

/** The CloudEvents 1.0 attributes of an event, and its typed data. */
function schemaOf(type: EventType): JsonSchema {
  const { description, module } = events[type]
  return {
    title: eventName(type),
    description,
    type: 'object',
    required: [
      'specversion',
      'id',
      'source',
      'type',
      'subject',
      'time',
      'sequence',
      'datacontenttype',
      'data',
    ],
    properties: {
      specversion: { ...string, const: '1.0' },
      id: { ...string, format: 'uuid', description: 'Repeated deliveries have the same id.' },
      source: { ...string, enum: [`/live/${module}`, `/test/${module}`] },
      type: { ...string, const: type },
      subject: { ...string, description: 'What it is about.' },
      time: { ...string, format: 'date-time' },
      sequence: {
        type: 'integer',
        minimum: 1,
        description: 'Increases with every event of the same subject.',
      },
      datacontenttype: { ...string, const: 'application/json' },
      data: dataSchema(type),
    },
  }
}

function dataSchema(type: EventType): JsonSchema {
  const fields = Object.entries(events[type].fields as Record<string, TSchema>)
  const isOptional = (schema: TSchema) => '~optional' in schema || '~Optional' in schema
  const required = fields.filter(([, it]) => !isOptional(it)).map(([name]) => wireName(name))
  return {
    type: 'object',
    ...(required.length > 0 && { required }),
    properties: Object.fromEntries(fields.map(([name, it]) => [wireName(name), renamed(jsonSchemaOf(it))])),
  }
}

/** The only union of events: a client or a guest. */
const buyerId: JsonSchema = {
  title: 'BuyerId',
  description: 'The id of a client is a number, that of a guest a text.',
  anyOf: [{ type: 'integer' }, { type: 'string' }],
}
const isBuyerId = ({ anyOf }: JsonSchema): boolean =>
  anyOf?.length === 2 && anyOf[0]!.type === 'integer' && anyOf[1]!.type === 'string'

/** Nested fields are in PascalCase on the wire too. */
function renamed(schema: JsonSchema): JsonSchema {
  if (isBuyerId(schema)) return { $ref: '#/components/schemas/BuyerId' }
  const { properties, required, items, anyOf, ...rest } = schema
  return {
    ...rest,
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, it]) => [wireName(name), renamed(it)]),
      ),
    }),
    ...(required && { required: required.map(wireName) }),
    ...(items && { items: renamed(items) }),
    ...(anyOf && { anyOf: anyOf.map(renamed) }),
  }
}

function dataSample(type: EventType, name: string, shape: JsonSchema): unknown {
  const known = sampleValue(type, name)
  if (known !== undefined) return known
  if (shape.$ref) return 7
  const isTextId = name.endsWith('Id') && shape.type === 'string'
  return isTextId ? sampleId : exampleOf(shape)
}

/** An event as a receiver gets it. */
export function eventSample(type: EventType): Record<string, unknown> {
  const { module, subject, fields } = events[type]
  const shapes = Object.entries(dataSchema(type).properties!)
  const data = Object.fromEntries(shapes.map(([name, shape]) => [name, dataSample(type, name, shape)]))
  const [first = ''] = Object.keys(fields)
  return {
    specversion: '1.0',
    id: '0192f0c1-6a53-7a53-9d1a-1f4f0a1c2b3d',
    source: `/test/${module}`,
    type,
    subject: `${subject}/${String(data[wireName(first)])}`,
    time: '2026-11-02T09:00:00.000Z',
    sequence: 4711,
    datacontenttype: 'application/json',
    data,
  }
}

export function sentWebhooks(): SentWebhooks {
  const types = Object.keys(events) as EventType[]
  return {
    schemas: {
      BuyerId: buyerId,
      ...Object.fromEntries(types.map((type) => [eventName(type), schemaOf(type)])),
    },
    webhooks: Object.fromEntries(
      types.map((type) => [
        type,
        {
          post: {
            operationId: `webhook${type}`,
            tags: ['Webhooks'],
            summary: type,
            description: events[type].description,
            security: [],
            requestBody: {
              required: true,
              content: {
                'application/json': {
                  schema: { $ref: `#/components/schemas/${eventName(type)}` },
                  example: eventSample(type),
                },
              },
            },
            responses: {
              '2XX': { description: 'Received. Other replies are retried.' },
              '410': { description: 'Ends the deliveries: the webhook is disabled.' },
            },
          },
        },
      ]),
    ),
  }
}
