// What a buyer is asked on the way: who he is, and whether the application may.

import type { FastifyRequest } from 'fastify'
import type { Interaction } from 'oidc-provider'
import { secretText } from '../../base/random.ts'
import { Refusal } from '../../base/refusal.ts'
import type { AnnexReply } from '../../http/annex.ts'
import { type Language, languages } from '../../http/language.ts'
import { csrfTokenOf, isCsrfToken } from '../csrf.ts'
import { consentPage } from '../pages/consent-page.ts'
import { signInPage } from '../pages/sign-in-page.ts'
import { filled, words } from '../pages/words.ts'
import { findApplication } from '../store/applications.ts'
import { addConsent } from '../store/oauth.ts'
import type { AuthorizationServer } from './endpoints.ts'
import type { Entrance } from './entrance.ts'
import { type Form, formOf } from './form.ts'
import { grantAuthorization } from './grant.ts'
import { shown, stalePage } from './refused.ts'
import { scopesOf } from './scope.ts'

interface Step {
  server: AuthorizationServer
  entrance: Entrance
  request: FastifyRequest
  interaction: Interaction
  language: Language
  /** What was sent with the page's form; undefined when the page is only asked for. */
  form: Form | undefined
}

/** Answers a step: shows the page that is due, or takes what was said on it and goes on. */
export async function interactionStep(
  server: AuthorizationServer | undefined,
  entrance: Entrance,
  { request, body }: { request: FastifyRequest; body: Buffer },
): Promise<AnnexReply> {
  const { uid } = request.params as { uid: string }
  const form = request.method === 'POST' ? formOf(request.headers, body) : undefined
  const isForeign =
    request.method === 'POST' && (request.headers.origin ?? request.asked.origin) !== request.asked.origin
  const interaction = await server?.provider.Interaction.find(uid)
  const language = languageOf(request, typeof form === 'string' ? undefined : form, interaction)
  if (!server || !interaction || typeof form === 'string' || isForeign) return stalePage(language)
  request.asked.environment = server.shop.environment
  const step: Step = { server, entrance, request, interaction, language, form }
  return interaction.prompt.name === 'login' ? askWho(step) : askWhether(step)
}

/** The reader's choice on this page, else on the one before it, else what his browser likes. */
function languageOf(
  request: FastifyRequest,
  form: Form | undefined,
  interaction: Interaction | undefined,
): Language {
  const { lang = form?.get('lang') ?? interaction?.lastSubmission?.['lang'] } = request.query as {
    lang?: unknown
  }
  return languages.find((it) => it === lang) ?? request.asked.wishes.language
}

async function askWho(step: Step): Promise<AnnexReply> {
  const { server, entrance, request, interaction, form } = step
  const { environment } = server.shop
  if (!form) {
    const buyer = await entrance.signedIn(environment, request)
    const mustSayAgain = interaction.prompt.reasons.includes('login_prompt')
    return buyer && !mustSayAgain ? goOn(step, loginOf(buyer.buyerId)) : signIn(step)
  }
  const given = { login: form.get('login') ?? '', password: form.get('password') ?? '' }
  const entered = await entrance.signIn(environment, request, given)
  if (entered instanceof Refusal) return signIn(step, { login: given.login, refusal: entered })
  // Whoever was asked before, it is this buyer who goes on.
  interaction.session = undefined
  const reply = await goOn(step, loginOf(entered.buyerId))
  return { ...reply, headers: { ...reply.headers, 'set-cookie': entered.cookie } }
}

const loginOf = (buyerId: number) => ({ login: { accountId: String(buyerId) } })

async function signIn(step: Step, failed?: { login: string; refusal: Refusal }): Promise<AnnexReply> {
  const { name } = await applicationOf(step)
  return shown(
    signInPage({
      ...frameOf(step),
      applicationName: name,
      hidden: {},
      // Accounts are made on the pages of the live shop; those of the test shop are made by API.
      ...(step.server.shop.environment === 'live' && { signUpPath: signUpPathOf(step) }),
      ...(failed && { login: failed.login, problem: problemOf(failed.refusal, step.language), status: 400 }),
    }),
  )
}

/** Whoever makes an account on the way comes back to where he was asked. */
const signUpPathOf = ({ interaction }: Step): string =>
  `/sign-up?${new URLSearchParams({ return_to: `/oauth/interaction/${interaction.uid}` }).toString()}`

function problemOf({ code, details }: Refusal, language: Language): string {
  if (code !== 'rate_limit_exceeded') return words[language].wrong
  return filled(words[language].tooOften, { minutes: String(Math.ceil(Number(details['retry_after']) / 60)) })
}

async function askWhether(step: Step): Promise<AnnexReply> {
  const { server, entrance, request, interaction, language, form } = step
  const { shop } = server
  const buyer = await entrance.signedIn(shop.environment, request)
  if (!buyer || String(buyer.buyerId) !== interaction.session?.accountId) return stalePage(language)
  const clientId = interaction.params['client_id']!
  const scopes = scopesOf(interaction.params['scope'])
  if (!form)
    return shown(
      consentPage({
        ...frameOf(step),
        applicationName: (await applicationOf(step)).name,
        scopes,
        clientName: (await entrance.nameOf(shop.environment, buyer.buyerId)) ?? '',
        csrfToken: csrfTokenOf(interaction.uid),
      }),
    )
  if (!isCsrfToken(form.get('csrf_token') ?? '', interaction.uid)) return stalePage(language)
  if (form.get('decision') !== 'allow')
    return goOn(step, { error: 'access_denied', error_description: 'the buyer did not allow it' })
  const grant = { id: `gr_${secretText(20)}`, clientId, buyerId: buyer.buyerId, scopes }
  await shop.db.transaction(async (tx) => {
    addConsent(tx, grant)
    await grantAuthorization(tx, grant)
  })
  return goOn(step, { consent: { grantId: grant.id } })
}

/** Back to where the request is waiting. */
async function goOn({ interaction, language }: Step, result: Record<string, unknown>): Promise<AnnexReply> {
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

/** A scheme of an application's own has no origin. */
const placeOf = ({ origin, protocol }: URL): string => (origin === 'null' ? protocol : origin)
