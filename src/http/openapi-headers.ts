// The headers of requests and replies, once: every operation refers to them.

export interface HeaderParameter {
  name: string
  in: 'header'
  required: false
  description: string
  schema: Record<string, unknown>
}

const header = (name: string, description: string, schema: Record<string, unknown>): HeaderParameter => ({
  name,
  in: 'header',
  required: false,
  description,
  schema: { type: 'string', ...schema },
})

// oxfmt-ignore
/** Headers that writes or reads take; `IfMatch` only where a version guards the write. */
export const callHeaders = {
  IdempotencyKey: header('Idempotency-Key', 'Names this write. Sent again, it gives the same reply and does nothing twice.', { minLength: 1, maxLength: 255, examples: ['order-7712-attempt'] }),
  Prefer: header('Prefer', '`dry-run` does everything, undoes it, and answers as if.', { examples: ['dry-run'] }),
  IfMatch: header('If-Match', 'The `ETag` that you read; 412 when somebody has changed it since.', { examples: ['"3-ru"'] }),
  IfNoneMatch: header('If-None-Match', 'The `ETag` that you hold; 304 while it is still right.', { examples: ['"3-ru"'] }),
}

// oxfmt-ignore
/** Headers that every call takes. */
export const commonHeaders = {
  RequestId: header('X-Request-ID', 'Your name for this request; the reply repeats it.', { pattern: '^[A-Za-z0-9._-]{1,128}$', examples: ['checkout-7712'] }),
  ApiVersion: header('X-API-Version', 'The version that you were written for.', { enum: ['v1'] }),
  ClientName: header('X-Client-Name', 'Your program\'s name, for logs.', { maxLength: 200, examples: ['warehouse'] }),
  ClientVersion: header('X-Client-Version', 'Your program\'s version, for logs.', { maxLength: 200, examples: ['2.4.0'] }),
  ServiceRegion: header('X-Service-Region', 'The region you serve. Addresses under `/global` preset `global`.', { enum: ['home', 'global'] }),
  Environment: header('X-Environment', 'For members, whose cookie opens both: where this call acts. A key says it by its prefix.', { enum: ['live', 'test'] }),
  Language: header('Accept-Language', 'The language of names and messages: `ru`, `uz` or `en`. Without it, `ru` at home and `en` under `/global`.', { examples: ['uz'] }),
  Currency: header('X-Currency', 'The currency in which prices are shown. Orders are charged in UZS.', { pattern: '^[A-Z]{3}$', examples: ['UZS'] }),
  Timezone: header('X-Timezone', 'What "today" means in filters and reports; it moves no limit.', { examples: ['Asia/Tashkent'] }),
}

const replyHeader = (description: string, example: string) => ({
  description,
  schema: { type: 'string', examples: [example] },
})

// oxfmt-ignore
export const replyHeaders = {
  RequestId: ['X-Request-ID', replyHeader('Your request id, or ours.', 'checkout-7712')],
  RateLimit: ['RateLimit', replyHeader('What is left of the limit, and for how many seconds.', '"default";r=998;t=41')],
  RateLimitPolicy: ['RateLimit-Policy', replyHeader('The limit, and its window in seconds.', '"default";q=1000;w=60')],
  ETag: ['ETag', replyHeader('The version of what you read, in its language.', '"3-ru"')],
  IdempotentReplayed: ['Idempotent-Replayed', replyHeader('`true` when the reply is a remembered one.', 'true')],
  PreferenceApplied: ['Preference-Applied', replyHeader('`dry-run` when nothing was kept.', 'dry-run')],
  RecommendationId: ['X-Recommendation-Id', replyHeader('Names this list in what you report of it.', '019a8f4e-0b6e-7c1d-9a55-3f1f7a0c2d11')],
  RetryAfter: ['Retry-After', replyHeader('Seconds to wait before the next try.', '12')],
} as const
