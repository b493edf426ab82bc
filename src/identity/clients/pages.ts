// Pages for sign-up, sign-in and sign-out; they work without scripts.

import type { FastifyRequest } from 'fastify'
import type { Language } from '../../http/language.ts'
import type { Principal } from '../../http/route.ts'
import type { Page, PageReply, PageRequest } from '../../http/server.ts'
import { sessionSetCookie, sessionUnsetCookie } from '../cookies.ts'
import { withLanguage } from '../pages/layout.ts'
import { lostPasswordPath } from '../reset-tokens.ts'
import { languageOf, ownForm, problemsOf } from '../pages/submitted-form.ts'
import { texts } from '../pages/texts.ts'
import { signedInPage, signInPage, signUpPage } from './page-views.ts'
import { resetPages } from './reset-pages.ts'
import { returnPathOf } from './return-path.ts'
import { checkNewClient, registerClient } from './register-client.ts'
import {
  browserOf,
  checkPassword,
  type ClientDeps,
  countedNetwork,
  openSession,
  signIn,
  signOut,
} from './sign-in.ts'
import { findClient } from './store.ts'

export const clientPages = (deps: ClientDeps): Page[] => [
  { path: '/sign-in', run: ({ request }) => showSignIn(deps, request) },
  { path: '/sign-up', run: ({ request }) => showSignUp(request) },
  { method: 'POST', path: '/sign-in', run: ownForm((call) => submitSignIn(deps, call)) },
  { method: 'POST', path: '/sign-up', run: ownForm((call) => submitSignUp(deps, call)) },
  { method: 'POST', path: '/sign-out', run: ownForm((call) => submitSignOut(deps, call)) },
  ...resetPages(deps),
]

async function showSignIn(deps: ClientDeps, request: FastifyRequest): Promise<PageReply> {
  const language = languageOf(request)
  const returnPath = returnPathOf(request.query as Record<string, unknown>)
  const client = await signedIn(deps, request.state.principal)
  if (client && returnPath !== undefined) return redirectTo(returnPath)
  if (!client) return signInPage({ ...signInFrame(language, returnPath) })
  return signedInPage({
    language,
    environment: request.state.environment,
    here: '/sign-in',
    clientName: client.name,
    signOutAction: '/sign-out',
  })
}

function showSignUp(request: FastifyRequest): PageReply {
  const returnPath = returnPathOf(request.query as Record<string, unknown>)
  return signUpPage(signUpFrame(languageOf(request), returnPath))
}

async function submitSignIn(deps: ClientDeps, { request, form }: PageRequest): Promise<PageReply> {
  const language = languageOf(request, form)
  const returnPath = returnPathOf(form)
  const { login = '', password = '' } = form
  const text = texts[language]
  const frame = { ...signInFrame(language, returnPath), login }
  const empty = {
    ...(!login.trim() && { login: text.needLogin }),
    ...(!password && { password: text.needPassword }),
  }
  if (Object.keys(empty).length > 0) return signInPage({ ...frame, status: 422, problems: empty })
  try {
    const { db } = deps.shops.live
    const { principal, origin } = request.state
    const network = countedNetwork(principal, request.ip)
    const claim = await checkPassword({ db, passwords: deps.passwords }, { login, password, network })
    const { secret } = await db.transaction((tx) => signIn(tx, claim, browser(request)))
    return {
      ...redirectTo(returnPath ?? withLanguage('/sign-in', language)),
      cookie: sessionSetCookie(origin, secret),
    }
  } catch (error) {
    return signInPage({ ...frame, ...problemsOf(error, language) })
  }
}

async function submitSignUp(deps: ClientDeps, { request, form }: PageRequest): Promise<PageReply> {
  const language = languageOf(request, form)
  const returnPath = returnPathOf(form)
  const { name = '', phone = '', email = '', password = '' } = form
  try {
    const { db } = deps.shops.live
    const { principal, origin } = request.state
    const newClient = {
      name,
      phone: phone.trim() || null,
      email: email.trim() || null,
      password,
    }
    const checkDeps = { db, passwords: deps.passwords }
    const checked = await checkNewClient(checkDeps, newClient, countedNetwork(principal, request.ip))
    const { secret } = await db.transaction(async (tx) =>
      openSession(tx, await registerClient(tx, checked, deps.clientsWithData), browser(request)),
    )
    return {
      ...redirectTo(returnPath ?? withLanguage('/sign-in', language)),
      cookie: sessionSetCookie(origin, secret),
    }
  } catch (error) {
    const values = { name, phone, email }
    return signUpPage({ ...signUpFrame(language, returnPath), values, ...problemsOf(error, language) })
  }
}

async function submitSignOut(deps: ClientDeps, { request, form }: PageRequest): Promise<PageReply> {
  const { principal, origin } = request.state
  const { before } = browser(request)
  if (principal && before)
    await deps.shops[principal.environment].db.transaction((tx) => signOut(tx, before.clientId, before.id))
  return {
    ...redirectTo(withLanguage('/sign-in', languageOf(request, form))),
    cookie: sessionUnsetCookie(origin),
  }
}

const signedIn = async ({ shops }: ClientDeps, principal: Principal | null) =>
  principal?.actor.kind === 'client' && principal.application === null
    ? findClient(shops[principal.environment].db.read(), principal.actor.clientId)
    : undefined

const browser = (request: FastifyRequest) =>
  browserOf({
    principal: request.state.principal,
    ip: request.ip,
    userAgent: request.headers['user-agent'],
  })

const signInFrame = (language: Language, returnPath: string | undefined) => ({
  language,
  here: withReturnPath('/sign-in', returnPath),
  action: '/sign-in',
  hidden: returnPath === undefined ? {} : { return_to: returnPath },
  signUpPath: withReturnPath('/sign-up', returnPath),
  lostPasswordPath: withReturnPath(lostPasswordPath, returnPath),
})

const signUpFrame = (language: Language, returnPath: string | undefined) => ({
  language,
  here: withReturnPath('/sign-up', returnPath),
  action: '/sign-up',
  hidden: returnPath === undefined ? {} : { return_to: returnPath },
  signInPath: withReturnPath('/sign-in', returnPath),
})

const withReturnPath = (path: string, returnPath: string | undefined): string =>
  returnPath === undefined ? path : `${path}?${new URLSearchParams({ return_to: returnPath }).toString()}`

const redirectTo = (location: string): PageReply => ({
  status: 303,
  type: 'text/plain; charset=utf-8',
  body: '',
  headers: { location, 'cache-control': 'no-store' },
})
