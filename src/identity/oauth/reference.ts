// What the OpenAPI document says of OAuth. Its paths keep to RFC 6749 and not to the envelope, so they are written here.

import type { Beside } from '../../http/openapi.ts'
import { scopes } from '../../http/scopes.ts'
import { rights } from '../pages/words.ts'
import { buyerScopes } from './scope.ts'

const form = 'application/x-www-form-urlencoded'
const json = 'application/json'
const string = { type: 'string' }
const text = (description: string) => ({ ...string, description })
const scopeText = { ...string, examples: ['catalog:read cart:write'] }

const credentials = {
  client_id: text('Of the application, unless it comes in `Authorization: Basic`.'),
  client_secret: text('Likewise. A mobile application has none.'),
}

const errorReply = (description: string, codes: string[]) => ({
  description,
  content: {
    [json]: {
      schema: {
        type: 'object',
        required: ['error'],
        properties: { error: { ...string, enum: codes }, error_description: string },
      },
    },
  },
})

const formErrors = {
  '400': errorReply('What is wrong with the request (RFC 6749 5.2).', [
    'invalid_request',
    'invalid_grant',
    'invalid_scope',
    'unauthorized_client',
    'unsupported_grant_type',
  ]),
  '401': errorReply('The application did not prove itself.', ['invalid_client']),
  '429': errorReply('Too many calls; `Retry-After` says how long to wait.', ['rate_limit_exceeded']),
  '503': errorReply('Not now; `Retry-After` says when.', ['temporarily_unavailable']),
}

const formBody = (required: string[], properties: object) => ({
  required: true,
  content: {
    [form]: { schema: { type: 'object', required, properties: { ...properties, ...credentials } } },
  },
})

const operation = (operationId: string, summary: string, rest: object) => ({
  operationId,
  tags: ['OAuth'],
  summary,
  security: [],
  ...rest,
})

const query = (name: string, required: boolean, schema: object) => ({ name, in: 'query', required, schema })

const authorize = operation('authorize', 'Ask a buyer for leave', {
  description:
    'Send the buyer’s browser here. He signs in, is asked once per application and scopes, and is led back to `redirect_uri` with `code`, your `state` and `iss`, or with `error`. A redirect address that is not registered, character by character, gets a page and no redirect.',
  parameters: [
    query('response_type', true, { ...string, const: 'code' }),
    query('client_id', true, string),
    query('redirect_uri', true, string),
    query('scope', false, scopeText),
    query('state', false, text('Comes back as it was sent.')),
    query('code_challenge', false, text('PKCE; obligatory for mobile applications.')),
    query('code_challenge_method', false, { ...string, const: 'S256' }),
    query('prompt', false, { ...string, enum: ['none', 'login', 'consent'] }),
  ],
  responses: {
    '303': { description: 'To a page of ours, or back to the application.' },
    '400': { description: 'A page that says why the browser is not led back.' },
  },
})

const token = operation('token', 'Get tokens', {
  description:
    'Exchanges a code (`authorization_code`), renews (`refresh_token`), or lets an application act for itself (`client_credentials`). A code lives 60 seconds and works once. A refresh token lives 14 days, works once and comes back new; a used one that comes again ends the whole chain.',
  requestBody: formBody(['grant_type'], {
    grant_type: { ...string, enum: ['authorization_code', 'refresh_token', 'client_credentials'] },
    code: string,
    redirect_uri: text('The same as in the authorization.'),
    code_verifier: string,
    refresh_token: string,
    scope: scopeText,
  }),
  responses: {
    '200': {
      description: 'The tokens.',
      content: {
        [json]: {
          schema: {
            type: 'object',
            required: ['access_token', 'token_type', 'expires_in', 'scope'],
            properties: {
              access_token: text('`at_test_…` or `at_live_…`, for `Authorization: Bearer`.'),
              token_type: { ...string, const: 'Bearer' },
              expires_in: { type: 'integer', description: 'Seconds.' },
              refresh_token: text('`rt_…`; not for client credentials.'),
              scope: scopeText,
            },
          },
        },
      },
    },
    ...formErrors,
  },
})

const revoke = operation('revoke', 'Give a token back', {
  description: 'RFC 7009. A refresh token takes all tokens of its chain along. An unknown token is 200 too.',
  requestBody: formBody(['token'], {
    token: string,
    token_type_hint: { ...string, enum: ['access_token', 'refresh_token'] },
  }),
  responses: { '200': { description: 'It does not work any more.' }, ...formErrors },
})

const introspect = operation('introspect', 'Look at a token', {
  description: 'RFC 7662, for the application’s own tokens. All others are not active.',
  requestBody: formBody(['token'], {
    token: string,
    token_type_hint: { ...string, enum: ['access_token', 'refresh_token'] },
  }),
  responses: {
    '200': {
      description: 'What is known of it.',
      content: {
        [json]: {
          schema: {
            type: 'object',
            required: ['active'],
            properties: {
              active: { type: 'boolean' },
              scope: scopeText,
              client_id: string,
              sub: text('The buyer, when it acts for one.'),
              exp: { type: 'integer' },
              iat: { type: 'integer' },
              token_type: string,
            },
          },
        },
      },
    },
    ...formErrors,
  },
})

const metadata = operation('serverMetadata', 'What this server can do', {
  description: 'RFC 8414.',
  responses: { '200': { description: 'The metadata.', content: { [json]: { schema: { type: 'object' } } } } },
})

const scopeWords = (names: readonly (typeof scopes)[number][]) =>
  Object.fromEntries(names.map((it) => [it, rights[it]?.en ?? it]))

/** The paths of OAuth and what clients have to know to set themselves up. */
export const oauthReference = (origin: string): Beside => ({
  tag: {
    group: 'Identity',
    name: 'OAuth',
    description: 'Tokens for applications, and for buyers who let them act.',
  },
  paths: {
    '/oauth/authorize': { get: authorize },
    '/oauth/token': { post: token },
    '/oauth/revoke': { post: revoke },
    '/oauth/introspect': { post: introspect },
    '/.well-known/oauth-authorization-server': { get: metadata },
  },
  securitySchemes: {
    oauth2: {
      type: 'oauth2',
      description: 'Access tokens, `at_test_…` or `at_live_…`.',
      flows: {
        authorizationCode: {
          authorizationUrl: `${origin}/oauth/authorize`,
          tokenUrl: `${origin}/oauth/token`,
          refreshUrl: `${origin}/oauth/token`,
          scopes: scopeWords(buyerScopes),
        },
        clientCredentials: { tokenUrl: `${origin}/oauth/token`, scopes: scopeWords(scopes) },
      },
    },
  },
})
