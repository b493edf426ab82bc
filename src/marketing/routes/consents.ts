// Consent, for those who run the shop and for the buyer himself.

import { Type } from 'typebox'
import type { Reader } from '../../base/db.ts'
import { refuse } from '../../base/refusal.ts'
import { idFilter, listingOf, listQuery, pagination, paginationView } from '../../http/listing.ts'
import { get, patch, type Principal, put, type Route } from '../../http/route.ts'
import { changes, flag, instant, list, named, nullable, oneOf, strict, text } from '../../http/schema.ts'
import type { Consent } from '../consents/consent.ts'
import { setConsent } from '../consents/set-consent.ts'
import { addressOf } from '../notifications/address.ts'
import { holderOf } from '../notifications/holder.ts'
import { changesOf, consentSorts, consentsOf, findConsent, listConsents } from '../store/consents.ts'
import { languagesOf, saveLanguage } from '../store/languages.ts'
import { channels } from '../templates/template.ts'
import {
  channel,
  changeView,
  consentReply,
  consentView,
  language,
  mostHistory,
  uuid,
  whom,
  wholeConsent,
} from './wire.ts'
import { personOf } from './person.ts'

const mostAtOnce = 100

const operatorRoutes: Route[] = [
  get('/v1/marketing/consents', {
    summary: 'List who agreed to be written to, and who withdrew that',
    scope: 'marketing:read',
    query: listQuery(
      consentSorts,
      {
        client_id: idFilter('Of one client.'),
        address: Type.Optional(text({ max: 254, description: 'Of an address that belongs to no client.' })),
        channel: Type.Optional(channel),
        granted: Type.Optional(flag),
      },
      '-at',
    ),
    reply: Type.Object({ consents: list(consentReply, 100), pagination }),
    run: async ({ read, query }) => {
      const listing = listingOf(query, '-at')
      const { client_id: clientId, address, channel, granted } = query
      const holder = clientId === undefined ? address : holderOf(Number(clientId), null)
      const slice = await listConsents(read, { holder, channel, isGranted: granted }, listing)
      return { data: { consents: slice.rows.map(consentView), pagination: paginationView(listing, slice) } }
    },
  }),
  get('/v1/marketing/consents/{consent_id}', {
    summary: 'Get a consent with all that was said about it',
    scope: 'marketing:read',
    params: { consent_id: uuid },
    reply: Type.Object({ consent: wholeConsent }),
    run: async ({ read, params }) => {
      const consent = await findConsent(read, params.consent_id)
      if (!consent) throw refuse('not_found')
      const history = (await changesOf(read, consent.id, mostHistory)).map(changeView)
      return { data: { consent: { ...consentView(consent), history } } }
    },
  }),
  put('/v1/marketing/consents', {
    summary: 'Note consents',
    description:
      'What clients, or people behind bare addresses, have told you: where they said it is its `source`. To say the same twice changes nothing. What somebody waits for, such as word of his order, needs no consent.',
    scope: 'marketing:write',
    body: strict({
      consents: Type.Array(
        strict({
          ...whom,
          channel,
          granted: flag,
          source: text({ max: 100, pattern: '\\S', examples: ['checkout'] }),
        }),
        { minItems: 1, maxItems: mostAtOnce },
      ),
    }),
    reply: Type.Object({ consents: list(consentReply, mostAtOnce) }),
    run: async ({ tx, body }) => {
      const saved: Consent[] = []
      for (const [at, { channel, granted: isGranted, source, ...named }] of body.consents.entries()) {
        const person = personOf(named, `consents.${at}.`)
        const clientId = 'clientId' in person ? person.clientId : null
        const address =
          'address' in person ? addressOf(person.address, channel, `consents.${at}.address`) : null
        const holder = holderOf(clientId, address)
        await setConsent(tx, { holder, clientId, channel, isGranted, source })
        saved.push((await consentsOf(tx, holder)).find((it) => it.channel === channel)!)
      }
      return { data: { consents: saved.map(consentView) } }
    },
  }),
]

const subscriptionsReply = named(
  'Subscriptions',
  Type.Object({
    language: nullable(
      Type.String({ description: 'What was chosen; null is the shop’s own.', examples: ['uz'] }),
    ),
    channels: list(
      Type.Object({
        channel,
        category: oneOf(['marketing']),
        granted: flag,
        source: nullable(Type.String({ examples: ['account'] })),
        at: nullable(instant),
      }),
      channels.length,
    ),
  }),
)
const subscriptions = Type.Object({ subscriptions: subscriptionsReply })

const buyerRoutes: Route[] = [
  get('/v1/auth/subscriptions', {
    summary: 'What I let the shop write to me',
    scope: null,
    needs: 'client',
    reply: subscriptions,
    run: async ({ read, principal }) => ({
      data: { subscriptions: await subscriptionsOf(read, clientOf(principal)) },
    }),
  }),
  patch('/v1/auth/subscriptions', {
    summary: 'Let the shop write to me, or no more',
    description:
      'News and offers by `email`, `sms` and `push`, and the `language` of all that the shop writes. Word of orders always comes.',
    scope: null,
    needs: 'client',
    body: changes({ language, email: flag, sms: flag, push: flag }),
    reply: subscriptions,
    run: async ({ tx, principal, body }) => {
      const clientId = clientOf(principal)
      const holder = holderOf(clientId, null)
      if (body.language !== undefined) await saveLanguage(tx, clientId, body.language)
      for (const channel of channels) {
        const isGranted = body[channel]
        if (isGranted !== undefined)
          await setConsent(tx, { holder, clientId, channel, isGranted, source: 'account' })
      }
      return { data: { subscriptions: await subscriptionsOf(tx, clientId) } }
    },
  }),
]

export const consentRoutes: Route[] = [...operatorRoutes, ...buyerRoutes]

async function subscriptionsOf(read: Reader, clientId: number) {
  const [consents, chosen] = await Promise.all([
    consentsOf(read, holderOf(clientId, null)),
    languagesOf(read, [clientId]),
  ])
  return {
    language: chosen.get(clientId) ?? null,
    channels: channels.map((channel) => {
      const said = consents.find((it) => it.channel === channel)
      return {
        channel,
        category: 'marketing' as const,
        granted: said?.isGranted ?? false,
        source: said?.source ?? null,
        at: said?.at.toISOString() ?? null,
      }
    }),
  }
}

/** The client who calls; the server lets nobody else come here. */
export function clientOf(principal: Principal | null): number {
  if (principal?.actor.kind !== 'client') throw refuse('unauthorized', { reason: 'missing' })
  return principal.actor.clientId
}
