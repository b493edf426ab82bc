// Headers of requests and replies, as shared components of the OpenAPI document.

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
/** Headers of writes, reads or streams; `IfMatch` only for versioned routes. */
export const callHeaders = {
  IdempotencyKey: header('Idempotency-Key', 'Identifies this write. A repeated request with the same key returns the stored reply and has no second effect.', { minLength: 1, maxLength: 255, examples: ['order-7712-attempt'] }),
  Prefer: header('Prefer', '`dry-run` runs the write, rolls it back and returns the reply it would have had.', { examples: ['dry-run'] }),
  IfMatch: header('If-Match', 'The `ETag` of the version you read; 412 if it has changed since.', { examples: ['"3-ru"'] }),
  IfNoneMatch: header('If-None-Match', 'The `ETag` of the copy you have; 304 if it is still current.', { examples: ['"3-ru"'] }),
  LastEventId: header('Last-Event-ID', 'The id of the last event that you received; the stream continues after it.', { format: 'uuid', examples: ['0192f0c1-6a53-7a53-9d1a-1f4f0a1c2b3d'] }),
}

// oxfmt-ignore
/** Headers of every operation. */
export const commonHeaders = {
  RequestId: header('X-Request-ID', 'Your id of this request; the reply repeats it.', { pattern: '^[A-Za-z0-9._-]{1,128}$', examples: ['checkout-7712'] }),
  ApiVersion: header('X-API-Version', 'The API version that the client was written for.', { enum: ['v1'] }),
  ClientName: header('X-Client-Name', 'Name of the client program, for logs.', { maxLength: 200, examples: ['warehouse'] }),
  ClientVersion: header('X-Client-Version', 'Version of the client program, for logs.', { maxLength: 200, examples: ['2.4.0'] }),
  ServiceRegion: header('X-Service-Region', 'Service region. Paths under `/global` preset `global`.', { enum: ['home', 'global'] }),
  Environment: header('X-Environment', 'For members, whose session works in both environments: the environment of this request. API keys and tokens determine it by their prefix; another value is refused.', { enum: ['live', 'test'] }),
  Language: header('Accept-Language', 'Language of names and messages: `ru`, `uz` or `en`. Default `ru`, under `/global` `en`.', { examples: ['uz'] }),
  Currency: header('X-Currency', 'The currency in which prices are shown. Orders are charged in UZS.', { pattern: '^[A-Z]{3}$', examples: ['UZS'] }),
  Timezone: header('X-Timezone', 'Time zone of dates in filters and reports. Daily limits always use the shop\'s time zone.', { examples: ['Asia/Tashkent'] }),
}

/** Headers that a page of another origin may send; OpenAPI describes those of authentication and content elsewhere. */
export const allowedHeaders: string = [
  'Authorization',
  'Content-Type',
  'Accept',
  'X-CSRF-Token',
  'traceparent',
  // MCP clients must send it with every request after the first.
  'MCP-Protocol-Version',
  ...[...Object.values(callHeaders), ...Object.values(commonHeaders)].map((it) => it.name),
].join(', ')

const replyHeader = (description: string, example: string) => ({
  description,
  schema: { type: 'string', examples: [example] },
})

// oxfmt-ignore
export const replyHeaders = {
  RequestId: ['X-Request-ID', replyHeader('The request id: yours, or a generated one.', 'checkout-7712')],
  RateLimit: ['RateLimit', replyHeader('Remaining requests `r`, and seconds `t` until the limit resets.', '"default";r=998;t=41')],
  RateLimitPolicy: ['RateLimit-Policy', replyHeader('The limit `q` and its window `w` in seconds.', '"default";q=1000;w=60')],
  ETag: ['ETag', replyHeader('Version of the data, with its language.', '"3-ru"')],
  IdempotentReplayed: ['Idempotent-Replayed', replyHeader('`true` if this is the stored reply of an earlier request.', 'true')],
  PreferenceApplied: ['Preference-Applied', replyHeader('`dry-run` if the write was rolled back.', 'dry-run')],
  RecommendationId: ['X-Recommendation-Id', replyHeader('Id of this list, for reporting interactions with it.', '019a8f4e-0b6e-7c1d-9a55-3f1f7a0c2d11')],
  RetryAfter: ['Retry-After', replyHeader('Seconds to wait before the next attempt.', '12')],
} as const
