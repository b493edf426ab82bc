// What holds for every call, told once and before the calls themselves.

import { maxBodyBytes } from './input.ts'
import { asJson, bearer, card, jsonCode, shellCard } from './docs-example.ts'
import { campaigns } from './docs-guide-campaigns.ts'
import { events, liveStream, webhooks } from './docs-guide-events.ts'
import { oauth } from './docs-guide-oauth.ts'
import { recommendations } from './docs-guide-recommendations.ts'
import { type Html, html, inline, joined } from './docs-html.ts'
import type { Reading } from './docs-operation.ts'
import { type Language, languages } from './language.ts'
import { commonHeaders } from './openapi-headers.ts'
import { type RefusalCode, refusals } from './refusals.ts'
import { scopes } from './scopes.ts'
import { spokenFaults } from './validation.ts'

export interface GuideSection {
  id: string
  title: string
  words: Html
  code?: Html
}

export const guideSections = (reading: Reading): GuideSection[] => [
  addresses(reading),
  authentication(reading),
  oauth(reading),
  envelope(),
  errors(reading),
  idempotency(reading),
  paging(reading),
  dryRun(reading),
  versions(reading),
  rateLimits(),
  headers(),
  values(),
  recommendations(reading),
  campaigns(reading),
  testClock(reading),
  events(reading),
  webhooks(reading),
  liveStream(reading),
]

const meta = {
  request_id: '6b1f0c3e-6a53-4a53-9d1a-1f4f0a1c2b3d',
  timestamp: '2026-11-01T09:00:00.000Z',
  api_version: 'v1',
}

function addresses({ origin, document }: Reading): GuideSection {
  const rows: [string, string][] = [
    [`${origin}/v1`, 'The API.'],
    [
      `${origin}/global/v1`,
      'The same API with the service region preset to `global`, and English as its language.',
    ],
    [`${origin}/openapi.json`, `This reference for programs: OpenAPI 3.1, version ${document.info.version}.`],
    [`${origin}/healthz`, 'Whether the process is up.'],
    [`${origin}/readyz`, 'Whether it is ready to serve.'],
  ]
  return {
    id: 'addresses',
    title: 'Addresses',
    words: html`<p>
        One server answers for everything, for both environments. A path may end with a slash or not.
      </p>
      <dl class="pairs">
        ${rows.map(
          ([address, meaning]) =>
            html`<div>
              <dt><code>${address}</code></dt>
              <dd>${inline(meaning)}</dd>
            </div>`,
        )}
      </dl>
      <p>
        Calls with a key may come from a page of any origin. Bodies are JSON in UTF-8 of at most
        ${maxBodyBytes / 1024} KiB; fields that a call does not know are refused, so that a misspelt one
        cannot be lost silently.
      </p>`,
    code: html`${shellCard('Is it up?', `curl ${origin}/healthz`)}
    ${card('Reply', jsonCode({ status: 'up' }), '200 OK')}`,
  }
}

function authentication({ origin }: Reading): GuideSection {
  return {
    id: 'authentication',
    title: 'Authentication and environments',
    words: html`<p>
        Send your key in <code>Authorization: Bearer</code>. Its prefix picks the environment:
        <code>ak_test_…</code> works on test data, <code>ak_live_…</code> on the shop itself. The two share
        addresses and nothing else; neither sees the other's data.
      </p>
      <p>
        A key has scopes, and every call names the one that it needs. Without a good key a call is answered
        with <a href="#unauthorized"><code>unauthorized</code></a
        >, and <code>details.reason</code> says why; without the scope, with
        <a href="#insufficient_permissions"><code>insufficient_permissions</code></a
        >.
      </p>
      <p class="choices">
        ${joined(
          scopes.map((it) => html`<code>${it}</code>`),
          ' ',
        )}
      </p>
      <p>
        Keys are shown once, when they are made. Keep live keys on servers: whoever reads a key has its
        rights. Rotating a key makes a successor, and both work until the overlap is over.
      </p>
      <p>
        The people who run the shop are members. They sign in at <code>/v1/admin/sessions</code> and are known
        by a cookie from then on, which opens both environments: <code>X-Environment</code> says in which one
        a call acts. A member's role gives the scopes. What members change stands in the audit log.
      </p>`,
    code: html`${shellCard('Get a test key', 'npm run bozor -- app create --name "My app"', '--scopes "catalog:read catalog:write"')}
    ${shellCard('Use it', `export BOZOR_KEY=ak_test_…\ncurl '${origin}/v1/catalog/categories?per_page=3'`, bearer)}
    ${shellCard('Sign in as a member', `curl ${origin}/v1/admin/sessions`, '-c cookies.txt', "-H 'Content-Type: application/json'", `-d '{"email":"anna@shop.uz","password":"…"}'`)}`,
  }
}

const envelope = (): GuideSection => ({
  id: 'envelope',
  title: 'Envelope',
  words: html`<p>
      A call that went well answers 200, or 201 when it made something, with <code>success</code>,
      <code>data</code> and <code>meta</code>. A call that was refused answers with <code>error</code> and
      <code>meta</code>. Deleting answers with what was deleted.
    </p>
    <p>
      <code>meta.request_id</code> is your <code>X-Request-ID</code>, or ours when you sent none. Log it: it
      is the quickest way from your problem to our answer.
    </p>`,
  code: card(
    'What went well',
    jsonCode({ success: true, data: { brand: { id: '1', name: 'Artel', slug: 'artel' } }, meta }),
  ),
})

const languageNames: Record<Language, string> = { ru: 'Русский', uz: 'O‘zbekcha', en: 'English' }

function errors({ language }: Reading): GuideSection {
  const links = languages.map((it) =>
    it === language
      ? html`<b lang=${it} aria-current="true">${languageNames[it]}</b>`
      : html`<a lang=${it} hreflang="en" href="?lang=${it}#errors">${languageNames[it]}</a>`,
  )
  return {
    id: 'errors',
    title: 'Errors',
    words: html`<p>
        Decide by <code>code</code>: codes are promises and never change. <code>message</code> is for people
        and follows <code>Accept-Language</code>. <code>details</code> says what and where; for
        <a href="#validation_failed"><code>validation_failed</code></a> it lists every faulty field at once,
        for a broken rule of the shop every broken rule.
      </p>
      <p>
        On 429 and 503 wait for <code>Retry-After</code> seconds and try again. A 500 is our fault: tell us
        its <code>request_id</code>.
      </p>
      <p class="languages">Messages in ${joined(links, ' · ')}</p>
      <table class="codes">
        <thead>
          <tr>
            <th scope="col">Status</th>
            <th scope="col">Code and type</th>
            <th scope="col">Message</th>
          </tr>
        </thead>
        <tbody>
          ${Object.entries(refusals).map(
            ([code, it]) =>
              html`<tr id="${code}">
                <td><span class="status">${it.status}</span></td>
                <td><code>${code as RefusalCode}</code><small>${it.type}</small></td>
                <td lang=${language}>${it[language]}</td>
              </tr> `,
          )}
        </tbody>
      </table>`,
    code: card('What was refused', jsonCode({ error: errorExample(language), meta }), '422'),
  }
}

const errorExample = (language: Language) => ({
  code: 'validation_failed',
  message: refusals.validation_failed[language],
  type: 'validation_error',
  details: { fields: spokenFaults([{ path: 'name', rule: 'required' }], language) },
})

const idempotency = ({ origin }: Reading): GuideSection => ({
  id: 'idempotency',
  title: 'Idempotency',
  words: html`<p>
      A network may lose a reply after the work was done. Give every write an <code>Idempotency-Key</code> of
      1 to 255 visible ASCII characters, and send the same request again: it is not done twice, and you get
      the same status and the same bytes, with <code>Idempotent-Replayed: true</code>.
    </p>
    <p>
      Replies are remembered for 24 hours, per key of yours and per environment, through restarts. The memory
      commits together with the work, so there is no moment at which one exists without the other.
    </p>
    <ul>
      <li>
        The same key with another request is refused:
        <a href="#idempotency_key_reused"><code>idempotency_key_reused</code></a
        >.
      </li>

      <li>
        While the first is still running, a repetition waits up to five seconds, then says
        <a href="#idempotency_in_progress"><code>idempotency_in_progress</code></a
        >.
      </li>

      <li>Refusals are not remembered: a later try may succeed.</li>
      <li>Secrets that are shown once, such as a new key, are null in a repeated reply.</li>
    </ul>`,
  code: shellCard(
    'Paste it twice',
    `curl -i ${origin}/v1/catalog/brands`,
    bearer,
    asJson,
    `-H 'Idempotency-Key: my-first-brand'`,
    `-d '{"slug": "my-brand", "name": "My brand"}'`,
  ),
})

const pageExample = { page: 1, per_page: 50, total: 212, pages: 5, next_cursor: 'WyJuYW1lIiwiQXJ0ZWwiXQ' }

const paging = ({ origin }: Reading): GuideSection => ({
  id: 'paging',
  title: 'Pages and cursors',
  words: html`<p>
      Lists take <code>page</code> from 1, <code>per_page</code> up to 100, and <code>sort</code>, where a
      minus turns the order round: <code>-created_at</code>. <code>data.pagination</code> tells where you are.
    </p>
    <p>
      To read a whole list, follow <code>next_cursor</code> until it is null. A cursor goes on where the page
      before it stopped, whatever was added or deleted meanwhile, and its thousandth page is as quick as its
      first. Numbered pages end at 10 000 rows.
    </p>`,
  code: html`${shellCard('The next page', `curl "${origin}/v1/catalog/brands?per_page=50&cursor=$NEXT_CURSOR"`, bearer)}
  ${card('In data', jsonCode({ pagination: pageExample }))}`,
})

const dryRun = ({ origin }: Reading): GuideSection => ({
  id: 'dry-run',
  title: 'Dry run',
  words: html`<p>
    With <code>Prefer: dry-run</code> a write does everything that it would do, is judged by every rule,
    answers as if, and is then undone. The reply says <code>Preference-Applied: dry-run</code>. Nothing is
    kept, nobody is told, and no <code>Idempotency-Key</code> is used up.
  </p>`,
  code: shellCard(
    'What would happen?',
    `curl -i -X DELETE ${origin}/v1/catalog/brands/1`,
    bearer,
    `-H 'Prefer: dry-run'`,
  ),
})

const versions = ({ origin }: Reading): GuideSection => ({
  id: 'versions',
  title: 'Versions',
  words: html`<p>
      What can be changed has a version, and its <code>ETag</code> tells it. Send it back in
      <code>If-Match</code> with your change: when somebody was quicker, you are told
      <a href="#version_mismatch"><code>version_mismatch</code></a> instead of overwriting their work. Without
      <code>If-Match</code> the last one wins.
    </p>
    <p>
      For reads, send it in <code>If-None-Match</code>: while nothing has changed the answer is 304, without a
      body.
    </p>`,
  code: shellCard(
    'Only if nobody was quicker',
    `curl -X PATCH ${origin}/v1/catalog/brands/1`,
    bearer,
    asJson,
    `-H 'If-Match: "3-ru"'`,
    `-d '{"name": "ARTEL"}'`,
  ),
})

const rateLimits = (): GuideSection => ({
  id: 'rate-limits',
  title: 'Rate limits',
  words: html`<p>
      Calls are counted per key, and per address when there is none, in a sliding window: a burst at its edge
      gains nothing. Every reply tells the limit and what is left of it. Beyond it the answer is
      <a href="#rate_limit_exceeded"><code>rate_limit_exceeded</code></a> with <code>Retry-After</code>.
    </p>
    <dl class="pairs">
      <div>
        <dt><code>RateLimit-Policy</code></dt>
        <dd><code>q</code> calls in <code>w</code> seconds.</dd>
      </div>
      <div>
        <dt><code>RateLimit</code></dt>
        <dd><code>r</code> calls are left for the next <code>t</code> seconds.</dd>
      </div>
    </dl>`,
  code: card(
    'Headers of a reply',
    'RateLimit-Policy: "default";q=1000;w=60\nRateLimit: "default";r=998;t=41\nX-Request-ID: 6b1f0c3e-6a53-4a53-9d1a-1f4f0a1c2b3d',
  ),
})

const headers = (): GuideSection => ({
  id: 'headers',
  title: 'Headers of every call',
  words: html`<p>
      All of them may be left out. A value that is not allowed is refused with
      <a href="#invalid_header"><code>invalid_header</code></a
      >; only languages fall back. <code>Content-Language</code> says which one you got.
    </p>
    <dl class="pairs">
      ${Object.values(commonHeaders).map(
        (it) =>
          html`<div>
            <dt><code>${it.name}</code></dt>
            <dd>${inline(it.description)}</dd>
          </div>`,
      )}
    </dl>`,
  code: card(
    'Headers of a request',
    'Accept-Language: uz\nX-Currency: UZS\nX-Timezone: Asia/Tashkent\nX-Service-Region: home\nX-Request-ID: checkout-7712',
  ),
})

const values = (): GuideSection => ({
  id: 'values',
  title: 'Money, ids and instants',
  words: html`<p>
    Money is a whole number of tiyin with its currency: 1 sum is 100 tiyin. Ids are decimal digits in a
    string; treat them as names and do not count with them. Instants are ISO 8601 in UTC with milliseconds.
    Names and descriptions are kept in Russian, Uzbek and English; where one is missing you get the next best.
  </p>`,
  code: card(
    'Values',
    jsonCode({
      id: '1',
      price: { amount: 129_900_000, currency: 'UZS' },
      created_at: '2026-11-01T09:00:00.000Z',
    }),
  ),
})

const testClock = ({ origin }: Reading): GuideSection => ({
  id: 'test-clock',
  title: 'Time in test',
  words: html`<p>
    The test environment has a clock of its own, and test keys can move it forward. Every expiry, daily limit,
    schedule and clean-up there follows it, and the jobs that fall due by the move have run when the reply
    comes. So you can watch in a second what takes a fortnight. In live these paths do not exist.
  </p>`,
  code: shellCard(
    'Fifteen days later',
    `curl ${origin}/v1/test/clock`,
    bearer,
    asJson,
    `-d '{"advance": "P15D"}'`,
  ),
})
