import { card, jsonCode, shellCard } from './docs-example.ts'
import type { GuideSection } from './docs-guide.ts'
import { html } from './docs-html.ts'
import type { Reading } from './docs-operation.ts'

const tokens = {
  access_token: 'at_test_…',
  expires_in: 3600,
  refresh_token: 'rt_test_…',
  scope: 'cart:read cart:write',
  token_type: 'Bearer',
}

export const oauth = ({ origin }: Reading): GuideSection => ({
  id: 'oauth',
  title: 'OAuth 2.0',
  words: html`<p>
      With OAuth an application acts for a buyer who allowed it, or for itself with a token that ends after an
      hour. Libraries set themselves up from <code>/.well-known/oauth-authorization-server</code>. The client
      id, <code>app_test_…</code> or <code>app_live_…</code>, picks the environment.
    </p>
    <p>
      Send the buyer to <code>/oauth/authorize</code>. He signs in, reads what you ask for, and comes back to
      your redirect address, which has to be registered character by character, with a <code>code</code> that
      lives for a minute and works once. Use PKCE with <code>S256</code>; mobile applications must, and have
      no secret. A buyer can be asked for <code>catalog:read</code>, <code>cart:read</code>,
      <code>cart:write</code>, <code>orders:read</code> and <code>orders:write</code>.
    </p>
    <p>
      A refresh token lives for 14 days, works once, and comes back new. One that is used a second time ends
      all tokens of its chain, because somebody has a copy; only requests that were under way together get one
      answer. When an access token is over, calls say
      <a href="#unauthorized"><code>unauthorized</code></a> with <code>token_expired</code>.
    </p>
    <p>
      Errors of <code>/oauth/…</code> are those of RFC 6749, without the envelope. Tokens are given back at
      <code>/oauth/revoke</code> and looked at with <code>/oauth/introspect</code>. The implicit and the
      password flow are not supported.
    </p>`,
  code: html`${shellCard(
    'A token for the application itself',
    `curl ${origin}/oauth/token`,
    '-u "$CLIENT_ID:$CLIENT_SECRET"',
    '-d grant_type=client_credentials',
    `-d scope='catalog:read'`,
  )}
  ${shellCard(
    'A code becomes tokens',
    `curl ${origin}/oauth/token`,
    '-u "$CLIENT_ID:$CLIENT_SECRET"',
    '-d grant_type=authorization_code',
    '-d code="$CODE"',
    '-d redirect_uri=https://shop.example/signed-in',
  )}
  ${card('Reply', jsonCode(tokens), '200 OK')}`,
})
