// OpenAPI description of the OAuth paths. They follow RFC 6749 instead of the envelope, so they are written by hand.

import type { ExtraPaths } from '../../http/openapi.ts'
import { scopes } from '../../http/scopes.ts'
import { scopeTexts } from '../pages/texts.ts'
import { metadataOf } from './routes.ts'
import { buyerScopes } from './scope.ts'

const form = 'application/x-www-form-urlencoded'
const json = 'application/json'
const string = { type: 'string' }
const text = (description: string) => ({ ...string, description })
const scopeText = { ...string, examples: ['catalog:read cart:write'] }

/** What the examples send and get. */
const sample = {
  client_id: 'app_test_TKAINYSj1QD6qCSuW7hu',
  client_secret: 'sk_test_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
  token: 'at_test_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
  scope: 'catalog:read',
}
const ownCredentials = { client_id: sample.client_id, client_secret: sample.client_secret }

const credentials = {
  client_id: text('The application’s client id, unless sent as `Authorization: Basic`.'),
  client_secret: text(
    'The client secret, unless sent as `Authorization: Basic`. Mobile applications have none.',
  ),
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

/** Errors of every path, before the protocol begins. */
const transportErrors = {
  '403': errorReply('Plain HTTP, where HTTPS is required.', ['invalid_request']),
  '414': errorReply('The address is too long.', ['invalid_request']),
  '429': errorReply('Too many requests; see `Retry-After`.', ['rate_limit_exceeded']),
  '500': errorReply('An error on our side; it is logged. Repeat the request later.', ['server_error']),
  '503': errorReply('Temporarily unavailable; see `Retry-After`.', ['temporarily_unavailable']),
}

const formErrors = {
  '400': errorReply('The request is invalid (RFC 6749 5.2).', [
    'invalid_request',
    'invalid_grant',
    'invalid_scope',
    'unauthorized_client',
    'unsupported_grant_type',
  ]),
  '401': errorReply('The application could not be authenticated.', ['invalid_client']),
  '408': errorReply('The body took too long to arrive.', ['invalid_request']),
  '413': errorReply('The body has more than 32 768 bytes.', ['invalid_request']),
  ...transportErrors,
}

/** A page for the buyer, who cannot be sent back to the application. */
const errorPage = (description: string) => ({
  description,
  content: { 'text/html': { schema: string } },
})

const formBody = (required: string[], properties: object, example: object) => ({
  required: true,
  content: {
    [form]: {
      schema: { type: 'object', required, properties: { ...properties, ...credentials } },
      example: { ...example, ...ownCredentials },
    },
  },
})

const operation = (operationId: string, summary: string, rest: object) => ({
  operationId,
  tags: ['OAuth'],
  summary,
  security: [],
  parameters: [],
  ...rest,
})

const query = (name: string, required: boolean, schema: object, example?: string) => ({
  name,
  in: 'query',
  required,
  schema,
  ...(example !== undefined && { example }),
})

const authorize = operation('authorize', 'Request authorization from a buyer', {
  description:
    'Open this address in the buyer’s browser. The buyer signs in, gives consent once per application and scopes, and is redirected to `redirect_uri` with `code`, your `state` and `iss`, or with `error`. A redirect URL that does not exactly match a registered one gets an error page and no redirect.',
  parameters: [
    query('response_type', true, { ...string, const: 'code' }, 'code'),
    query('client_id', true, text('The client id of the application.'), sample.client_id),
    query(
      'redirect_uri',
      true,
      text('One of the registered redirect URLs, exactly.'),
      'https://shop.example/callback',
    ),
    query('scope', false, scopeText, 'cart:read orders:read'),
    query('state', false, text('Returned unchanged.'), 'af0ifjsldkj'),
    query(
      'code_challenge',
      false,
      text('PKCE; required for mobile applications.'),
      'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    ),
    query('code_challenge_method', false, { ...string, const: 'S256' }, 'S256'),
    query('prompt', false, { ...string, enum: ['none', 'login', 'consent'] }),
  ],
  responses: {
    '303': { description: 'Redirect to a sign-in page, or back to the application.' },
    '400': errorPage('A page that explains why the browser is not redirected back.'),
    ...Object.fromEntries(
      Object.entries(transportErrors).map(([status, { description }]) => [status, errorPage(description)]),
    ),
  },
})

const token = operation('token', 'Get tokens', {
  description:
    'Exchanges a code (`authorization_code`), refreshes tokens (`refresh_token`), or issues a token to the application itself (`client_credentials`). A code is valid for 60 seconds and works once. A refresh token is valid for 14 days, works once and is replaced; using it again revokes the whole chain.',
  requestBody: formBody(
    ['grant_type'],
    {
      grant_type: { ...string, enum: ['authorization_code', 'refresh_token', 'client_credentials'] },
      code: text('For `authorization_code`: what the redirect brought.'),
      redirect_uri: text('Same value as in the authorization request.'),
      code_verifier: string,
      refresh_token: string,
      scope: scopeText,
    },
    { grant_type: 'client_credentials', scope: sample.scope },
  ),
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
          example: {
            access_token: sample.token,
            token_type: 'Bearer',
            expires_in: 3_600,
            scope: sample.scope,
          },
        },
      },
    },
    ...formErrors,
  },
})

const revoke = operation('revoke', 'Revoke a token', {
  description: 'RFC 7009. Revoking a refresh token revokes its whole chain. Unknown tokens get 200 too.',
  requestBody: formBody(
    ['token'],
    {
      token: text('An access token or a refresh token.'),
      token_type_hint: { ...string, enum: ['access_token', 'refresh_token'] },
    },
    { token: sample.token },
  ),
  responses: {
    '200': {
      description: 'The token is revoked, or was not valid.',
      content: { [json]: { schema: { type: 'object', description: 'Empty.' }, example: {} } },
    },
    ...formErrors,
  },
})

const introspect = operation('introspect', 'Introspect a token', {
  description:
    'RFC 7662, for tokens of the application itself. Others are reported as not active. Applications without a secret cannot call it.',
  requestBody: formBody(
    ['token'],
    {
      token: text('An access token or a refresh token.'),
      token_type_hint: { ...string, enum: ['access_token', 'refresh_token'] },
    },
    { token: sample.token },
  ),
  responses: {
    '200': {
      description: 'The state of the token.',
      content: {
        [json]: {
          schema: {
            type: 'object',
            required: ['active'],
            properties: {
              active: { type: 'boolean' },
              scope: scopeText,
              client_id: string,
              sub: text('The client id of the buyer, for user tokens.'),
              exp: { type: 'integer' },
              iat: { type: 'integer' },
              iss: text('The issuer, as in the server metadata.'),
              token_type: string,
            },
          },
          example: {
            active: true,
            client_id: sample.client_id,
            exp: 1_794_304_800,
            iat: 1_794_301_200,
            iss: 'http://127.0.0.1:8080',
            scope: sample.scope,
            token_type: 'Bearer',
          },
        },
      },
    },
    ...formErrors,
  },
})

const listOf = (...values: string[]) => ({ type: 'array', items: { type: 'string', enum: values } })
const clientAuthentication = listOf('client_secret_basic', 'client_secret_post', 'none')

const metadataFields = {
  issuer: string,
  authorization_endpoint: string,
  token_endpoint: string,
  revocation_endpoint: string,
  introspection_endpoint: string,
  scopes_supported: listOf(...scopes),
  response_types_supported: listOf('code'),
  response_modes_supported: listOf('query'),
  grant_types_supported: listOf('authorization_code', 'client_credentials', 'refresh_token'),
  code_challenge_methods_supported: listOf('S256'),
  token_endpoint_auth_methods_supported: clientAuthentication,
  revocation_endpoint_auth_methods_supported: clientAuthentication,
  introspection_endpoint_auth_methods_supported: listOf('client_secret_basic', 'client_secret_post'),
  authorization_response_iss_parameter_supported: { type: 'boolean' },
  service_documentation: string,
  ui_locales_supported: listOf('ru', 'uz', 'en'),
}

const metadataSchema = {
  type: 'object',
  required: Object.keys(metadataFields),
  properties: metadataFields,
}

const metadata = (origin: string) =>
  operation('serverMetadata', 'Get the server metadata', {
    description: 'RFC 8414.',
    responses: {
      '200': {
        description: 'The metadata.',
        content: { [json]: { schema: metadataSchema, example: metadataOf(origin) } },
      },
      '400': errorReply('The request is invalid.', ['invalid_request']),
      ...transportErrors,
    },
  })

const scopeWords = (names: readonly (typeof scopes)[number][]) =>
  Object.fromEntries(names.map((it) => [it, scopeTexts[it]?.en ?? it]))

export const oauthOpenApi = (origin: string): ExtraPaths => ({
  tag: {
    group: 'Identity',
    name: 'OAuth',
    description: 'Tokens for applications, and for applications that act for buyers.',
  },
  paths: {
    '/oauth/authorize': { get: authorize },
    '/oauth/token': { post: token },
    '/oauth/revoke': { post: revoke },
    '/oauth/introspect': { post: introspect },
    '/.well-known/oauth-authorization-server': { get: metadata(origin) },
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
