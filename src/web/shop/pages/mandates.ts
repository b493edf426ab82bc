// Mandates in the account: the client lets an application order within limits, confirms its orders, and revokes it.

import { dayMs } from '../../../base/clock.ts'
import { html, type Html } from '../../../http/html.ts'
import { type Bozor, BozorError, type Category, type Operations } from '../../../sdk/index.ts'
import { field } from '../fields.ts'
import { page } from '../layout.ts'
import { leaveNote, type NoteKey } from '../notes.ts'
import { fieldProblems, violationsOf } from '../remedies.ts'
import type { Reply } from '../storefront.ts'
import { fill } from '../texts/index.ts'
import { signInAddress, type Visit } from '../visit.ts'
import { inSession } from './account.ts'

type Mandate = Operations['mandates.list']['reply']['mandates'][number]
type Consent = Operations['auth.listConsents']['reply']['consents'][number]

const shownMandates = 50
const periods = [1, 7, 30, 90] as const
const defaultPeriod = 30
const tiyinPerSum = 100
const path = '/account/mandates'

/** What the form was refused for. */
interface Refused {
  status: number
  problems: Map<string, string>
  error?: BozorError
}

export async function mandatesPage(visit: Visit, refused?: Refused): Promise<Reply> {
  if (!visit.clientName)
    return { kind: 'redirect', status: 303, to: signInAddress(visit, visit.at('/account/mandates')) }
  const mandates = await listMandates(visit)
  const content = mandates ? await contentOf(visit, mandates, refused) : signInAgain(visit)
  return page(visit, {
    title: visit.texts.mandates,
    isPrivate: true,
    content: html`<div class="wrap">
      <nav class="crumbs"><a href="${visit.at('/account')}">${visit.texts.account}</a></nav>
      <h1>${visit.texts.mandates}</h1>
      <p class="lead">${visit.texts.mandatesHint}</p>
      ${content}
    </div>`,
    ...(refused && { status: refused.status }),
  })
}

/** None if the session has ended, although the storefront's tokens still work. */
async function listMandates(visit: Visit): Promise<Mandate[] | undefined> {
  try {
    return (await inSession(visit)?.mandates.list({ per_page: shownMandates }))?.items
  } catch (error) {
    if (error instanceof BozorError && error.status === 401) return undefined
    throw error
  }
}

const signInAgain = (visit: Visit): Html =>
  html`<section class="panel">
    <p>${visit.texts.mandatesSignIn}</p>
    <a class="button brand" href="${signInAddress(visit, visit.at('/account/mandates'))}"
      >${visit.texts.signIn}</a
    >
  </section>`

async function contentOf(visit: Visit, mandates: Mandate[], refused?: Refused): Promise<Html> {
  const [{ consents }, cart, { categories }] = await Promise.all([
    visit.bozor.auth.listConsents(),
    visit.bozor.cart.get(visit.buyer),
    visit.frame(),
  ])
  const others = consents.filter((it) => it.client_id !== visit.credentials.clientId)
  return html`${refused?.error && violationsOf(visit, refused.error)}
    <div class="account">
      ${mandates.length === 0 && html`<p class="panel muted">${visit.texts.mandatesNone}</p>`}
      ${mandates.map((it) => mandatePanel(visit, it, { consents: others, cart, categories }))}
      ${grantForm(visit, { consents: others, categories, problems: refused?.problems ?? new Map() })}
    </div>`
}

interface Shown {
  consents: Consent[]
  cart: { Version: number; TotalAmount: number; CanOrder: boolean }
  categories: Category[]
}

function mandatePanel(visit: Visit, it: Mandate, { consents, cart, categories }: Shown): Html {
  const { texts, format } = visit
  const application = consents.find(({ client_id: id }) => id === it.application_id)
  const named = categories.filter(({ id }) => it.category_ids.includes(id)).map(({ name }) => visit.say(name))
  const title = it.name ?? application?.application_name ?? it.application_id
  const isActive = it.status === 'active'
  return html`<section class="panel mandate">
    <div class="order-head">
      <h2 class="small-title">${title}</h2>
      <span class="tag ${isActive ? 'status-confirmed' : ''}">${texts[`mandateStatus_${it.status}`]}</span>
    </div>
    <p>
      ${fill(texts.mandateLeft, { left: format.money(it.left), budget: format.money(it.budget) })},
      ${fill(texts.mandateUntil, { time: format.dateTime(it.expires_at) })}
    </p>
    <p class="muted">
      ${application?.application_name ?? it.application_id} ·
      ${it.category_ids.length === 0 ? texts.mandateAll : named.join(', ') || it.category_ids.join(', ')}
    </p>
    ${isActive && mandateActions(visit, it, { title, cart })}
  </section>`
}

const mandateActions = (
  visit: Visit,
  it: Mandate,
  { title, cart }: Pick<Shown, 'cart'> & { title: string },
) =>
  html`<div class="alert-actions">
    ${
      it.needs_confirmation &&
      cart.CanOrder &&
      html`<form method="post" action="${visit.at(`${path}/confirm`)}">
        <input type="hidden" name="id" value="${it.id}" />
        <input type="hidden" name="version" value="${cart.Version}" />
        <input type="hidden" name="total" value="${cart.TotalAmount}" />
        <button class="button brand">
          ${fill(visit.texts.mandateConfirmCart, { total: visit.format.sums(cart.TotalAmount) })}
        </button>
      </form>`
    }
    <form method="post" action="${visit.at(`${path}/revoke`)}">
      <input type="hidden" name="id" value="${it.id}" />
      <button class="button soft" aria-label="${visit.texts.revoke}: ${title}">${visit.texts.revoke}</button>
    </form>
  </div>`

function grantForm(
  visit: Visit,
  given: Pick<Shown, 'consents' | 'categories'> & { problems: Map<string, string> },
): Html {
  const { texts, form } = visit
  const { consents, problems } = given
  const days = Number(form['days'] ?? defaultPeriod)
  const isSent = form['sent'] === 'yes'
  return html`<form class="panel" id="grant" method="post" action="${visit.at(path)}" novalidate>
    <input type="hidden" name="sent" value="yes" />
    <h2 class="small-title">${texts.mandateNew}</h2>
    ${consents.length > 0 && applicationChoice(visit, consents)}
    ${field(visit, {
      name: 'application_id',
      label: texts.mandateAppId,
      hint: texts.mandateAppHint,
      isOptional: consents.length > 0,
      value: form['application_id'] ?? visit.query.get('application') ?? '',
      problem: problems.get('application_id'),
    })}
    ${field(visit, { name: 'name', label: texts.mandateName, isOptional: true, value: form['name'], problem: problems.get('name') })}
    ${field(visit, {
      name: 'budget',
      label: texts.mandateBudget,
      hint: texts.mandateBudgetHint,
      inputmode: 'numeric',
      value: form['budget'],
      problem: problems.get('budget') ?? problems.get('budget.amount'),
    })}
    <div class="field">
      <label for="days">${texts.mandateDays}</label>
      <select id="days" name="days">
        ${periods.map(
          (it) =>
            html`<option value="${it}" ${it === days && html`selected`}>
              ${texts[`mandateDays_${it}`]}
            </option>`,
        )}
      </select>
    </div>
    ${categoryChoice(visit, given.categories)}
    <label class="check">
      <input
        type="checkbox"
        name="confirms"
        value="true"
        ${(!isSent || form['confirms'] === 'true') && html`checked`}
      />
      ${texts.mandateConfirms}
    </label>
    <button class="button brand">${texts.mandateGrant}</button>
  </form>`
}

const applicationChoice = ({ texts, form }: Visit, consents: Consent[]): Html =>
  html`<div class="field">
    <label for="application">${texts.mandateApp}</label>
    <select id="application" name="application">
      ${consents.map(
        (it) =>
          html`<option value="${it.client_id}" ${it.client_id === form['application'] && html`selected`}>
            ${it.application_name}
          </option>`,
      )}
      <option value="" ${form['application'] === '' && html`selected`}>${texts.mandateAppOther}</option>
    </select>
  </div>`

const categoryChoice = (visit: Visit, categories: Category[]): Html =>
  html`<details ${chosenCategories(visit).length > 0 && html`open`}>
    <summary>${visit.texts.mandateCategories}</summary>
    <p class="muted">${visit.texts.mandateAllHint}</p>
    ${categories
      .filter((it) => it.parent_id === null)
      .map(
        (it) =>
          html`<label class="check">
            <input
              type="checkbox"
              name="category_${it.id}"
              value="true"
              ${visit.form[`category_${it.id}`] && html`checked`}
            />
            ${visit.say(it.name)}
          </label>`,
      )}
  </details>`

const chosenCategories = ({ form }: Visit): string[] =>
  Object.keys(form)
    .filter((it) => /^category_\d+$/.test(it))
    .map((it) => it.slice('category_'.length))

/** Runs a change in the client's own session; a refusal is shown on the page. */
async function change(visit: Visit, note: NoteKey, run: (bozor: Bozor) => Promise<unknown>): Promise<Reply> {
  const bozor = inSession(visit)
  if (!visit.clientName || !bozor) return mandatesPage(visit)
  try {
    await run(bozor)
  } catch (error) {
    if (!(error instanceof BozorError)) throw error
    if (error.status === 401) return mandatesPage(visit)
    return mandatesPage(visit, { status: error.status, problems: fieldProblems(error), error })
  }
  leaveNote(visit, note)
  return { kind: 'redirect', status: 303, to: visit.at(path) }
}

export async function grantMandate(visit: Visit): Promise<Reply> {
  const { form, texts } = visit
  const application = form['application_id']?.trim() || form['application'] || ''
  const budget = (form['budget'] ?? '').replaceAll(/[\s\u00a0']/g, '')
  const days = periods.find((it) => String(it) === form['days']) ?? defaultPeriod
  const problems = new Map<string, string>()
  if (!/^[1-9]\d{0,11}$/.test(budget)) problems.set('budget', texts.mandateBudgetWrong)
  if (application === '') problems.set('application_id', texts.mandateAppHint)
  // With a mandate for the storefront its own checkout would need one too.
  if (application === visit.credentials.clientId) problems.set('application_id', texts.mandateAppWrong)
  if (problems.size > 0) return mandatesPage(visit, { status: 422, problems })
  return change(visit, 'mandateGranted', (bozor) =>
    bozor.mandates.create({
      application_id: application,
      name: form['name']?.trim() || null,
      budget: { amount: Number(budget) * tiyinPerSum, currency: 'UZS' },
      category_ids: chosenCategories(visit).map(Number),
      expires_at: new Date(visit.options.now().getTime() + days * dayMs).toISOString(),
      needs_confirmation: form['confirms'] === 'true',
    }),
  )
}

export const revokeMandate = (visit: Visit): Promise<Reply> =>
  change(visit, 'mandateRevoked', (bozor) => bozor.mandates.revoke({ mandate_id: visit.form['id'] || '-' }))

/** Confirms the cart as the page showed it; a cart that has changed since is refused. */
export const confirmMandate = (visit: Visit): Promise<Reply> =>
  change(visit, 'mandateConfirmed', (bozor) =>
    bozor.mandates.confirmOrder({
      mandate_id: visit.form['id'] || '-',
      cart_version: Number(visit.form['version']),
      total: { amount: Math.round(Number(visit.form['total']) * tiyinPerSum), currency: 'UZS' },
    }),
  )
