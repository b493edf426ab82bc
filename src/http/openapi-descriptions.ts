// Descriptions of operations whose declaration has none: what their kind does, as declared.

import { jsonSchemaOf } from './openapi-example.ts'
import type { Route } from './route.ts'

/** The declared description, or sentences about the kind of the operation. */
export function descriptionOf(route: Route): string {
  const { description } = route.declared
  return description ?? sentencesOf(route).join(' ')
}

function sentencesOf(route: Route): string[] {
  const { method, path, declared } = route
  const query = Object.keys((declared.query && jsonSchemaOf(declared.query).properties) ?? {})
  if (method === 'GET') return query.includes('cursor') ? listSentences(query) : [readSentence(path)]
  if (route.kind !== 'write') return [`${declared.summary}.`]
  const { versioned, secrets, creates } = route.declared
  return [
    writeSentence(route),
    versioned && method !== 'POST' && 'With `If-Match` only if it has not changed since you read it.',
    creates !== undefined && method === 'POST' && 'Safe to repeat with the same `Idempotency-Key`.',
    secrets &&
      `${secrets.map((it) => `\`${it}\``).join(' and ')} is shown once and null in a repeated reply.`,
  ].filter((it) => typeof it === 'string')
}

const paging = ['page', 'per_page', 'sort', 'cursor']

function listSentences(query: string[]): string[] {
  const filters = query.filter((it) => !paging.includes(it)).map((it) => `\`${it}\``)
  return [
    'Returns one page of the list and the cursor of the next.',
    ...(filters.length > 0 ? [`Filters: ${filters.join(', ')}; several must all hold.`] : []),
  ]
}

const readSentence = (path: string): string =>
  path.endsWith('}')
    ? 'Returns it as it is now, with its version as `ETag`; 304 if the version in `If-None-Match` is still current.'
    : 'Returns the present values; 304 if the version in `If-None-Match` is still current.'

function writeSentence({ method, declared }: Route): string {
  switch (method) {
    case 'PUT':
      return 'Replaces all fields: those that are left out get their defaults.'
    case 'PATCH':
      return 'Changes the fields that are sent and keeps the others.'
    case 'DELETE':
      return 'Returns what was removed. Refused with `conflict` while something else uses it.'
    default:
      return `${declared.summary}. Returns the new state.`
  }
}
