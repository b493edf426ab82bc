// Building blocks for the schemas of routes. Every number and every text has a bound.

import { type Static, type TSchema, Type } from 'typebox'

/** A numeric id in a path, a query or a body. */
export const id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, examples: [1] })

/** The largest value of a column of four bytes. */
export const maxInt4 = 2 ** 31 - 1

/** A number in a column of four bytes, such as the number of a line. */
export const smallId = Type.Integer({ minimum: 1, maximum: maxInt4, examples: [1] })

/** An id in `/v1`: decimal digits in a string. */
export const idText = Type.String({ pattern: '^[1-9][0-9]{0,15}$', examples: ['1'] })

/**
 * An id in a body: a number, as in records, or decimal digits, as in replies. At most fifteen digits, because longer ones
 * can lose precision as a number.
 */
export const idInput = Type.Unsafe<number | string>({
  type: ['integer', 'string'],
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
  pattern: '^[1-9][0-9]{0,14}$',
  examples: [1],
})

/** The same for a column of four bytes. */
export const smallIdInput = Type.Unsafe<number | string>({
  ...idInput,
  maximum: maxInt4,
  pattern: '^[1-9][0-9]{0,8}$',
})

export const integer = (
  minimum: number,
  maximum: number,
  options: { default?: number; description?: string } = {},
) => Type.Integer({ minimum, maximum, ...options })

/** Text of 1 to 1000 code points by default. */
export const text = (
  options: {
    min?: number
    max?: number
    pattern?: string
    format?: string
    description?: string
    examples?: string[]
  } = {},
) => {
  const { min = 1, max = 1_000, ...rest } = options
  return Type.String({ minLength: min, maxLength: max, ...rest })
}

/** Display name; must not be blank. */
export const name = (max: number, example: string) => text({ max, pattern: '\\S', examples: [example] })

export const slug = text({ max: 100, pattern: '^[a-z0-9]+(?:-[a-z0-9]+)*$', examples: ['new-arrivals'] })

export const httpUrl = text({
  max: 2_000,
  pattern: '^https?://[^\\s]+$',
  examples: ['https://example.com/a.png'],
})

export const instant = Type.String({ format: 'date-time', examples: ['2026-11-01T09:00:00.000Z'] })

export const uuid = Type.String({
  format: 'uuid',
  pattern: '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$',
  examples: ['019a8a52-7c00-7f3e-8a7e-2f1c9a7be03d'],
})

export const flag = Type.Boolean()

export const oneOf = <const T extends string>(values: readonly T[], options: { description?: string } = {}) =>
  Type.Unsafe<T>({ type: 'string', enum: [...values], ...options })

/** The schema or null, as a list of types and not as `anyOf`, which serializers handle slowly. */
export const nullable = <S extends TSchema>(shape: S) => {
  const { type, enum: choices } = shape as unknown as { type: string; enum?: string[] }
  return Type.Unsafe<Static<S> | null>({
    ...shape,
    type: [type, 'null'],
    ...(choices && { enum: [...choices, null] }),
  })
}

/** A secret in a reply: only the first reply has it (`secrets` of the route). */
export const shownOnce = <S extends TSchema>(shape: S) => {
  const { description } = shape as { description?: string }
  const once = 'Shown once: null in a replay with the same `Idempotency-Key`.'
  return nullable({ ...shape, description: description === undefined ? once : `${description} ${once}` } as S)
}

const translation = (max: number) => name(max, 'Новинки')

/** A text in Russian, Uzbek and English; at least one of them. */
export const localizedText = (max: number) =>
  Type.Object(
    {
      ru: Type.Optional(translation(max)),
      uz: Type.Optional(translation(max)),
      en: Type.Optional(translation(max)),
    },
    {
      additionalProperties: false,
      minProperties: 1,
      examples: [{ ru: 'Новинки', uz: 'Yangi kelganlar', en: 'New arrivals' }],
    },
  )

export const strict = <P extends Record<string, TSchema>>(properties: P) =>
  Type.Object(properties, { additionalProperties: false })

export const list = <S extends TSchema>(items: S, maxItems = 1_000) => Type.Array(items, { maxItems })

/** For PATCH: all fields optional, at least one required. */
export const changes = <P extends Record<string, TSchema>>(properties: P) =>
  Type.Partial(Type.Object(properties), { additionalProperties: false, minProperties: 1 })

/** A schema that becomes a named component of the OpenAPI document. */
export const named = <S extends TSchema>(title: string, shape: S): S => Object.assign(shape, { title })

/** An amount in a reply. */
export const money = named(
  'Money',
  Type.Object(
    {
      amount: integer(0, Number.MAX_SAFE_INTEGER, {
        description: 'In the smallest unit of the currency: tiyin, cents.',
      }),
      currency: Type.String({ pattern: '^[A-Z]{3}$', examples: ['UZS'] }),
    },
    { examples: [{ amount: 129_900_000, currency: 'UZS' }] },
  ),
)
