import { asJson, bearer, card, jsonCode, shellCard } from './docs-example.ts'
import type { GuideSection } from './docs-guide.ts'
import { html } from './docs-html.ts'
import type { Reading } from './docs-operation.ts'

const id = '0192f0c1-6a53-7a53-9d1a-1f4f0a1c2b3d'
const event = {
  specversion: '1.0',
  id,
  source: '/test/catalog',
  type: 'OfferPriceChanged',
  subject: 'offer/1000',
  time: '2026-11-01T09:00:00.000Z',
  sequence: 4711,
  datacontenttype: 'application/json',
  data: { OfferId: 1000, OldPrice: 129_900, NewPrice: 119_900 },
}

/** It runs as it stands: a test takes it from the page and lets it receive a webhook. */
const receiver = `import { createServer } from 'node:http'
import { env } from 'node:process'
import { Webhook } from 'standardwebhooks'

const webhook = new Webhook(env.SECRET)

createServer(async (request, response) => {
  let body = ''
  request.setEncoding('utf8')
  for await (const piece of request) body += piece
  try {
    const event = webhook.verify(body, request.headers)
    console.log(event.type, event.subject)
    response.writeHead(204).end()
  } catch {
    response.writeHead(400).end()
  }
}).listen(3000)`

export const events = ({ origin }: Reading): GuideSection => ({
  id: 'events',
  title: 'Events',
  words: html`<p>
      Every change of the shop is told as an event (CloudEvents 1.0), written in the same transaction as the
      change. The same events with the same ids come by four ways: webhooks, the live stream, the list, and a
      message bus.
    </p>
    <p>
      Each comes at least once. Throw away an <code>id</code> that you have seen. Of two events about the same
      <code>subject</code> the one with the greater <code>sequence</code> is the later, whatever the order in
      which they came.
    </p>
    <p>
      Filters name events with <code>*</code> for any letters, with or without the module before them:
      <code>OfferPriceChanged</code>, <code>Offer*</code>, <code>orders.*</code>, <code>*Deleted</code>,
      <code>*</code>. The list <a href="#getEvents">pages through the last thirty days</a>: by kind, by
      subject, and by the instant at which things happened.
    </p>`,
  code: html`${shellCard('What happened to an offer', `curl '${origin}/v1/events?subject=offer/1000'`, bearer)}
  ${card('An event', jsonCode(event))}`,
})

export const webhooks = ({ origin }: Reading): GuideSection => ({
  id: 'webhooks',
  title: 'Webhooks',
  words: html`<p>
      <a href="#postWebhooks">Register an address</a> with filters, and keep the secret that you are shown
      this once. Every event is sent as Standard Webhooks 1.0 says: verify it with any of its libraries, over
      the bytes as they came, and answer 2xx within 15 seconds. Do the work afterwards.
    </p>
    <p>
      Anything but 2xx is tried again, ten times over 75 hours, and later if a 429 or 503 asks for it with
      <code>Retry-After</code>. Until an event has been taken, later ones about the same subject wait; other
      subjects go on. A reply of 410 ends the webhook, and so do five days without a success;
      <code>WebhookDisabled</code> tells it.
    </p>
    <p>
      <a href="#getWebhooksWebhookIdDeliveriesDeliveryId">Every try is logged</a>: the request as it was sent,
      and the beginning of your reply. <a href="#postWebhooksWebhookIdPing">A ping</a> shows whether you are
      reached. After an outage, <a href="#postWebhooksWebhookIdRedeliver">send a period again</a>, or
      <a href="#postWebhooksWebhookIdDeliveriesDeliveryIdRedeliver">one event</a>.
      <a href="#postWebhooksWebhookIdRotateSecret">A new secret</a> signs beside the old one until the overlap
      is over, so that you may change it at leisure.
    </p>
    <p>
      In live, addresses are HTTPS and public. In test this machine and plain HTTP will do, and pauses follow
      <a href="#test-clock">the test clock</a>: move it, and a retry that is hours away comes now.
    </p>`,
  code: html`${shellCard(
    'Register',
    `curl ${origin}/v1/webhooks`,
    bearer,
    asJson,
    `-d '{"url": "http://127.0.0.1:3000/hooks", "filters": ["Offer*", "orders.*"]}'`,
  )}
  ${card('Receive, with npm install standardwebhooks', receiver)}
  ${shellCard(
    'After an outage',
    `curl ${origin}/v1/webhooks/$WEBHOOK/redeliver`,
    bearer,
    asJson,
    `-d '{"from": "2026-11-01T00:00:00Z", "to": "2026-11-02T00:00:00Z"}'`,
  )}`,
})

export const liveStream = ({ origin }: Reading): GuideSection => ({
  id: 'live-stream',
  title: 'Live stream and message bus',
  words: html`<p>
      <a href="#getEventsStream"><code>/v1/events/stream</code></a> sends events as they happen, as
      server-sent events that a browser's <code>EventSource</code> reads. Come back with
      <code>Last-Event-ID</code> to go on where you stopped, as browsers do by themselves: nothing is left out
      as long as you return within thirty days. A comment comes after every fifteen seconds of silence. The
      stream ends with the key that opened it.
    </p>
    <p>
      A shop with <code>NATS_URL</code> tells its events to JetStream too, on
      <code>shop.&lt;environment&gt;.&lt;module&gt;.&lt;Event&gt;</code> with the id as
      <code>Nats-Msg-Id</code>, and takes events of other systems from
      <code>integration.&lt;environment&gt;.&gt;</code>, each once by its <code>source</code> and
      <code>id</code>. Without a bus they come in by
      <a href="#postIntegrationEvents"><code>POST /v1/integration-events</code></a
      >.
    </p>`,
  code: html`${shellCard(
    'Follow, and go on where you stopped',
    `curl -N '${origin}/v1/events/stream?type=orders.*'`,
    bearer,
    `-H 'Last-Event-ID: ${id}'`,
  )}
  ${card('What comes', `id: ${id}\nevent: OfferPriceChanged\ndata: {"specversion":"1.0","id":"${id}",…}`)}
  ${shellCard('The same on the bus', `nats subscribe 'shop.test.orders.>'`)}`,
})
