// Generated files that are committed, so that they can be read without running anything.
// `--write` writes them; a test fails when they are stale.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type TSchema, Type } from 'typebox'
import { events } from '../src/events.ts'
import { referenceDocument } from '../src/reference/pages.ts'
import { oauthOpenApi } from '../src/identity/index.ts'
import { type SdkDocument, sdkFiles } from '../src/reference/sdk-source.ts'
import { wireName } from '../src/webhooks/index.ts'
import { allRoutes } from './support/routes.ts'

const root = join(import.meta.dirname, '..')

/** The content of every generated file by its path from the root. */
export async function generatedFiles(): Promise<Record<string, string>> {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  const document = referenceDocument(await allRoutes(), {
    version,
    origin: 'http://127.0.0.1:8080',
    extraPaths: oauthOpenApi,
  })
  return {
    'docs/openapi.json': `${JSON.stringify(document, null, 1)}\n`,
    'docs/events.md': eventsPage(),
    ...sdkFiles(document as unknown as SdkDocument),
  }
}

function eventsPage(): string {
  const modules = Map.groupBy(Object.entries(events), ([, it]) => it.module)
  const tables = [...modules].map(([module, rows]) =>
    [
      `## ${module}\n`,
      '| Event | Subject | Meaning | Data |',
      '|---|---|---|---|',
      ...rows.map(
        ([type, it]) => `| \`${type}\` | ${subjectText(it)} | ${it.description} | ${fieldsText(it)} |`,
      ),
    ].join('\n'),
  )
  return `${introduction}\n${tables.join('\n\n')}\n`
}

type EventType = (typeof events)[keyof typeof events]

const subjectText = ({ subject, fields }: EventType): string =>
  `\`${subject}/{${wireName(Object.keys(fields)[0]!)}}\``

const fieldsText = ({ fields }: EventType): string =>
  Object.entries(fields as Record<string, TSchema>)
    .map(([name, schema]) => `\`${wireName(name)}\` ${optional(schema)}${typeText(schema)}`)
    .join(', ')

const optional = (schema: TSchema): string => (Type.IsOptional(schema) ? 'optional ' : '')

function typeText(schema: TSchema): string {
  const it = schema as {
    type?: string | string[]
    format?: string
    enum?: unknown[]
    const?: unknown
    items?: TSchema
    anyOf?: TSchema[]
    properties?: Record<string, TSchema>
  }
  if (it.anyOf) return it.anyOf.map(typeText).join(' or ')
  if (it.enum) return it.enum.map((value) => `\`${String(value)}\``).join(' or ')
  if (it.const !== undefined) return `\`${String(it.const)}\``
  if (it.type === 'array' && it.items) return `list of ${typeText(it.items)}`
  if (it.properties)
    return `{ ${Object.entries(it.properties)
      .map(([name, part]) => `\`${wireName(name)}\` ${typeText(part)}`)
      .join(', ')} }`
  if (it.format === 'date-time') return 'instant'
  return [it.type ?? 'anything'].flat().join(' or ')
}

const introduction = `# Events

Every event of the platform. This page is generated from \`src/events.ts\`.

An event is written in the transaction of the change that it describes, so it exists exactly if the change does. It is delivered after the commit, at least once: a receiver ignores an \`id\` that it has already processed.

On the wire it is a [CloudEvents 1.0](https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/spec.md) event in JSON:

\`\`\`json
{
  "specversion": "1.0",
  "id": "0192f0c1-6a53-7a53-9d1a-1f4f0a1c2b3d",
  "source": "/test/catalog",
  "type": "BrandCreated",
  "subject": "brand/12",
  "time": "2026-11-01T09:00:00.000Z",
  "sequence": 4711,
  "datacontenttype": "application/json",
  "data": { "BrandId": 12, "Slug": "artel" }
}
\`\`\`

| Field | Meaning |
|---|---|
| \`id\` | A UUID of version 7. Repeated deliveries have the same id. |
| \`source\` | The environment, \`live\` or \`test\`, and the module. |
| \`type\` | What happened, in the past tense: the first column below. |
| \`subject\` | What it is about. |
| \`time\` | When it happened, by the clock of its environment, in UTC. |
| \`sequence\` | Increases with every event about the same subject. Ignore an event with a lower value than the last one you processed. |
| \`data\` | The fields below, in PascalCase. |

The same bytes are available in four ways: webhooks (\`POST /v1/webhooks\`, signed by Standard Webhooks 1.0), the list (\`GET /v1/events\`), the stream (\`GET /v1/events/stream\`), and, with \`NATS_URL\`, the JetStream subject \`shop.<environment>.<module>.<Event>\` with the id as \`Nats-Msg-Id\`. Filters name events with \`*\` for any letters: \`OfferCreated\`, \`Offer*\`, \`catalog.*\`, \`*\`.

Events of other systems are sent to \`POST /v1/integration-events\`, or to the subjects \`integration.<environment>.>\`.
`

if (import.meta.main && process.argv.includes('--write'))
  for (const [path, content] of Object.entries(await generatedFiles())) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), content)
    console.log(`${path}: ${Buffer.byteLength(content)} bytes`)
  }
