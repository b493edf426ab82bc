// Consents: routes for operators, and the subscriptions of the buyer.

import { Type } from 'typebox'
import type { Reader } from '../../base/database.ts'
import { refuse } from '../../base/refusal.ts'
import { loadShopProfile } from '../../catalog/index.ts'
import { type Language, languages } from '../../http/language.ts'
import { idFilter, listingOf, listQuery, pagination, paginationView } from '../../http/listing.ts'
import { get, patch, type Principal, put, type Route } from '../../http/route.ts'
import {
  changes,
  flag,
  idText,
  instant,
  list,
  named,
  nullable,
  oneOf,
  strict,
  text,
} from '../../http/schema.ts'
import type { Consent, ConsentChange } from './consent.ts'
import { setConsent } from './set-consent.ts'
import { recipientFields, addressOf, holderOf, recipientOf } from './recipient.ts'
import { channel, language, uuid } from '../templates/routes.ts'
import {
  changesOf,
  consentSorts,
  consentsOf,
  findConsent,
  listConsents,
  languagesOf,
  saveLanguage,
} from './store.ts'
import { channels } from '../templates/template.ts'

const consentFields = {
  id: uuid,
  client_id: nullable(idText),
  address: nullable(Type.String({ examples: ['aziza@mail.uz'] })),
  channel,
  category: oneOf(['marketing']),
  granted: flag,
  source: Type.String({ examples: ['checkout'] }),
  at: instant,
}
const consentReply = named('Consent', Type.Object(consentFields))

const consentView = (it: Consent) => ({
  id: it.id,
  client_id: it.clientId === null ? null : String(it.clientId),
  address: it.clientId === null ? it.holder : null,
  channel: it.channel,
  category: it.category,
  granted: it.isGranted,
  source: it.source,
  at: it.at.toISOString(),
})

const maxHistory = 100
const wholeConsent = named(
  'ConsentWithHistory',
  Type.Object({
    ...consentFields,
    history: list(Type.Object({ granted: flag, source: Type.String(), at: instant }), maxHistory),
  }),
)

const changeView = (it: ConsentChange) => ({
  granted: it.isGranted,
  source: it.source,
  at: it.at.toISOString(),
})

const maxConsents = 100

const operatorRoutes: Route[] = [
  get('/v1/marketing/consents', {
    summary: 'List consents',
    scope: 'marketing:read',
    query: listQuery(
      consentSorts,
      {
        client_id: idFilter('Consents of one client.'),
        address: Type.Optional(
          text({ max: 254, description: 'Consents of an address that belongs to no client.' }),
        ),
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
    summary: 'Get a consent with its history',
    scope: 'marketing:read',
    params: { consent_id: uuid },
    reply: Type.Object({ consent: wholeConsent }),
    run: async ({ read, params }) => {
      const consent = await findConsent(read, params.consent_id)
      if (!consent) throw refuse('not_found')
      const history = (await changesOf(read, consent.id, maxHistory)).map(changeView)
      return { data: { consent: { ...consentView(consent), history } } }
    },
  }),
  put('/v1/marketing/consents', {
    summary: 'Set consents',
    description:
      'Saves consents and withdrawals of clients, or of addresses that belong to no client; `source` says where they were given. Idempotent. Transactional messages, such as order confirmations, need no consent.',
    scope: 'marketing:write',
    body: strict({
      consents: Type.Array(
        strict({
          ...recipientFields,
          channel,
          granted: flag,
          source: text({ max: 100, pattern: '\\S', examples: ['checkout'] }),
        }),
        { minItems: 1, maxItems: maxConsents },
      ),
    }),
    reply: Type.Object({ consents: list(consentReply, maxConsents) }),
    run: async ({ tx, body }) => {
      const saved: Consent[] = []
      for (const [at, { channel, granted: isGranted, source, ...named }] of body.consents.entries()) {
        const person = recipientOf(named, `consents.${at}.`)
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
      oneOf(languages, { description: 'The chosen language; null means the default of the shop.' }),
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
    summary: 'Get my subscriptions',
    scope: 'profile:read',
    needs: 'client',
    reply: subscriptions,
    run: async ({ read, principal }) => ({
      data: { subscriptions: await subscriptionsOf(read, clientOf(principal)) },
    }),
  }),
  patch('/v1/auth/subscriptions', {
    summary: 'Change my subscriptions',
    description:
      'News and offers by `email`, `sms` and `push`, and the `language` of all messages. Messages about orders are always sent.',
    scope: 'profile:write',
    needs: 'client',
    body: changes({ language, email: flag, sms: flag, push: flag }),
    reply: subscriptions,
    run: async ({ tx, principal, body }) => {
      const clientId = clientOf(principal)
      const holder = holderOf(clientId, null)
      if (body.language !== undefined) await refuseLanguage(tx, body.language)
      if (body.language !== undefined) saveLanguage(tx, clientId, body.language)
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

async function refuseLanguage(read: Reader, language: Language): Promise<void> {
  const { languages } = await loadShopProfile(read)
  if (!languages.includes(language))
    throw refuse('validation_failed', { fields: [{ path: 'language', rule: 'choice', limit: languages }] })
}

async function subscriptionsOf(read: Reader, clientId: number) {
  const [consents, chosen] = await Promise.all([
    consentsOf(read, holderOf(clientId, null)),
    languagesOf(read, [clientId]),
  ])
  return {
    language: chosen.get(clientId) ?? null,
    channels: channels.map((channel) => {
      const consent = consents.find((it) => it.channel === channel)
      return {
        channel,
        category: 'marketing' as const,
        granted: consent?.isGranted ?? false,
        source: consent?.source ?? null,
        at: consent?.at.toISOString() ?? null,
      }
    }),
  }
}

/** The calling client; the server admits only clients to these routes. */
export function clientOf(principal: Principal | null): number {
  if (principal?.actor.kind !== 'client') throw refuse('unauthorized', { reason: 'missing' })
  return principal.actor.clientId
}
