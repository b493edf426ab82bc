// The two questions to a buyer during an authorization: who they are, and whether the application may act for them.

import type { FastifyRequest } from 'fastify'
import type { Interaction } from 'oidc-provider'
import { secretText } from '../../base/random.ts'
import { Refusal } from '../../base/refusal.ts'
import type { RawReply } from '../../http/raw-route.ts'
import { html } from '../../http/html.ts'
import { type Language, languages } from '../../http/language.ts'
import type { Scope } from '../../http/scopes.ts'
import type { PageReply } from '../../http/server.ts'
import { findApplication } from '../applications/store.ts'
import { signInPage } from '../clients/page-views.ts'
import { lostPasswordPath } from '../reset-tokens.ts'
import { csrfTokenOf, isCsrfToken } from '../cookies.ts'
import { hiddenFields } from '../pages/form.ts'
import { type Frame, page } from '../pages/layout.ts'
import { interpolate, scopeTexts, texts } from '../pages/texts.ts'
import type { BuyerSessions } from './buyer-session.ts'
import { type Form, formOf } from './form.ts'
import { grantAuthorization } from './grants.ts'
import type { AuthorizationServer } from './provider-call.ts'
import { pageReply, stalePage } from './replies.ts'
import { scopesOf } from './scope.ts'
import { addConsent } from './store.ts'

interface Step {
  server: AuthorizationServer
  buyerSessions: BuyerSessions
  request: FastifyRequest
  interaction: Interaction
  language: Language
  /** The submitted form; undefined when the page is only requested. */
  form: Form | undefined
}

/** Handles one step: shows the page that is due, or processes its form and continues. */
export async function interactionStep(
  server: AuthorizationServer | undefined,
  buyerSessions: BuyerSessions,
  { request, body }: { request: FastifyRequest; body: Buffer },
): Promise<RawReply> {
  const { uid } = request.params as { uid: string }
  const form = request.method === 'POST' ? formOf(request.headers, body) : undefined
  const isOtherOrigin =
    request.method === 'POST' && (request.headers.origin ?? request.state.origin) !== request.state.origin
  const interaction = await (await server?.provider())?.Interaction.find(uid)
  const language = languageOf(request, typeof form === 'string' ? undefined : form, interaction)
  if (!server || !interaction || typeof form === 'string' || isOtherOrigin) return stalePage(language)
  request.state.environment = server.shop.environment
  const step: Step = { server, buyerSessions, request, interaction, language, form }
  return interaction.prompt.name === 'login' ? loginStep(step) : consentStep(step)
}

/** The language chosen on this page, else on the page before, else the browser's preference. */
function languageOf(
  request: FastifyRequest,
  form: Form | undefined,
  interaction: Interaction | undefined,
): Language {
  const { lang = form?.get('lang') ?? interaction?.lastSubmission?.['lang'] } = request.query as {
    lang?: unknown
  }
  return languages.find((it) => it === lang) ?? request.state.preferences.language
}

async function loginStep(step: Step): Promise<RawReply> {
  const { server, buyerSessions, request, interaction, form } = step
  const { environment } = server.shop
  if (!form) {
    const buyer = await buyerSessions.signedIn(environment, request)
    const mustSignInAgain = interaction.prompt.reasons.includes('login_prompt')
    return buyer && !mustSignInAgain ? resumeRequest(step, loginOf(buyer.buyerId)) : signIn(step)
  }
  const given = { login: form.get('login') ?? '', password: form.get('password') ?? '' }
  const entered = await buyerSessions.signIn(environment, request, given)
  if (entered instanceof Refusal) return signIn(step, { login: given.login, refusal: entered })
  // A different buyer may have been signed in when the authorization began.
  interaction.session = undefined
  const reply = await resumeRequest(step, loginOf(entered.buyerId))
  return { ...reply, headers: { ...reply.headers, 'set-cookie': entered.cookie } }
}

const loginOf = (buyerId: number) => ({ login: { accountId: String(buyerId) } })

async function signIn(step: Step, failed?: { login: string; refusal: Refusal }): Promise<RawReply> {
  const { name } = await applicationOf(step)
  return pageReply(
    signInPage({
      ...frameOf(step),
      applicationName: name,
      hidden: {},
      lostPasswordPath: lostPasswordPathOf(step),
      // Accounts of the test environment are created by API only.
      ...(step.server.shop.environment === 'live' && { signUpPath: signUpPathOf(step) }),
      ...(failed && { login: failed.login, problem: problemOf(failed.refusal, step.language), status: 400 }),
    }),
  )
}

/** After sign-up the buyer returns to this authorization. */
const signUpPathOf = ({ interaction }: Step): string =>
  `/sign-up?${new URLSearchParams({ return_to: `/oauth/interaction/${interaction.uid}` }).toString()}`

const lostPasswordPathOf = ({ interaction, server }: Step): string =>
  `${lostPasswordPath}?${new URLSearchParams({
    environment: server.shop.environment,
    return_to: `/oauth/interaction/${interaction.uid}`,
  }).toString()}`

function problemOf({ code, details }: Refusal, language: Language): string {
  if (code !== 'rate_limit_exceeded') return texts[language].wrong
  return interpolate(texts[language].tooOften, {
    minutes: String(Math.ceil(Number(details['retry_after']) / 60)),
  })
}

async function consentStep(step: Step): Promise<RawReply> {
  const { server, buyerSessions, request, interaction, language, form } = step
  const { shop } = server
  const buyer = await buyerSessions.signedIn(shop.environment, request)
  if (!buyer || String(buyer.buyerId) !== interaction.session?.accountId) return stalePage(language)
  const applicationId = interaction.params['client_id']!
  const scopes = scopesOf(interaction.params['scope'])
  if (!form)
    return pageReply(
      consentPage({
        ...frameOf(step),
        applicationName: (await applicationOf(step)).name,
        scopes,
        clientName: (await buyerSessions.nameOf(shop.environment, buyer.buyerId)) ?? '',
        csrfToken: csrfTokenOf(interaction.uid),
      }),
    )
  if (!isCsrfToken(form.get('csrf_token') ?? '', interaction.uid)) return stalePage(language)
  if (form.get('decision') !== 'allow')
    return resumeRequest(step, { error: 'access_denied', error_description: 'the buyer did not allow it' })
  const grant = { id: `gr_${secretText(20)}`, applicationId, buyerId: buyer.buyerId, scopes }
  await shop.db.transaction(async (tx) => {
    addConsent(tx, grant)
    await grantAuthorization(tx, grant)
  })
  return resumeRequest(step, { consent: { grantId: grant.id } })
}

/** Stores the result and redirects to the waiting authorization. */
async function resumeRequest(
  { interaction, language }: Step,
  result: Record<string, unknown>,
): Promise<RawReply> {
  interaction.result =
    'error' in result ? result : { ...interaction.lastSubmission, ...result, lang: language }
  await interaction.persist()
  return { status: 303, headers: { location: interaction.returnTo, 'cache-control': 'no-store' }, body: '' }
}

const applicationOf = async ({ server, interaction }: Step): Promise<{ name: string }> =>
  (await findApplication(server.shop.db.read(), interaction.params['client_id']!)) ?? { name: '' }

const frameOf = ({ server, interaction, language }: Step) => ({
  language,
  environment: server.shop.environment,
  here: `/oauth/interaction/${interaction.uid}`,
  action: `/oauth/interaction/${interaction.uid}`,
  leadsTo: placeOf(new URL(interaction.params['redirect_uri']!)),
})

/** Custom schemes have no origin. */
const placeOf = ({ origin, protocol }: URL): string => (origin === 'null' ? protocol : origin)

export interface ConsentPage extends Frame {
  applicationName: string
  scopes: readonly Scope[]
  clientName: string
  /** Receives the POST: `decision` (`allow` or `deny`) and the hidden fields. */
  action: string
  csrfToken: string
  hidden?: Record<string, string>
}

/** The page on which a buyer allows or denies an application's request. */
export function consentPage(it: ConsentPage): PageReply {
  const text = texts[it.language]
  const application = it.applicationName
  const content = html`<p class="who">${interpolate(text.consentAs, { name: it.clientName })}</p>
    <p class="lead" id="may">${interpolate(text.consentLead, { application })}</p>
    <ul class="may" aria-labelledby="may">
      ${it.scopes.map((scope) => html`<li>${scopeTexts[scope]?.[it.language] ?? scope}</li>`)}
    </ul>
    <form method="post" action="${it.action}">
      ${hiddenFields({ ...it.hidden, csrf_token: it.csrfToken, lang: it.language })}
      <div class="pair">
        <button class="quiet" type="submit" name="decision" value="deny">${text.deny}</button>
        <button type="submit" name="decision" value="allow">${text.allow}</button>
      </div>
    </form>`
  return page(it, interpolate(text.consent, { application }), content)
}
