// A sample campaign: a template in three languages, clients who consented to email, and a draft that sends nothing
// until a member starts it.

import type { Tx } from '../base/database.ts'
import {
  createCampaign,
  createTemplate,
  type CampaignConfig,
  setConsent,
  templatesBySlug,
  type Texts,
} from '../marketing/index.ts'

const slug = 'cart-left'
/** Clients 1 to this id consent to marketing email. */
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

/** Idempotent: does nothing if the template exists. */
export async function draftDemoCampaign(tx: Tx, house: CampaignConfig): Promise<void> {
  const known = await templatesBySlug(tx, [slug])
  if (known.some((it) => it.channel === 'email')) return
  const description = 'For clients with an abandoned cart'
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
      trigger: { cart_abandoned: { days: 3 } },
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
