// The words from which modules build their wire shapes. Every number and every text has a bound.

import { type Static, type TSchema, Type } from 'typebox'

/** A positive whole number in a path, a query or a body. */
export const id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, examples: [1] })

/** An id as `/v1` writes it: decimal digits in a string. */
export const idText = Type.String({ pattern: '^[1-9][0-9]{0,15}$', examples: ['1'] })

/**
 * An id in a body: a number, as records write it, or its digits in a string, as replies do. Fifteen digits are whole
 * numbers for sure; with sixteen, two ids could become one.
 */
export const givenId = Type.Unsafe<number | string>({
  type: ['integer', 'string'],
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
  pattern: '^[1-9][0-9]{0,14}$',
  examples: [1],
})

export const integer = (
  minimum: number,
  maximum: number,
  options: { default?: number; description?: string } = {},
) => Type.Integer({ minimum, maximum, ...options })

/** Text by code points, from one to a thousand unless said otherwise. */
export const text = (
  options: { min?: number; max?: number; pattern?: string; description?: string; examples?: string[] } = {},
) => {
  const { min = 1, max = 1_000, ...rest } = options
  return Type.String({ minLength: min, maxLength: max, ...rest })
}

/** A name that people read: blanks alone are none. */
export const name = (max: number, example: string) => text({ max, pattern: '\\S', examples: [example] })

export const slug = text({ max: 100, pattern: '^[a-z0-9]+(?:-[a-z0-9]+)*$', examples: ['new-arrivals'] })

export const httpUrl = text({
  max: 2_000,
  pattern: '^https?://[^\\s]+$',
  examples: ['https://example.com/a.png'],
})

export const instant = Type.String({ format: 'date-time', examples: ['2026-11-01T09:00:00.000Z'] })

export const flag = Type.Boolean()

export const oneOf = <const T extends string>(values: readonly T[], options: { description?: string } = {}) =>
  Type.Unsafe<T>({ type: 'string', enum: [...values], ...options })

/** The shape or null, written so that readers and serializers see one type and not a choice of two. */
export const nullable = <S extends TSchema>(shape: S) => {
  const { type, enum: choices } = shape as unknown as { type: string; enum?: string[] }
  return Type.Unsafe<Static<S> | null>({
    ...shape,
    type: [type, 'null'],
    ...(choices && { enum: [...choices, null] }),
  })
}

const said = (max: number) => name(max, 'Новинки')

/** A text in our three languages, at least one of them. */
export const words = (max: number) =>
  Type.Object(
    { ru: Type.Optional(said(max)), uz: Type.Optional(said(max)), en: Type.Optional(said(max)) },
    {
      additionalProperties: false,
      minProperties: 1,
      examples: [{ ru: 'Новинки', uz: 'Yangi kelganlar', en: 'New arrivals' }],
    },
  )

export const strict = <P extends Record<string, TSchema>>(properties: P) =>
  Type.Object(properties, { additionalProperties: false })

export const list = <S extends TSchema>(items: S, maxItems = 1_000) => Type.Array(items, { maxItems })

/** Every field may be left out; at least one must be there. For PATCH. */
export const changes = <P extends Record<string, TSchema>>(properties: P) =>
  Type.Partial(Type.Object(properties), { additionalProperties: false, minProperties: 1 })

/** A shape that the reference writes once, under its name. */
export const named = <S extends TSchema>(title: string, shape: S): S => Object.assign(shape, { title })
