// Where a buyer signs up, in and out in his browser, without a script.

import type { FastifyRequest } from 'fastify'
import type { Language } from '../../http/language.ts'
import type { Principal } from '../../http/route.ts'
import type { Page, PageReply, PageRequest } from '../../http/server.ts'
import { checkPassword } from '../check-password.ts'
import { browserOf, type ClientDesk, countedNetwork } from '../client-desk.ts'
import { sessionSetCookie, sessionUnsetCookie } from '../cookie.ts'
import { checkNewcomer, registerClient } from '../register-client.ts'
import { openSession, signIn } from '../sign-in.ts'
import { signOut } from '../sign-out.ts'
import { findClient } from '../store/clients.ts'
import { inTongue } from './layout.ts'
import { languageOf, ownForm } from './own-form.ts'
import { problemsOf } from './problems.ts'
import { signInPage } from './sign-in-page.ts'
import { signUpPage } from './sign-up-page.ts'
import { signedInPage } from './signed-in-page.ts'
import { words } from './words.ts'

export const clientPages = (desk: ClientDesk): Page[] => [
  { path: '/sign-in', run: ({ request }) => showSignIn(desk, request) },
  { path: '/sign-up', run: ({ request }) => showSignUp(request) },
  { method: 'POST', path: '/sign-in', run: ownForm((call) => takeSignIn(desk, call)) },
  { method: 'POST', path: '/sign-up', run: ownForm((call) => takeSignUp(desk, call)) },
  { method: 'POST', path: '/sign-out', run: ownForm((call) => takeSignOut(desk, call)) },
]

async function showSignIn(desk: ClientDesk, request: FastifyRequest): Promise<PageReply> {
  const language = languageOf(request)
  const goal = goalOf(request.query as Record<string, unknown>)
  const client = await signedIn(desk, request.asked.principal)
  if (client && goal !== undefined) return seeOther(goal)
  if (!client) return signInPage({ ...signInFrame(language, goal) })
  return signedInPage({
    language,
    environment: request.asked.environment,
    here: '/sign-in',
    clientName: client.name,
    signOutAction: '/sign-out',
  })
}

function showSignUp(request: FastifyRequest): PageReply {
  const goal = goalOf(request.query as Record<string, unknown>)
  return signUpPage(signUpFrame(languageOf(request), goal))
}

async function takeSignIn(desk: ClientDesk, { request, form }: PageRequest): Promise<PageReply> {
  const language = languageOf(request, form)
  const goal = goalOf(form)
  const { login = '', password = '' } = form
  const said = words[language]
  const frame = { ...signInFrame(language, goal), login }
  const empty = {
    ...(!login.trim() && { login: said.needLogin }),
    ...(!password && { password: said.needPassword }),
  }
  if (Object.keys(empty).length > 0) return signInPage({ ...frame, status: 422, problems: empty })
  try {
    const { db } = desk.shops.live
    const { principal, origin } = request.asked
    const network = countedNetwork(principal, request.ip)
    const claim = await checkPassword({ db, passwords: desk.passwords }, { login, password, network })
    const { secret } = await db.transaction((tx) => signIn(tx, claim, browser(request)))
    return { ...seeOther(goal ?? inTongue('/sign-in', language)), cookie: sessionSetCookie(origin, secret) }
  } catch (error) {
    return signInPage({ ...frame, ...problemsOf(error, language) })
  }
}

async function takeSignUp(desk: ClientDesk, { request, form }: PageRequest): Promise<PageReply> {
  const language = languageOf(request, form)
  const goal = goalOf(form)
  const { name = '', phone = '', email = '', password = '' } = form
  try {
    const { db } = desk.shops.live
    const { principal, origin } = request.asked
    const newcomer = {
      name,
      phone: phone.trim() || null,
      email: email.trim() || null,
      password,
    }
    const tools = { db, passwords: desk.passwords }
    const checked = await checkNewcomer(tools, newcomer, countedNetwork(principal, request.ip))
    const { secret } = await db.transaction(async (tx) =>
      openSession(tx, await registerClient(tx, checked, desk.owners), browser(request)),
    )
    return { ...seeOther(goal ?? inTongue('/sign-in', language)), cookie: sessionSetCookie(origin, secret) }
  } catch (error) {
    const values = { name, phone, email }
    return signUpPage({ ...signUpFrame(language, goal), values, ...problemsOf(error, language) })
  }
}

async function takeSignOut(desk: ClientDesk, { request, form }: PageRequest): Promise<PageReply> {
  const { principal, origin } = request.asked
  const { before } = browser(request)
  if (principal && before)
    await desk.shops[principal.environment].db.transaction((tx) => signOut(tx, before.clientId, before.id))
  return {
    ...seeOther(inTongue('/sign-in', languageOf(request, form))),
    cookie: sessionUnsetCookie(origin),
  }
}

const signedIn = async ({ shops }: ClientDesk, principal: Principal | null) =>
  principal?.actor.kind === 'client' && principal.application === null
    ? findClient(shops[principal.environment].db.read(), principal.actor.clientId)
    : undefined

const browser = (request: FastifyRequest) =>
  browserOf({
    principal: request.asked.principal,
    ip: request.ip,
    userAgent: request.headers['user-agent'],
  })

const signInFrame = (language: Language, goal: string | undefined) => ({
  language,
  here: withGoal('/sign-in', goal),
  action: '/sign-in',
  hidden: goal === undefined ? {} : { return_to: goal },
  signUpPath: withGoal('/sign-up', goal),
})

const signUpFrame = (language: Language, goal: string | undefined) => ({
  language,
  here: withGoal('/sign-up', goal),
  action: '/sign-up',
  hidden: goal === undefined ? {} : { return_to: goal },
  signInPath: withGoal('/sign-in', goal),
})

const withGoal = (path: string, goal: string | undefined): string =>
  goal === undefined ? path : `${path}?${new URLSearchParams({ return_to: goal }).toString()}`

const nowhere = 'http://here.invalid'
const longestGoal = 4_000

/** Where the buyer was going: a path of ours and nothing else, so that nobody is led away by a link to us. */
export function goalOf({ return_to: given }: { return_to?: unknown }): string | undefined {
  if (typeof given !== 'string' || !/^\/(?![/\\])/.test(given) || given.length > longestGoal) return undefined
  const url = URL.canParse(given, nowhere) ? new URL(given, nowhere) : undefined
  return url?.origin === nowhere ? `${url.pathname}${url.search}` : undefined
}

const seeOther = (location: string): PageReply => ({
  status: 303,
  type: 'text/plain; charset=utf-8',
  body: '',
  headers: { location, 'cache-control': 'no-store' },
})
