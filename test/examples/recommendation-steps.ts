import { trainTrees } from '../../src/ml/trees/train.ts'
import { writtenModel } from '../../src/ml/trees/write-model.ts'
import { eventually } from './recorder.ts'
import type { Steps } from './steps.ts'

export async function recommendationSteps(steps: Steps): Promise<void> {
  await listSteps(steps)
  await modelSteps(steps)
  await experimentSteps(steps)
  await offPolicySteps(steps)
  await steps.bozor.trainings.start()
  const { trainings } = await steps.bozor.trainings.list()
  await steps.bozor.trainings.get({ id: trainings.find((it) => it.outcome !== 'running')!.id })
}

async function listSteps({ bozor }: Steps): Promise<void> {
  const { items } = await bozor.offers.list({
    in_stock: true,
    is_active: true,
    is_visible: true,
    per_page: 2,
  })
  await bozor.suggestions.list({ q: 'smar', user_id: '7', limit: 5 })
  const offer_ids = [items[0]!.id]
  const buyer = { user_id: '7', from_app: 'android' }
  const list = await bozor.recommendations.forBuyer({ ...buyer, from_layer: 'offer_page', offer_ids })
  await bozor.interactions.report({
    interactions: [{ user_id: '7', offer_id: String(list.offers[0]!.offer_id), kind: 'view' }],
  })
  await bozor.recommendations.forBuyerV2({ ...buyer, from_layer: 'main_page' })
  await bozor.recommendations.forBuyerV1({ mobi_user_id: '7', phone: '+998901234567' })
  await bozor.recommendations.forMobile({ ...buyer, from_layer: 'main_page', device_os: 'Android 14' })
  const anyone = { from_app: 'android', user_id: '7' }
  await bozor.recommendations.collaborative({ ...anyone, from_layer: 'offer_page', offer_ids })
  await bozor.recommendations.collaborativeBackend({ ...anyone, from_layer: 'offer_page', offer_ids })
  await bozor.recommendations.v2Backend({ ...anyone, from_layer: 'cart_page', offer_ids })
  await bozor.recommendations.forCategory({ ...anyone, category_id: 1 })
  await bozor.recommendations.categoryBackend({ ...anyone, category_id: 1 })
  const { client } = await bozor.clients.get({ client_id: 7 })
  const web = { from_app: 'web', user_id: client.external_ids[0]! }
  await bozor.recommendations.forWeb({ ...web, from_layer: 'main_page' })
  await bozor.recommendations.forWebClient({ ...web, from_layer: 'offer_page', offer_ids })
  await bozor.recommendations.forMiniApp({ user_id: client.external_ids[0]!, from_layer: 'main_page' })
  await bozor.recommendations.listRecentlyViewed({ customer_id: '7', limit: 2 })
  await bozor.recommendations.explain({ user_id: '7', from_layer: 'main_page' })
  await bozor.recommendations.getMetrics()
}

async function modelSteps({ bozor }: Steps): Promise<void> {
  await bozor.models.list()
  const { items } = await bozor.products.list({ per_page: 2 })
  const lines = items.map(({ id }, at) =>
    JSON.stringify({ id: Number(id), neighbours: [{ id: Number(items[1 - at]!.id), score: 0.8 }] }),
  )
  await bozor.models.uploadRanker({ body: smallRanker() })
  const { model } = await bozor.models.importExternal({ body: `${lines.join('\n')}\n` })
  await bozor.models.deleteExternal()
  await bozor.models.activate({ id: model.id })
  await bozor.trainingData.getInteractionsCsv()
  await bozor.trainingData.getInteractionsNdjson()
  await bozor.trainingData.getFeaturesCsv({ days: 1 })
  await bozor.trainingData.getFeaturesNdjson({ days: 1 })
}

/** Two trees over one feature. Real rankers have megabytes. */
function smallRanker(): string {
  const rows = 40
  const floats = [Float32Array.from({ length: rows }, (_, row) => row)]
  const labels = Float64Array.from({ length: rows }, (_, row) => -row / rows)
  const { model } = trainTrees(
    { columns: { rows, floats, categories: [] }, labels, floatNames: ['blend_rank'] },
    { iterations: 2, depth: 1, loss: 'RMSE', seed: 1 },
  )
  return writtenModel(model)
}

/** Buyers click the first offer of their lists, of which half are in a random order. */
async function offPolicySteps({ bozor, app }: Steps): Promise<void> {
  const { experiment } = await bozor.experiments.create({
    slug: 'shuffled-lists',
    name: 'Shuffled lists on the main page',
    layers: ['main_page'],
    groups: [
      { name: 'control', share: 0.9, shuffled_share: 0.5 },
      { name: 'popular', share: 0.1, method: 'popular' },
    ],
  })
  const id = { experiment_id: experiment.id }
  await bozor.experiments.start(id)
  const buyers = 30
  const fewestLists = 15
  for (let at = 1; at <= buyers; at++) {
    const user_id = `visitor-${at}`
    let request_id = ''
    const { offers } = await bozor.recommendations.forBuyer(
      { user_id, from_app: 'android', from_layer: 'main_page' },
      { onHeaders: (headers) => void (request_id = headers.get('x-recommendation-id')!) },
    )
    const click = { user_id, offer_id: String(offers[0]!.offer_id), kind: 'click' as const, request_id }
    if (at % 3 === 0) await bozor.interactions.report({ interactions: [click] })
  }
  await eventually('logged lists', async () => {
    const { logged } = await app.shops.test.db
      .read()
      .one<{ logged: number }>(
        `select count(*)::int as logged from recommendations_lists where experiment_id = $1`,
        [Number(experiment.id)],
      )
    if (logged < fewestLists) throw new Error(`${logged} are logged`)
  })
  await bozor.experiments.getOffPolicy({ ...id, group: 'control', method: 'popular' })
  await bozor.experiments.stop(id)
}

async function experimentSteps({ bozor }: Steps): Promise<void> {
  const plan = {
    name: 'Collaborative filtering on the main page',
    layers: ['main_page' as const],
    groups: [
      { name: 'control', share: 0.5, method: 'ranker' as const },
      { name: 'cf', share: 0.5, method: 'cf' as const },
    ],
  }
  const { experiment } = await bozor.experiments.create({ slug: 'cf-on-main', ...plan })
  const id = { experiment_id: experiment.id }
  await bozor.experiments.list({ per_page: 2 })
  await bozor.experiments.get(id)
  await bozor.experiments.update({ ...id, name: 'CF on the main page' })
  await bozor.experiments.start(id)
  await bozor.experiments.getAssignment({ ...id, user_id: '7' })
  await bozor.experiments.getResults(id)
  await bozor.experiments.stop(id)
  const draft = await bozor.experiments.create({ slug: 'cf-on-cart', ...plan, layers: ['cart_page'] })
  await bozor.experiments.delete({ experiment_id: draft.experiment.id })
}
