// Paying by card: the form, and the payment of one or several orders with one card.

import { html, type Html } from '../../../http/html.ts'
import { BozorError, type Order } from '../../../sdk/index.ts'
import { field } from '../fields.ts'
import { apiLanguage } from '../language.ts'
import { fieldProblems } from '../remedies.ts'
import type { TextKey } from '../texts/index.ts'
import type { Visit } from '../visit.ts'

export interface CardForm {
  action: string
  label: string
  /** What exactly is paid, for example an instalment. */
  hidden?: Record<string, string | number>
  problem?: CardProblem | undefined
  /** A second button that pays everything. */
  restLabel?: string
}

/** Why a card was refused at once: by field, else in words. */
export interface CardProblem {
  message?: string
  wrong: CardField[]
}

type CardField = 'number' | 'expiry' | 'cvc'

const wrongTexts: Record<CardField, TextKey> = {
  number: 'cardNumberWrong',
  expiry: 'cardExpiryWrong',
  cvc: 'cardCvcWrong',
}

export const cardForm = (visit: Visit, it: CardForm): Html =>
  html`<form class="panel card-form" method="post" action="${it.action}" data-swap>
    <h2 class="small-title">${visit.texts.payByCard}</h2>
    ${it.problem?.message !== undefined && html`<p class="alert" role="alert">${it.problem.message}</p>`}
    ${Object.entries(it.hidden ?? {}).map(
      ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
    )}
    ${field(visit, { name: 'number', label: visit.texts.cardNumber, autocomplete: 'cc-number', inputmode: 'numeric', placeholder: '8600 0000 0000 0015', problem: cardProblem(visit, it, 'number') })}
    <div class="card-row">
      ${field(visit, { name: 'expiry', label: visit.texts.cardExpiry, autocomplete: 'cc-exp', placeholder: '12/30', value: it.problem && visit.form['expiry'], problem: cardProblem(visit, it, 'expiry') })}
      ${field(visit, { name: 'cvc', label: visit.texts.cardCvc, autocomplete: 'cc-csc', inputmode: 'numeric', placeholder: '123', problem: cardProblem(visit, it, 'cvc') })}
    </div>
    <button class="button brand wide">${it.label}</button>
    ${
      it.restLabel !== undefined &&
      html`<button class="button soft wide" name="everything" value="true">${it.restLabel}</button>`
    }
    ${visit.options.environment === 'test' && testCards(visit)}
  </form>`

const cardProblem = ({ texts }: Visit, { problem }: CardForm, name: CardField): string | undefined =>
  problem?.wrong.includes(name) ? texts[wrongTexts[name]] : undefined

const cards: [number: string, text: TextKey][] = [
  ['8600 0000 0000 0015', 'cardOk'],
  ['8600 0000 0000 0023', 'cardDeclined'],
  ['8600 0000 0000 0031', 'cardPoor'],
  ['8600 0000 0000 0056', 'cardConfirm'],
]

const testCards = ({ texts }: Visit): Html =>
  html`<details>
    <summary class="quiet-link">${texts.testCards}</summary>
    <ul class="test-cards">
      ${cards.map(([number, text]) => html`<li><code>${number}</code> ${texts[text]}</li>`)}
    </ul>
  </details>`

function cardOf({ form }: Visit) {
  // `12/30`, `12/2030`, `12 30` and `1230`.
  const [, month, year] = (/^\s*(\d{1,2})\D*(\d{2}|\d{4})\s*$/.exec(form['expiry'] ?? '') ?? []).map(Number)
  return {
    number: (form['number'] ?? '').replaceAll(/\D/g, ''),
    expiry_month: month || 0,
    expiry_year: (year || 0) + ((year || 0) < 100 ? 2000 : 0),
    ...(form['cvc'] && { cvc: form['cvc'].trim() }),
  }
}

const cardFields: Record<string, CardField> = {
  'card.number': 'number',
  'card.expiry_month': 'expiry',
  'card.expiry_year': 'expiry',
  'card.cvc': 'cvc',
}

/** Charges the card; the problem if it was refused at once. */
export async function chargeCard(
  visit: Visit,
  id: string | number,
  instalment?: number | string,
): Promise<CardProblem | undefined> {
  try {
    await visit.bozor.orders.createPayment({
      id,
      ...visit.orderBuyer,
      kind: 'card',
      card: cardOf(visit),
      ...(instalment !== undefined && { instalment }),
    })
    return undefined
  } catch (error) {
    if (!(error instanceof BozorError) || error.status === 401) throw error
    const wrong = [...fieldProblems(error).keys()].flatMap((path) => cardFields[path] ?? [])
    return wrong.length > 0 ? { wrong } : { wrong, message: visit.say(error.message) }
  }
}

/** The reply of a bank comes after ours; usually within the time of one more request. */
export const isPending = (order: Order): boolean => order.payments.some((it) => it.status === 'pending')

/** The reason of the last payment, if it failed. */
const failureOf = (order: Order): string | undefined => {
  const last = order.payments.at(-1)
  return last?.status === 'failed' ? (last.failure ?? 'card_declined') : undefined
}

const failureTexts: Record<string, TextKey> = {
  card_declined: 'failDeclined',
  insufficient_funds: 'failPoor',
  expired_card: 'failExpired',
}

/** The last payment failed, and another card can be tried. */
export function failureNotice({ texts }: Visit, orders: readonly Order[]): Html | false {
  const [failure] = orders.filter((it) => it.allowed.includes('pay')).flatMap((it) => failureOf(it) ?? [])
  if (failure === undefined || orders.some(isPending)) return false
  const key = failureTexts[failure]
  return html`<p class="alert" role="alert">
    <b>${texts.paymentFailed}.</b> ${key && texts[key]} ${texts.anotherCard}
  </p>`
}

/** The test bank returns the buyer to the page that waits; other banks have their own way. */
function bankAddress(visit: Visit, address: string, orders: readonly Order[]): string {
  const path = visit.picture(address)
  if (!path.startsWith('/')) return address
  const ids = orders.map((it) => it.id)
  const back = visit.at(
    visit.path.startsWith('/placed') ? `/placed?orders=${ids.join(',')}` : `/orders/${ids[0]}`,
  )
  return `${path}?${new URLSearchParams({ return: back, lang: apiLanguage(visit.language) })}`
}

export const pendingNotice = (visit: Visit, orders: readonly Order[]): Html => {
  const address = orders.flatMap((it) => it.payments).find((it) => it.status === 'pending')?.action_url
  return html`<section class="panel waiting" data-wait>
    <h2 class="small-title">${visit.texts.pendingTitle}</h2>
    <p>${visit.texts.pendingHint}</p>
    ${address && html`<a class="button brand" id="to-bank" href="${bankAddress(visit, address, orders)}">${visit.texts.openBank}</a>`}
    <a class="button soft no-script" href="${visit.here}">${visit.texts.refresh}</a>
  </section>`
}
