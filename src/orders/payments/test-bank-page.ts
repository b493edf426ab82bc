// The page of the test acquirer where the holder of a card approves a payment, like the 3-D Secure page of a bank. It
// decides before the callback that the card plans.

import { inSums } from '../../base/money.ts'
import type { Shop } from '../../base/shop.ts'
import { html, type Html } from '../../http/html.ts'
import { type Language, languages } from '../../http/language.ts'
import type { Page, PageReply, PageRequest } from '../../http/server.ts'
import { page } from '../../identity/index.ts'
import type { PaymentProcessor } from './payment-processor.ts'
import { handleCallback } from './settle-payment.ts'
import { testAcquirerName, testBankPath } from './test-acquirer.ts'
import { decideCharge, findCharge, type TestCharge } from './test-acquirer-store.ts'

/** The code that the page accepts; the page shows it. */
const smsCode = '1234'

const uuidForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export function testBankPages(shop: Shop, processor: PaymentProcessor): Page[] {
  const path = testBankPath('{payment}')
  return [
    {
      path,
      run: async (asked) => {
        const charge = await chargeOf(shop, asked)
        return charge?.status === 'pending' ? askPage(asked, charge) : closedPage(asked)
      },
    },
    { method: 'POST', path, run: (asked) => decide(asked, shop, processor) },
  ]
}

const chargeOf = async ({ db }: Shop, { params }: PageRequest): Promise<TestCharge | undefined> => {
  const id = params['payment'] ?? ''
  return uuidForm.test(id) ? db.transaction((tx) => findCharge(tx, id)) : undefined
}

async function decide(asked: PageRequest, shop: Shop, processor: PaymentProcessor): Promise<PageReply> {
  const charge = await chargeOf(shop, asked)
  if (charge?.status !== 'pending') return closedPage(asked)
  const isApproved = asked.form['decision'] !== 'decline'
  if (isApproved && asked.form['code']?.trim() !== smsCode) return askPage(asked, charge, 'wrong code')
  const { paymentId } = charge
  const callback = await shop.db.transaction((tx) => decideCharge(tx, { paymentId, isApproved }))
  if (!callback) return closedPage(asked)
  const { tasks } = await shop.db.transaction((tx) => handleCallback(tx, testAcquirerName, callback))
  await processor.perform(tasks)
  const to = returnPath(asked)
  return to === undefined ? closedPage(asked) : redirectTo(to)
}

const redirectTo = (location: string): PageReply => ({
  status: 303,
  type: 'text/plain; charset=utf-8',
  body: '',
  headers: { location, 'cache-control': 'no-store' },
})

const queryOf = ({ request }: PageRequest): Record<string, unknown> =>
  request.query as Record<string, unknown>

/** The page to return to: a path of this server, never another site. */
function returnPath(asked: PageRequest): string | undefined {
  const { origin } = asked.request.state
  const sent = String(asked.form['return'] ?? queryOf(asked)['return'] ?? '')
  const url = URL.parse(sent, origin)
  return sent.startsWith('/') && url?.origin === origin ? url.pathname + url.search : undefined
}

const languageOf = (asked: PageRequest): Language =>
  languages.find((it) => it === (asked.form['lang'] ?? queryOf(asked)['lang'])) ??
  asked.request.state.preferences.language

function frameOf(asked: PageRequest) {
  const to = returnPath(asked)
  const query = to === undefined ? '' : `?${new URLSearchParams({ return: to })}`
  const here = testBankPath(asked.params['payment'] ?? '') + query
  return { language: languageOf(asked), environment: 'test' as const, here }
}

const grouped = (sums: number): string =>
  Math.round(sums)
    .toString()
    .replace(/\B(?=(\d{3})+$)/g, '\u00a0')

function askPage(asked: PageRequest, { amountTiyin }: TestCharge, problem?: 'wrong code'): PageReply {
  const isWrong = problem !== undefined
  const frame = frameOf(asked)
  const words = texts[frame.language]
  const content = html`<p class="lead">${words.ask(grouped(inSums(amountTiyin)))}</p>
    <form method="post" action="${testBankPath(asked.params['payment']!)}">
      <input type="hidden" name="lang" value="${frame.language}" />
      <input type="hidden" name="return" value="${returnPath(asked) ?? ''}" />
      <div class="field">
        <label for="code">${words.code}</label>
        <input
          id="code"
          name="code"
          inputmode="numeric"
          autocomplete="one-time-code"
          maxlength="8"
          autofocus
          aria-describedby="hint"
          ${isWrong && html`aria-invalid="true"`}
        />
        ${isWrong && html`<p class="wrong" role="alert">${words.wrong}</p>`}
        <p class="hint" id="hint">${words.hint(smsCode)}</p>
      </div>
      <div class="pair">
        <button name="decision" value="approve">${words.approve}</button>
        <button class="quiet" name="decision" value="decline">${words.decline}</button>
      </div>
    </form>`
  return page({ ...frame, ...(isWrong && { status: 422 }) }, words.title, content)
}

function closedPage(asked: PageRequest): PageReply {
  const frame = frameOf(asked)
  const words = texts[frame.language]
  const to = returnPath(asked)
  const link: Html | false = to !== undefined && html`<p class="other"><a href="${to}">${words.back}</a></p>`
  return page(
    frame,
    words.closed,
    html`<p class="lead">${words.closedText}</p>
      ${link}`,
  )
}

interface Texts {
  title: string
  ask(amount: string): string
  code: string
  hint(code: string): string
  wrong: string
  approve: string
  decline: string
  closed: string
  closedText: string
  back: string
}

const texts: Record<Language, Texts> = {
  ru: {
    title: 'Подтвердите платёж',
    ask: (amount) => `Магазин Bozor просит списать ${amount}\u00a0сум с вашей карты.`,
    code: 'Код из SMS',
    hint: (code) => `Это учебный банк: SMS не приходит, код всегда ${code}.`,
    wrong: 'Код неверный. Проверьте его и введите ещё раз.',
    approve: 'Подтвердить',
    decline: 'Отказаться',
    closed: 'Этот платёж больше не ждёт ответа',
    closedText: 'Он уже подтверждён или отклонён. Результат виден на странице заказа.',
    back: 'Вернуться в магазин',
  },
  uz: {
    title: 'To‘lovni tasdiqlang',
    ask: (amount) => `Bozor do‘koni kartangizdan ${amount}\u00a0so‘m yechishni so‘ramoqda.`,
    code: 'SMS kodi',
    hint: (code) => `Bu sinov banki: SMS kelmaydi, kod har doim ${code}.`,
    wrong: 'Kod noto‘g‘ri. Tekshirib, qayta kiriting.',
    approve: 'Tasdiqlash',
    decline: 'Rad etish',
    closed: 'Bu to‘lov endi javob kutmayapti',
    closedText: 'U allaqachon tasdiqlangan yoki rad etilgan. Natija buyurtma sahifasida ko‘rinadi.',
    back: 'Do‘konga qaytish',
  },
  en: {
    title: 'Approve the payment',
    ask: (amount) => `The shop Bozor asks to charge ${amount}\u00a0sum to your card.`,
    code: 'Code from the SMS',
    hint: (code) => `This is a test bank: no SMS is sent, the code is always ${code}.`,
    wrong: 'The code is wrong. Check it and type it again.',
    approve: 'Approve',
    decline: 'Decline',
    closed: 'This payment is not waiting any more',
    closedText: 'It was approved or declined already. The order page shows the outcome.',
    back: 'Back to the shop',
  },
}
