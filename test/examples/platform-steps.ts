import { deadLetters } from '../../src/base/outbox.ts'
import { eventually } from './recorder.ts'
import type { Steps } from './steps.ts'

export async function platformSteps(steps: Steps): Promise<void> {
  await webhookSteps(steps)
  await streamSteps(steps)
  const { bozor } = steps
  await bozor.integrationEvents.receive({
    specversion: '1.0',
    id: 'erp-90021',
    source: '/erp',
    type: 'OfferQuantityChanged',
    time: (await bozor.testClock.get()).clock.now,
    data: { OfferId: 1, NewQuantity: 25 },
  })
  const call = await eventually('a logged call', async () => {
    const { items } = await bozor.requestLog.list({ per_page: 2 })
    if (!items[0]) throw new Error('none yet')
    return items[0]
  })
  await bozor.requestLog.get({ call_id: call.id })
  await bozor.jobs.list()
  await bozor.jobs.run({ name: 'housekeeping' })
  await bozor.jobs.listRuns({ name: 'housekeeping' })
  await bozor.health.get()
  await bozor.shop.get()
  await bozor.shop.update({ name: 'Bozor', colour: '#0f766e' })
  await bozor.carts.list({ per_page: 2 })
  await bozor.search.getLearning()
  await bozor.search.updateLearning({ enabled: true })
  await bozor.testClock.get()
  await bozor.testClock.advance({ advance: 'PT1M' })
  await deadLetterSteps(steps)
  await bozor.testClock.reset()
}

/** A reaction of the recording fails for every brand; after five attempts the event is a dead letter. */
async function deadLetterSteps({ bozor, recorder, apiKey, app }: Steps): Promise<void> {
  const { db } = app.shops.test
  await eventually(
    'a dead letter',
    async () => {
      await recorder.client({ apiKey }).testClock.advance({ advance: 'PT10M' })
      if ((await deadLetters(db.read())).length === 0) throw new Error('none yet')
    },
    300_000,
  )
  const [letter] = (await bozor.deadLetters.list()).dead_letters
  await bozor.deadLetters.retry({ sequence: Number(letter!.sequence), reaction: letter!.reaction })
}

/** The stream is open before an event is published. */
async function streamSteps({ bozor }: Steps): Promise<void> {
  const stop = new AbortController()
  const { id } = (await bozor.brands.list({ per_page: 1 })).items[0]!
  let names = 0
  const publish = setInterval(() => void bozor.brands.update({ brand_id: id, name: `Artel ${++names}` }), 500)
  for await (const event of bozor.events.stream({ type: 'Brand*', signal: stop.signal }))
    if (event.type) break
  clearInterval(publish)
  stop.abort()
}

async function webhookSteps({ bozor, receiverUrl }: Steps): Promise<void> {
  const { webhook } = await bozor.webhooks.create({ url: receiverUrl, filters: ['Order*', 'catalog.Brand*'] })
  const id = { webhook_id: webhook.id }
  await bozor.webhooks.list({ per_page: 2 })
  await bozor.webhooks.get(id)
  await bozor.webhooks.update({ ...id, description: 'Accounting' })
  await bozor.webhooks.ping(id)
  const delivery = await eventually('a delivery', async () => {
    const { items } = await bozor.webhooks.listDeliveries(id)
    if (items[0]?.status !== 'succeeded') throw new Error(JSON.stringify(items))
    return items[0]
  })
  await bozor.webhooks.getDelivery({ ...id, delivery_id: delivery.id })
  await bozor.webhooks.redeliverDelivery({ ...id, delivery_id: delivery.id })
  const { brand } = await bozor.brands.create({ slug: 'a-brand-for-events', name: 'Brand' })
  const events = await eventually('the event of the brand', async () => {
    const { items } = await bozor.events.list({ type: 'BrandCreated', subject: `brand/${brand.id}` })
    if (!items[0]) throw new Error('none yet')
    return items
  })
  await bozor.events.get({ event_id: events[0]!.id })
  const from = new Date(Date.parse(events[0]!.time) - 60_000).toISOString()
  await bozor.webhooks.redeliver({ ...id, from, to: events[0]!.time })
  await bozor.webhooks.rotateSecret({ ...id, overlap_hours: 24 })
  await bozor.webhooks.disable(id)
  await bozor.webhooks.enable(id)
  await bozor.webhooks.delete(id)
}
