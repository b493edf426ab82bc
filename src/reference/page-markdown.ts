// Every page as Markdown, and llms.txt, for programs that read text.

import { events, type EventType } from '../events.ts'
import { errorExample } from '../http/openapi-errors.ts'
import type { JsonSchema } from '../http/openapi-example.ts'
import { type RefusalCode, refusals } from '../http/refusals.ts'
import { errorAdvice } from './error-advice.ts'
import { eventSample } from './event-schemas.ts'
import { codesOf, resolved, successOf } from './operation.ts'
import type { SiteContext } from './page-context.ts'
import { type Field, fieldsOf, typeText } from './schema.ts'
import { menuOf, type Resource, resourcesOf } from './site.ts'
import { type Call, formType, isInSdk, snippetsOf } from './snippets.ts'

const fenced = (language: string, code: string): string => `\`\`\`${language}\n${code}\n\`\`\``
const json = (value: unknown): string => fenced('json', JSON.stringify(value, null, 2))

export function homeMarkdown(context: SiteContext): string {
  const groups = menuOf(context).map(({ name, links }) =>
    [`## ${name}`, ...links.map((it) => `- [${it.title}](${it.address}.md)`)].join('\n'),
  )
  return `# Bozor API\n\n${context.document.info.description}\n\n${groups.join('\n\n')}\n`
}

export function resourceMarkdown(resource: Resource, context: SiteContext): string {
  const calls = resource.calls.map((it) => operationMarkdown(it, context))
  return `# ${resource.name}\n\n${resource.description}\n\n${calls.join('\n\n')}\n`
}

function operationMarkdown(call: Call, { document, origin }: SiteContext): string {
  const { operation, method, path, parameters } = call
  const view = {
    resolve: (shape: JsonSchema) => resolved(document, shape),
    describedSchemas: new Set<string>(),
    side: 'sent' as const,
  }
  const sent = operation.requestBody?.content
  const body = (sent?.['application/json'] ?? sent?.[formType])?.schema
  const input: Field[] = [
    ...parameters
      .filter((it) => it.in === 'path' || it.in === 'query')
      .map((it) => ({ name: it.name, shape: it.schema, required: it.required, description: it.description })),
    ...(body ? fieldsOf(body, view) : []),
  ]
  const lines = input.map((it) => {
    const meaning = it.description ?? view.resolve(it.shape).description
    return `- \`${it.name}\` ${typeText(it.shape, view)}${it.required ? ', required' : ''}${meaning ? `: ${meaning}` : ''}`
  })
  const [status, reply] = successOf(document, operation)
  const [content] = Object.values(reply.content ?? {})
  const scopes = [...new Set(operation.security.flatMap((it) => Object.values(it).flat()))]
  const [curl, typescript] = snippetsOf(call, origin)
  return [
    `## ${operation.summary}`,
    `\`${method} ${path}\`${isInSdk(call) ? ` · SDK \`bozor.${operation.operationId}\`` : ''}${scopes.length > 0 ? ` · scope ${scopes.map((it) => `\`${it}\``).join(', ')}` : ''}`,
    operation.description,
    ...(lines.length > 0 ? [lines.join('\n')] : []),
    fenced('sh', curl!.code),
    fenced('ts', typescript!.code),
    ...(content
      ? [
          `Reply ${status}:`,
          typeof content.example === 'string' ? fenced('', content.example) : json(content.example),
        ]
      : []),
    isInSdk(call)
      ? `Errors: ${codesOf(document, operation)
          .map((it) => `[${it}](/docs/errors.md)`)
          .join(', ')}`
      : 'Errors: as in RFC 6749, without the envelope.',
  ].join('\n\n')
}

export function errorsMarkdown(): string {
  const rows = (Object.keys(refusals) as RefusalCode[]).map((code) =>
    [
      `## ${code}`,
      `${refusals[code].status} · ${refusals[code].type}. ${refusals[code].en}`,
      `Cause: ${errorAdvice[code].cause}`,
      `Remedy: ${errorAdvice[code].remedy}`,
      json(errorExample(code).value.error),
    ].join('\n\n'),
  )
  return `# Errors\n\n${rows.join('\n\n')}\n`
}

export function eventsMarkdown(): string {
  const rows = (Object.keys(events) as EventType[]).map(
    (type) => `## ${type}\n\n${events[type].description}\n\n${json(eventSample(type))}`,
  )
  return `# Events\n\n${rows.join('\n\n')}\n`
}

/** https://llmstxt.org: what there is to read, with one line about each page. */
export function llmsText(context: SiteContext): string {
  const { document, guides, origin } = context
  const link = (title: string, address: string, about: string) =>
    `- [${title}](${origin}${address}.md): ${about}`
  return [
    '# Bozor API',
    `> ${document.info.description.split('\n\n')[0]}`,
    document.info.description.split('\n\n').slice(1).join('\n\n'),
    `The OpenAPI 3.1 document is at ${origin}/openapi.json.`,
    ['## Guides', ...guides.map((it) => link(it.title, `/docs/guides/${it.slug}`, it.summary))].join('\n'),
    [
      '## Catalogues',
      link('Errors', '/docs/errors', 'Every error code with its cause, remedy and details.'),
      link('Events', '/docs/event-types', 'Every event with a sample.'),
    ].join('\n'),
    [
      '## Resources',
      ...resourcesOf(document).map((it) => link(it.name, `/docs/${it.slug}`, it.description)),
    ].join('\n'),
  ].join('\n\n')
}
