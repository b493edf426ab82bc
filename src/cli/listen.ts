// Forwards events to a program on this machine, signed as webhooks are. Nothing has to reach this machine from outside.

import { systemClock } from '../base/clock.ts'
import { type HttpSender, openHttpSender } from '../base/http-post.ts'
import { newSigningSecret, signatureHeaders } from '../base/signature.ts'
import type { Bozor, Event } from '../sdk/index.ts'
import { type Command, type CommandContext, environmentOf, UsageError, wholeNumber } from './command.ts'
import {
  clientOf,
  type Credentials,
  credentialsFor,
  explainErrors,
  readCredentials,
  storeCredentials,
} from './credentials.ts'
import { followEvents } from './follow-events.ts'

const maxLast = 100

export const listenCommand: Command = {
  usage: '--forward-to URL [--type FILTER] [--last N] [--replay EVENT_ID] [--env live|test] [--json]',
  help: `Forwards events of a server to URL as webhooks: the same bodies and headers, signed with a secret that is printed
first and stays the same. Run "bozor login" first. Events that URL does not accept are not repeated: replay them.

  --forward-to URL   http:// or https:// address, such as http://localhost:3000/hooks
  --type FILTER      event names with * as a wildcard, separated by commas: "Order*,cart.*"
  --last N           forward the N latest events first (at most ${maxLast})
  --replay EVENT_ID  forward this event once more and end; exits with 1 if URL does not accept it
  --secret SECRET    sign with this secret (whsec_…)
  --limit N          end after N events
  --env ENV          live or test (default test)
  --json             print one JSON document per forwarded event`,
  options: {
    'forward-to': { type: 'string' },
    type: { type: 'string' },
    last: { type: 'string' },
    replay: { type: 'string' },
    secret: { type: 'string' },
    limit: { type: 'string' },
    env: { type: 'string' },
    json: { type: 'boolean' },
  },
  async run(context, args) {
    const flags = args.flags as Record<string, string | undefined>
    const environment = environmentOf(args)
    const credentials = credentialsFor(context.config, environment)
    const url = targetIn(flags['forward-to'])
    const secret = secretIn(flags['secret']) ?? storedSecret(context, environment, credentials)
    const sender = openHttpSender(null)
    const forward = forwarder(context, { url, secret, sender, isJson: args.flags['json'] === true })
    const bozor = clientOf(credentials)
    context.printStatus(`Forwarding to ${url}, signed with ${secret}`)
    try {
      return await explainErrors(credentials, async () => {
        if (flags['replay'] !== undefined) {
          const { event } = await bozor.events.get({ event_id: flags['replay'] })
          return (await forward(event)) ? 0 : 1
        }
        await forwardAll({ context, bozor }, forward, flags)
        return 0
      })
    } finally {
      sender.close()
    }
  },
}

async function forwardAll(
  { context, bozor }: { context: CommandContext; bozor: Bozor },
  forward: (event: Event) => Promise<boolean>,
  { type, last, limit }: Record<string, string | undefined>,
): Promise<void> {
  const filter = { ...(type && { type }) }
  const most = { name: 'limit', usual: 0, least: 1, most: Number.MAX_SAFE_INTEGER }
  let left = limit === undefined ? Infinity : wholeNumber(limit, most)
  let lastEventId: string | undefined
  if (last !== undefined) {
    const count = wholeNumber(last, { name: 'last', usual: 0, least: 1, most: maxLast })
    const { items } = await bozor.events.list({ ...filter, sort: '-position', per_page: count })
    for (const event of items.toReversed().slice(0, left)) {
      await forward(event)
      lastEventId = event.id
    }
    left -= items.length
  }
  if (left > 0)
    await followEvents(
      { context, bozor },
      { ...filter, ...(lastEventId && { lastEventId }), limit: left },
      async (it) => {
        await forward(it)
      },
    )
}

function targetIn(given: string | undefined): string {
  const url = given !== undefined && URL.canParse(given) ? new URL(given) : undefined
  if (!url || !/^https?:$/.test(url.protocol))
    throw new UsageError('--forward-to must be an address such as http://localhost:3000/hooks')
  return url.href
}

function secretIn(given: string | undefined): string | undefined {
  if (given !== undefined && !/^whsec_[A-Za-z0-9+/]{32,88}={0,2}$/.test(given))
    throw new UsageError('--secret must be whsec_ and 24 to 64 bytes in base64')
  return given
}

/** The secret of earlier runs. With BOZOR_KEY nothing is stored, and every run has its own. */
function storedSecret(
  { config }: CommandContext,
  environment: 'live' | 'test',
  credentials: Credentials,
): string {
  if (credentials.webhookSecret) return credentials.webhookSecret
  const webhookSecret = newSigningSecret()
  if (readCredentials(config)[environment]?.key === credentials.key)
    storeCredentials(config, environment, { ...credentials, webhookSecret })
  return webhookSecret
}

/** Sends one event and prints the outcome. Returns whether it was accepted. */
function forwarder(
  context: CommandContext,
  { url, secret, sender, isJson }: { url: string; secret: string; sender: HttpSender; isJson: boolean },
): (event: Event) => Promise<boolean> {
  const clock = systemClock()
  return async (event) => {
    const body = JSON.stringify(event)
    const headers = signatureHeaders({ id: event.id, body, at: clock.now() }, [secret])
    const { status, error, milliseconds } = await sender.send(url, headers, body)
    const accepted = status !== null && status >= 200 && status < 300
    const result = {
      id: event.id,
      type: event.type,
      subject: event.subject,
      accepted,
      status,
      error,
      ms: milliseconds,
    }
    const outcome = status === null ? `failed: ${error}` : `${status} in ${milliseconds} ms`
    const hint = accepted ? '' : `  (again: --replay ${event.id})`
    const { time, type, subject } = event
    context.print(
      isJson ? JSON.stringify(result) : `${time.slice(11, 19)} ${type}  ${subject}  ${outcome}${hint}`,
    )
    return accepted
  }
}
