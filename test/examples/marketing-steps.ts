import { dayMs } from '../../src/base/clock.ts'
import { registerApplication } from '../../src/identity/index.ts'
import { eventually } from './recorder.ts'
import type { Steps } from './steps.ts'

export async function marketingSteps(steps: Steps): Promise<void> {
  await templateSteps(steps)
  await campaignSteps(steps)
  await notificationSteps(steps)
  await heldSteps(steps)
}

const texts = {
  ru: { subject: 'Заказ готов', text: 'Код получения: {{custom.code}}' },
  uz: { subject: 'Buyurtma tayyor', text: 'Olish kodi: {{custom.code}}' },
  en: { subject: 'Your order is ready', text: 'Pick-up code: {{custom.code}}' },
}

async function templateSteps({ bozor }: Steps): Promise<void> {
  const { template } = await bozor.templates.create({ slug: 'order-ready', channel: 'email', texts })
  const id = { template_id: template.id }
  const { items } = await bozor.templates.list({ channel: 'email' })
  const ofDemo = { template_id: items.find((it) => it.slug === 'cart-left')!.id }
  await bozor.templates.get(ofDemo)
  await bozor.templates.update({ ...id, description: 'For pick-up points' })
  await bozor.templates.listVersions(ofDemo)
  await bozor.templates.preview({ ...id, language: 'en', variables: { custom: { code: '4071' } } })
  await bozor.templateVariables.list()
  const draft = await bozor.templates.create({ slug: 'order-late', channel: 'email', texts })
  await bozor.templates.delete({ template_id: draft.template.id })
}

async function campaignSteps({ bozor }: Steps): Promise<void> {
  const { campaign } = await bozor.campaigns.create({
    name: 'Carts left for a day',
    channel: 'email',
    template: 'cart-left',
    when: { cart_abandoned: { days: 1 } },
    audience: [{ language: { is: ['ru', 'uz'] } }, { not: { ordered: { times: 1, days: 3 } } }],
    holdout_percent: 10,
  })
  const id = { campaign_id: campaign.id }
  await bozor.campaigns.preview({
    channel: 'email',
    template: 'cart-left',
    when: { cart_abandoned: { days: 1 } },
    audience: [{ language: { is: ['ru', 'uz'] } }],
  })
  const { items } = await bozor.campaigns.list({})
  const ofDemo = { campaign_id: items.find((it) => it.id !== campaign.id)!.id }
  await bozor.campaigns.get(ofDemo)
  await bozor.campaigns.update({ ...id, holdout_percent: 20 })
  await bozor.campaigns.getPreview(ofDemo)
  await bozor.campaigns.start(id)
  await bozor.campaigns.pause(id)
  await bozor.campaigns.resume(id)
  await bozor.campaigns.getResults(ofDemo)
  await bozor.campaigns.finish(id)
  const now = Date.parse((await bozor.testClock.get()).clock.now)
  const draft = await bozor.campaigns.create({
    name: 'New Year',
    channel: 'email',
    template: 'order-ready',
    variables: { code: '7' },
    when: { at: new Date(now + 30 * dayMs).toISOString() },
  })
  await bozor.campaigns.delete({ campaign_id: draft.campaign.id })
  await bozor.campaignRules.get()
  await bozor.campaignRules.update({ messages_per_week: 3 })
}

/** Live has no provider of messages here, so a message is held until a member configures one and retries. */
async function heldSteps({ app, recorder }: Steps): Promise<void> {
  const application = { name: 'Messages', type: 'server' as const, redirectUrls: [], rateLimit: null }
  const { apiKey } = await app.shops.live.db.transaction((tx) =>
    registerApplication(tx, { ...application, scopes: ['marketing:read', 'marketing:write'] }, null),
  )
  const live = recorder.client({ apiKey })
  const { template } = await live.templates.create({ slug: 'order-ready', channel: 'email', texts })
  const { notification } = await live.notifications.create({
    address: 'malika@mail.uz',
    channel: 'email',
    template: template.slug,
    language: 'en',
    variables: { custom: { code: '4071' } },
  })
  await eventually('a notification that is held', () =>
    live.notifications.retry({ notification_id: notification.id }),
  )
}

async function notificationSteps({ bozor }: Steps): Promise<void> {
  const send = () =>
    bozor.notifications.create({
      address: 'malika@mail.uz',
      channel: 'email',
      template: 'order-ready',
      language: 'en',
      variables: { custom: { code: '4071' } },
    })
  const { notification } = await send()
  const id = { notification_id: notification.id }
  await bozor.notifications.list({ per_page: 2, channel: 'email' })
  await bozor.notifications.get(id)
  await eventually('a notification that can be cancelled', async () => {
    const { notification: waiting } = await send()
    return bozor.notifications.cancel({ notification_id: waiting.id })
  })
  await eventually('a sent notification', () => bozor.notifications.markDelivered(id))

  await bozor.consents.set({
    consents: [{ client_id: '7', channel: 'email', granted: true, source: 'checkout' }],
  })
  const { items } = await bozor.consents.list({ per_page: 2 })
  await bozor.consents.get({ consent_id: items[0]!.id })
}
