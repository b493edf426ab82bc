// The account: profile, consents to messages, sessions, devices and applications with access.

import { html, type Html } from '../../../http/html.ts'
import { type Bozor, BozorError, createBozor } from '../../../sdk/index.ts'
import { deviceName } from '../device-name.ts'
import { field } from '../fields.ts'
import { addressesPanel, removeAddress, saveAddress } from './addresses.ts'
import { page } from '../layout.ts'
import { leaveNote } from '../notes.ts'
import { fieldProblems, plainReasons } from '../remedies.ts'
import type { Reply } from '../storefront.ts'
import { signInAddress, type Visit } from '../visit.ts'

export async function accountPage(visit: Visit, refused?: BozorError): Promise<Reply> {
  const { texts, bozor } = visit
  if (!visit.clientName)
    return { kind: 'redirect', status: 303, to: signInAddress(visit, visit.at('/account')) }
  const [{ client }, { subscriptions }, { sessions }, { devices }, { consents }, addresses] =
    await Promise.all([
      bozor.auth.getProfile(),
      bozor.auth.listSubscriptions(),
      listSessions(visit),
      bozor.auth.listDevices(),
      bozor.auth.listConsents(),
      addressesPanel(visit, fieldProblems(refused)),
    ])
  const problems = fieldProblems(refused)
  const isBeside = [...problems.keys()].some((it) => it === 'name' || it.startsWith('address.'))
  const content = html`<div class="wrap">
    <h1>${client.name}</h1>
    <p class="lead">${[client.phone, client.email].filter(Boolean).join(' · ')}</p>
    <nav class="chips" aria-label="${texts.account}">
      <a class="chip" href="${visit.at('/orders')}">${texts.orders}</a>
      <a class="chip" href="${visit.at('/wishlist')}">${texts.wishlist}</a>
      <a class="chip" href="${visit.at('/shared')}">${texts.sharedCart}</a>
      <a class="chip" href="${visit.at('/account/mandates')}">${texts.mandates}</a>
    </nav>
    ${refused && !isBeside && html`<p class="alert" role="alert">${visit.say(plainReasons(refused).join('. '))}</p>`}
    <div class="account">
      <form class="panel" method="post" action="${visit.at('/account/profile')}" novalidate>
        <h2 class="small-title">${texts.profile}</h2>
        ${field(visit, { name: 'name', label: texts.name, autocomplete: 'name', value: visit.form['name'] ?? client.name, problem: problems.get('name') })}
        <button class="button brand">${texts.save}</button>
      </form>
      ${addresses} ${messageForm(visit, subscriptions.channels)}
      ${list(visit, {
        title: texts.sessions,
        action: '/account/session',
        label: texts.endSession,
        items: sessions.map((it) => ({
          id: it.id,
          text: deviceName(it.user_agent),
          more: it.current ? texts.thisDevice : visit.format.dateTime(it.last_used_at),
        })),
      })}
      ${list(visit, {
        title: texts.devices,
        action: '/account/device',
        label: texts.remove,
        items: devices.map((it) => ({ id: it.id, text: it.platform, more: visit.format.date(it.seen_at) })),
      })}
      ${list(visit, {
        title: texts.apps,
        action: '/account/application',
        label: texts.revoke,
        items: consents.map((it) => ({
          id: it.client_id,
          text: it.application_name,
          more: visit.format.date(it.updated_at),
        })),
      })}
      <form method="post" action="${visit.at('/sign-out')}">
        <button class="button plain wide">${texts.signOut}</button>
      </form>
    </div>
  </div>`
  return page(visit, {
    title: texts.account,
    isPrivate: true,
    content,
    ...(refused && { status: refused.status }),
  })
}

/** Sessions belong to the platform's sign-in, so its cookie and not the token opens them. */
export const inSession = (visit: Visit): Bozor | undefined => {
  const { platformCookie: cookie, origin } = visit
  if (cookie === undefined) return undefined
  const send: typeof fetch = (input, init = {}) =>
    visit.fetch(input, { ...init, headers: { ...(init.headers as object), cookie, origin } })
  return createBozor({ baseUrl: origin, fetch: send })
}

/** Empty when the session has ended, although the tokens of the storefront are still valid. */
async function listSessions(visit: Visit) {
  try {
    return (await inSession(visit)?.auth.listSessions()) ?? { sessions: [] }
  } catch (error) {
    if (error instanceof BozorError) return { sessions: [] }
    throw error
  }
}

const messageForm = (
  visit: Visit,
  channels: { channel: 'email' | 'sms' | 'push'; granted: boolean }[],
): Html =>
  html`<form class="panel" method="post" action="${visit.at('/account/messages')}">
    <h2 class="small-title">${visit.texts.messages}</h2>
    <p class="muted">${visit.texts.messagesHint}</p>
    ${channels.map(
      ({ channel, granted }) =>
        html`<label class="check">
          <input type="checkbox" name="${channel}" value="true" ${granted && html`checked`} />
          ${visit.texts[`channel_${channel}`]}
        </label>`,
    )}
    <button class="button soft">${visit.texts.save}</button>
  </form>`

/** Things that can be ended one by one. */
const list = (
  visit: Visit,
  it: { title: string; action: string; label: string; items: { id: string; text: string; more: string }[] },
): Html =>
  html`<section class="panel">
    <h2 class="small-title">${it.title}</h2>
    ${it.items.length === 0 && html`<p class="muted">${visit.texts.none}</p>`}
    ${it.items.map(
      ({ id, text, more }) =>
        html`<form class="account-item" method="post" action="${visit.at(it.action)}">
          <input type="hidden" name="id" value="${id}" />
          <span>${text} <small>${more}</small></span>
          <button class="quiet-link" aria-label="${it.label}: ${text}">${it.label}</button>
        </form>`,
    )}
  </section>`

/** Changes something and returns to the account with the outcome. */
async function change(visit: Visit, run: () => Promise<unknown>): Promise<Reply> {
  try {
    await run()
  } catch (error) {
    if (!(error instanceof BozorError) || error.status === 401) throw error
    return accountPage(visit, error)
  }
  leaveNote(visit, 'profileSaved')
  return { kind: 'redirect', status: 303, to: visit.at('/account') }
}

const idOf = ({ form }: Visit): string => form['id'] || '-'

export const saveProfile = (visit: Visit): Promise<Reply> =>
  change(visit, () => visit.bozor.auth.updateProfile({ name: visit.form['name']?.trim() ?? '' }))

export const saveMessages = (visit: Visit): Promise<Reply> =>
  change(visit, () => {
    const isOn = (name: string) => visit.form[name] === 'true'
    return visit.bozor.auth.updateSubscriptions({
      email: isOn('email'),
      sms: isOn('sms'),
      push: isOn('push'),
    })
  })

export const removeSession = (visit: Visit): Promise<Reply> =>
  change(visit, async () => inSession(visit)?.auth.deleteSession({ session_id: idOf(visit) }))

export const removeDevice = (visit: Visit): Promise<Reply> =>
  change(visit, () => visit.bozor.auth.deleteDevice({ device_id: idOf(visit) }))

export const removeApplication = (visit: Visit): Promise<Reply> =>
  change(visit, () => visit.bozor.auth.deleteConsent({ client_id: idOf(visit) }))

export const addAddress = (visit: Visit): Promise<Reply> => saveAddress(visit, accountPage)

export const deleteAddress = (visit: Visit): Promise<Reply> => removeAddress(visit, accountPage)
