// A campaign to look at: its template in three languages, some buyers who agreed to mails, and a draft that writes to
// nobody until somebody starts it.

import type { Tx } from '../base/db.ts'
import {
  createCampaign,
  createTemplate,
  type House,
  setConsent,
  templatesBySlug,
  type Texts,
} from '../marketing/index.ts'

const slug = 'cart-left'
/** Clients 1 … so many let the shop write to them. */
const agreeing = 60

const body = (title: string, button: string) =>
  `<h1>${title}</h1><table>{{#cart.lines}}<tr><td><a href="{{url}}">{{name}}</a></td><td>{{quantity}}</td><td>{{amount}}</td></tr>{{/cart.lines}}</table><p><b>{{cart.total}}</b></p><p><a href="{{cart.url}}">${button}</a></p>`
const lines = '{{#cart.lines}}— {{name}}, {{quantity}}: {{amount}}\n{{/cart.lines}}'

const texts: Texts = {
  ru: {
    subject: '{{client.name}}, в вашей корзине кое-что осталось',
    text: `Вы отложили:\n${lines}Итого: {{cart.total}}\n{{cart.url}}\n\nБольше не писать: {{unsubscribe.url}}`,
    html: body('Ваша корзина ждёт', 'Открыть корзину'),
  },
  uz: {
    subject: '{{client.name}}, savatingiz sizni kutmoqda',
    text: `Siz tanlagan mahsulotlar:\n${lines}Jami: {{cart.total}}\n{{cart.url}}\n\nBoshqa yozmang: {{unsubscribe.url}}`,
    html: body('Savatingiz sizni kutmoqda', 'Savatni ochish'),
  },
  en: {
    subject: '{{client.name}}, something is waiting in your cart',
    text: `You put aside:\n${lines}Total: {{cart.total}}\n{{cart.url}}\n\nUnsubscribe: {{unsubscribe.url}}`,
    html: body('Your cart is waiting', 'Open the cart'),
  },
}

/** Adds it unless its template is there already; loading twice changes nothing. */
export async function draftDemoCampaign(tx: Tx, house: House): Promise<void> {
  const known = await templatesBySlug(tx, [slug])
  if (known.some((it) => it.channel === 'email')) return
  const description = 'For whoever has left his cart'
  await createTemplate(tx, { slug, channel: 'email', description, isActive: true, texts })
  for (let clientId = 1; clientId <= agreeing; clientId++)
    await setConsent(tx, {
      holder: `client/${clientId}`,
      clientId,
      channel: 'email',
      isGranted: true,
      source: 'demo',
    })
  await createCampaign(
    tx,
    {
      name: 'Carts left for three days',
      channel: 'email',
      template: slug,
      variables: {},
      audience: [{ not: { ordered: { times: 1, days: 3 } } }],
      when: { cart_abandoned: { days: 3 } },
      quietHours: null,
      repeatDays: 7,
      holdoutPercent: 10,
      budgetMessages: 10_000,
      budgetTiyin: null,
      priceTiyin: 0,
      attributionDays: 7,
      endsAt: null,
    },
    house,
  )
}
