// Files that are made from the tables and committed, so that they can be read without running anything.
// `--write` makes them anew; a test fails when they are stale.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { TSchema } from 'typebox'
import { events } from '../src/events.ts'
import { openApi } from '../src/http/openapi.ts'
import { oauthReference } from '../src/identity/index.ts'
import { wireName } from '../src/webhooks/index.ts'
import { allRoutes } from './support/routes.ts'

const root = join(import.meta.dirname, '..')

/** The content of every generated file by its path from the root. */
export async function generatedFiles(): Promise<Record<string, string>> {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  const document = openApi(await allRoutes(), {
    version,
    origin: 'http://127.0.0.1:8080',
    beside: oauthReference,
  })
  return {
    'docs/openapi.json': `${JSON.stringify(document, null, 1)}\n`,
    'docs/events.md': eventsPage(),
  }
}

function eventsPage(): string {
  const modules = Map.groupBy(Object.entries(events), ([, it]) => it.module)
  const tables = [...modules].map(([module, rows]) =>
    [
      `## ${module}\n`,
      '| Event | Subject | Meaning | Data |',
      '|---|---|---|---|',
      ...rows.map(([type, it]) => `| \`${type}\` | ${subjectText(it)} | ${it.meaning} | ${fieldsText(it)} |`),
    ].join('\n'),
  )
  return `${introduction}\n${tables.join('\n\n')}\n`
}

type Fact = (typeof events)[keyof typeof events]

const subjectText = ({ subject, fields }: Fact): string =>
  `\`${subject}/{${wireName(Object.keys(fields)[0]!)}}\``

const fieldsText = ({ fields }: Fact): string =>
  Object.entries(fields as Record<string, TSchema>)
    .map(([name, schema]) => `\`${wireName(name)}\` ${typeText(schema)}`)
    .join(', ')

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

Every fact that one module tells another, and the world. This page is made from \`src/events.ts\`.

A fact is written in the transaction of the change that it tells of, so it exists exactly if the change does. It is handed on after the commit, at least once: a receiver that has seen an \`id\` ignores it the second time.

On the wire a fact is a [CloudEvents 1.0](https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/spec.md) event in JSON:

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
| \`id\` | A UUID of version 7. The same fact has the same id however often it comes. |
| \`source\` | Where it happened: the environment, \`live\` or \`test\`, and the module. |
| \`type\` | What happened, in the past tense: the first column below. |
| \`subject\` | What it is about. |
| \`time\` | When it happened, by the clock of its environment, in UTC. |
| \`sequence\` | Increases with every fact about the same subject. A fact with a lower one than you know is old: ignore it. |
| \`data\` | The fields below. Their names begin with a capital. |

The same bytes come by four ways: to webhooks (\`POST /v1/webhooks\`, signed as Standard Webhooks 1.0 says), in the list (\`GET /v1/events\`), in the live stream (\`GET /v1/events/stream\`), and, with \`NATS_URL\`, on the JetStream subject \`shop.<environment>.<module>.<Event>\` with the id as \`Nats-Msg-Id\`. Filters name events with \`*\` for any letters: \`OfferCreated\`, \`Offer*\`, \`catalog.*\`, \`*\`.

Events of others come in by \`POST /v1/integration-events\`, or on the subjects \`integration.<environment>.>\`.
`

if (import.meta.main && process.argv.includes('--write'))
  for (const [path, content] of Object.entries(await generatedFiles())) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), content)
    console.log(`${path}: ${Buffer.byteLength(content)} bytes`)
  }
