// Sign-in by the authorization code flow with PKCE on the platform's own pages. The tokens come back to the server and
// are sealed into a cookie that scripts cannot read.

import { html } from '../../../http/html.ts'
import { authorizationUrl, BozorError, createBozor, exchangeCode } from '../../../sdk/index.ts'
import { signedInPath, storefrontScopes } from '../application.ts'
import { dropDraft } from '../draft.ts'
import { field } from '../fields.ts'
import { apiLanguage } from '../language.ts'
import { page } from '../layout.ts'
import { leaveNote } from '../notes.ts'
import { safeReturn } from '../path.ts'
import { fieldProblems } from '../remedies.ts'
import type { Reply } from '../storefront.ts'
import { signIn, signOut, type Visit } from '../visit.ts'

const signInSeconds = 15 * 60

interface Begun {
  state: string
  verifier: string
  back: string
}

const oauthOf = (visit: Visit) => ({
  baseUrl: visit.origin,
  clientId: visit.credentials.clientId,
  clientSecret: visit.credentials.clientSecret,
  redirectUri: visit.origin + signedInPath,
  fetch: visit.fetch,
})

/** Where to go: to the platform's sign-in page, or to a new account. */
export function signInPage(visit: Visit): Promise<Reply> {
  const { texts } = visit
  const back = new URLSearchParams({
    back: safeReturn(visit.query.get('back') ?? visit.referer, visit.at('')),
  })
  const content = html`<div class="wrap narrow">
    <section class="panel">
      <h1>${texts.signIn}</h1>
      <p class="lead">${texts.signUpHint}</p>
      <a class="button brand wide" href="${visit.at('/sign-in/start')}?${back.toString()}">${texts.signIn}</a>
      <p class="muted">${texts.noAccount}</p>
      <a class="button soft wide" href="${visit.at('/sign-up')}?${back.toString()}">${texts.signUp}</a>
    </section>
  </div>`
  return page(visit, { title: texts.signIn, isPrivate: true, content })
}

/** Sends the visitor to the platform's sign-in page. */
export async function beginSignIn(visit: Visit): Promise<Reply> {
  const back = safeReturn(visit.query.get('back') ?? visit.referer, visit.at(''))
  const { url, state, verifier } = await authorizationUrl({
    ...oauthOf(visit),
    scope: storefrontScopes.join(' '),
  })
  const begun: Begun = { state, verifier, back }
  visit.setCookie('signIn', visit.options.seal(JSON.stringify(begun)), signInSeconds)
  return { kind: 'redirect', to: `${url}&ui_locales=${apiLanguage(visit.language)}` }
}

export async function endSignIn(visit: Visit): Promise<Reply> {
  const kept = visit.cookie('signIn')
  const text = kept === undefined ? undefined : visit.options.open(kept)
  visit.setCookie('signIn', '', 0)
  if (text === undefined) return { kind: 'redirect', to: visit.at('/sign-in') }
  const { back, ...begun } = JSON.parse(text) as Begun
  try {
    const tokens = await exchangeCode(oauthOf(visit), { callback: visit.origin + visit.here, ...begun })
    const client = createBozor({
      baseUrl: visit.origin,
      fetch: visit.fetch,
      token: () => tokens.accessToken,
    })
    const { name } = (await client.auth.getProfile()).client
    const moved = await mergeGuest(client, visit.visitorId)
    signIn(visit, { tokens, name })
    if (moved.cart + moved.wishlist > 0) leaveNote(visit, 'merged', { name, ...moved })
    else leaveNote(visit, 'welcome', { name })
  } catch {
    // Declined on the consent page, or the code ran out.
    leaveNote(visit, 'signInFailed')
  }
  return { kind: 'redirect', to: back }
}

/** The guest's cart and wishlist become the client's. */
async function mergeGuest(
  client: ReturnType<typeof createBozor>,
  SessionId: string,
): Promise<{ cart: number; wishlist: number }> {
  const [cart, list] = await Promise.all([
    client.cart.merge({ SessionId }),
    client.wishlist.merge({ SessionId }),
  ])
  return { cart: cart.Merge.reduce((sum, it) => sum + it.Kept, 0), wishlist: list.Merge.Added }
}

/** Ends the storefront's sign-in and the session of the platform's pages. */
export async function endSession(visit: Visit): Promise<Reply> {
  signOut(visit)
  // The next visitor of this browser must not see what this one typed.
  dropDraft(visit)
  const session = visit.platformCookie
  if (session !== undefined) {
    const client = createBozor({ baseUrl: visit.origin, fetch: visit.fetch })
    await client.auth
      .logout({}, { headers: { cookie: session, origin: visit.origin } })
      // A session that has ended already is as good.
      .catch(() => undefined)
  }
  // The next visitor of this browser is another buyer.
  visit.setCookie('visitor', '', 0)
  leaveNote(visit, 'signedOut')
  return { kind: 'redirect', status: 303, to: visit.at('') }
}

export function signUpPage(visit: Visit, refused?: BozorError): Promise<Reply> {
  const { texts, form } = visit
  const problems = fieldProblems(refused)
  const back = form['back'] ?? visit.query.get('back') ?? ''
  const content = html`<div class="wrap narrow">
    <h1>${texts.signUp}</h1>
    <p class="lead">${texts.signUpHint}</p>
    ${refused && problems.size === 0 && html`<p class="alert" role="alert">${visit.say(refused.message)}</p>`}
    <form class="panel" method="post" action="${visit.at('/sign-up')}" novalidate>
      <input type="hidden" name="back" value="${back}" />
      ${field(visit, { name: 'name', label: texts.name, autocomplete: 'name', value: form['name'], problem: problems.get('name') })}
      ${field(visit, {
        name: 'phone',
        label: texts.phone,
        type: 'tel',
        autocomplete: 'tel',
        placeholder: '+998 90 123 45 67',
        value: form['phone'],
        problem: problems.get('phone'),
      })}
      ${field(visit, {
        name: 'password',
        label: texts.password,
        type: 'password',
        autocomplete: 'new-password',
        hint: texts.passwordHint,
        problem: problems.get('password'),
      })}
      <button class="button brand wide">${texts.signUp}</button>
    </form>
    <p class="below">
      ${texts.haveAccount}
      <a href="${visit.at('/sign-in')}?${new URLSearchParams({ back }).toString()}">${texts.signIn}</a>
    </p>
  </div>`
  return page(visit, {
    title: texts.signUp,
    isPrivate: true,
    content,
    ...(refused && { status: refused.status }),
  })
}

/** Registers the client; the platform's session cookie then lets the sign-in pass without a second password. */
export async function signUp(visit: Visit): Promise<Reply> {
  const { form } = visit
  try {
    await visit.bozor.auth.register(
      {
        name: form['name']?.trim() ?? '',
        phone: form['phone']?.replaceAll(/[\s()-]/g, '') ?? '',
        password: form['password'] ?? '',
      },
      {
        onHeaders: (headers) => {
          for (const line of headers.getSetCookie()) visit.passCookie(line)
        },
      },
    )
  } catch (error) {
    if (!(error instanceof BozorError)) throw error
    return signUpPage(visit, error)
  }
  const back = safeReturn(form['back'], visit.at(''))
  return {
    kind: 'redirect',
    status: 303,
    to: `${visit.at('/sign-in/start')}?${new URLSearchParams({ back })}`,
  }
}
