// Which operation made an object that an example names. A fresh demo shop does not have these objects, so the reference
// says what to do first.

import type { ExampleNeed } from '../../src/http/openapi.ts'

interface Sent {
  params: Record<string, string>
  query: Record<string, string>
  body: unknown
}

/** Values that a server draws at random, also when it returns them in a list. */
const isRandom = (value: string): boolean => /^(?=.*[a-z])[\w-]{16,}$/i.test(value)

const singular = (word: string): string => word.replace(/ies$/, 'y').replace(/(?<!s)s$/, '')
const plain = (word: string): string => word.replace(/[_-]/g, '').toLowerCase()

/** `brand` for `brand_id`, `order` for `OrderIds`, and the name of what holds it for `id`. */
function objectOf(key: string, parent: string): string | undefined {
  const [, name] = /^(.*)ids?$/.exec(plain(key)) ?? []
  if (name === undefined) return undefined
  return ({ '': parent, customer: 'client', application: 'client' } as Record<string, string>)[name] ?? name
}

const lastNoun = (path: string): string =>
  singular(
    plain(
      path
        .replace(/\/\{\w+\}/g, '')
        .split('/')
        .at(-1)!,
    ),
  )

/** The noun before `{id}`. */
const nounBefore = (path: string, param: string): string =>
  singular(
    plain(
      path
        .slice(0, path.indexOf(`/{${param}}`))
        .split('/')
        .at(-1)!,
    ),
  )

export class Provenance {
  readonly #makers = new Map<string, string>()

  /** Records the ids of a reply. */
  learn(operation: { name: string; method: string; path: string }, sent: Sent, reply: unknown): void {
    const known = new Set(textsOf([sent.params, sent.query, sent.body]))
    const learn = (object: string, value: string) => {
      const key = `${object} ${value}`
      if (!known.has(value) && !this.#makers.has(key)) this.#makers.set(key, operation.name)
    }
    for (const { object, value, depth, isOwn } of idsOf(reply, lastNoun(operation.path)))
      if (isRandom(value)) learn(object, value)
      else if (operation.method !== 'GET' && (depth === 0 || (depth === 1 && isOwn))) learn(object, value)
  }

  /** What has to be done before the call, in the order of its fields. */
  needsOf(path: string, { params, query, body }: Sent): ExampleNeed[] {
    const inPath = Object.entries(params).map(([field, value]) => ({
      field,
      key: `${objectOf(field, nounBefore(path, field)) ?? plain(field)} ${value}`,
    }))
    const inside = [...idsOf(query, ''), ...idsOf(body, lastNoun(path))].map(({ field, object, value }) => ({
      field,
      key: `${object} ${value}`,
    }))
    return [...inPath, ...inside]
      .map(({ field, key }) => ({ field, operation: this.#makers.get(key) }))
      .filter((it): it is Required<ExampleNeed> => it.operation !== undefined)
  }
}

interface FoundId {
  field: string
  object: string
  value: string
  depth: number
  /** The field is `id`, so it names what holds it. */
  isOwn: boolean
}

function* idsOf(value: unknown, parent: string, depth = 0): Generator<FoundId> {
  if (value === null || typeof value !== 'object') return
  for (const [key, it] of Object.entries(value)) {
    const object = Array.isArray(value) ? undefined : objectOf(key, parent)
    for (const one of [it].flat())
      if (object !== undefined && (typeof one === 'string' || typeof one === 'number'))
        yield {
          field: key,
          object,
          value: String(one),
          depth,
          isOwn: plain(key) === 'id' || key === 'client_id',
        }
    yield* idsOf(
      it,
      Array.isArray(value) ? parent : singular(plain(key)),
      depth + (Array.isArray(it) ? 0 : 1),
    )
  }
}

function textsOf(value: unknown): string[] {
  if (value === null || value === undefined) return []
  return typeof value === 'object' ? Object.values(value).flatMap(textsOf) : [String(value as string)]
}
