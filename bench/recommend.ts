// Cost of a recommendation in a large shop: 40 000 offers, a million interactions, 200 candidates, 500 trees of depth 6, all
// rules on, over loopback HTTP; and the cost of training. BENCH_DATA_DIR keeps the shop for the next run.

import { systemClock } from '../src/base/clock.ts'
import { Database } from '../src/base/database.ts'
import { excludedItems } from '../src/recommendations/serving/candidates.ts'
import { featureNames } from '../src/recommendations/serving/features.ts'
import type { ModelQuery } from '../src/recommendations/serving/model-query.ts'
import { profileOf, type ItemInteraction } from '../src/recommendations/serving/buyer-profile.ts'
import { parseModelFile } from '../src/recommendations/models/model-file.ts'
import { seededNormal } from '../src/ml/random.ts'
import { trainTrees } from '../src/ml/trees/train.ts'
import { writtenModel } from '../src/ml/trees/write-model.ts'
import { type ServingModel, prepareModel } from '../src/recommendations/models/active-model.ts'
import * as store from '../src/recommendations/models/store.ts'
import { activeBuyers, fillBusyShop, pageRequest } from './busy-shop.ts'
import { commandOf, cpuSeconds, family, residentMegabytes, waitSeconds } from './cpu.ts'
import { fillOnce, inDataFolder } from './data-folder.ts'
import { type Load, type LoadResult, load } from './load.ts'
import { databaseHost, databasePid, seconds } from './measure.ts'
import { type Ours, startOurs, stop } from './ours.ts'
import { measureCalls } from './recommend-calls.ts'
import type { Row } from './row.ts'

export function bench(): Promise<Row[]> {
  return inDataFolder(async (dataDir) => {
    await fillOnce(dataDir, 'busy-shop', (host) => fillBusyShop(host, Date.now()))
    const ours = await startOurs(dataDir)
    try {
      return await measureAll({ ...ours, dataDir })
    } finally {
      await stop(ours.child)
    }
  })
}

type Shop = Ours & { dataDir: string }

async function measureAll(shop: Shop): Promise<Row[]> {
  const training = (await newestModel(shop)) ? [] : await learning(shop)
  await upload(shop)
  const serving = await calls(shop)
  const memory = {
    name: 'recommend: server memory at this size',
    ours: residentMegabytes(shop.child.pid!),
    unit: 'MB',
    bar: '≤ 1 500',
  }
  return [...training, ...serving, memory, ...(await ranking(shop)), ...(await learningBeside(shop))]
}

async function calls(shop: Shop): Promise<Row[]> {
  const pids = () => [shop.child.pid!, ...family(databasePid(shop.dataDir))]
  const first = await measureOnce(shop, pageRequest)
  const { ours, floor, bytes } = await measureCalls(shop.url, pids, pageRequest)
  const steady = await steadily(shop)
  return [
    {
      name: 'recommend: whole calls of one core’s time, server and database',
      ours: 1_000 / ours.cpuMs,
      unit: 'calls/s',
      floor: 1_000 / floor.cpuMs,
      bar: '≥ 1 000, aim 2 000',
      note: `by CPU; ${bytes} bytes a reply; floor: bare Fastify`,
    },
    {
      name: 'recommend: whole calls by the clock, one after the other on two lines',
      ours: ours.perSecond,
      unit: 'calls/s',
      floor: floor.perSecond,
      note: `p50 ${ours.p50Ms.toFixed(2)}, p90 ${ours.p90Ms.toFixed(2)}, p99 ${ours.p99Ms.toFixed(2)} ms; floor: bare Fastify`,
    },
    ...steady,
    {
      name: 'recommend: a whole call, CPU of server and database',
      ours: ours.cpuMs,
      unit: 'ms',
      floor: floor.cpuMs,
      bar: '≤ 1, aim 0.5',
    },
    {
      name: 'recommend: the first call of a buyer, CPU of server and database',
      ours: first.cpuMs,
      unit: 'ms',
      note: 'reads the history and the cart of the buyer',
    },
  ]
}

const paces = [250, 500, 1_000]

/** At a fixed rate; the latency of a call counts from its scheduled time. */
async function steadily({ url }: Ours): Promise<Row[]> {
  const rows: Row[] = []
  for (const perSecond of paces) {
    const call = { url, connections: 16, request: pageRequest, expect: 200, perSecond, seconds }
    const { p50Ms, p90Ms, p99Ms, perSecond: reached } = await load(call)
    rows.push({
      name: `recommend: p99 at ${perSecond} calls/s`,
      ours: p99Ms,
      unit: 'ms',
      bar: '≤ 10',
      note: `p50 ${p50Ms.toFixed(2)}, p90 ${p90Ms.toFixed(2)} (≤ 3.5); ${reached.toFixed(0)} calls/s were answered`,
    })
  }
  return rows
}

/** One call per active buyer with a cold cache. */
async function measureOnce(shop: Shop, request: (number: number) => string): Promise<{ cpuMs: number }> {
  const pids = [shop.child.pid!, ...family(databasePid(shop.dataDir))]
  const before = cpuSeconds(pids)
  const { requests } = await load({
    url: shop.url,
    connections: 2,
    seconds: 600,
    most: activeBuyers,
    request,
    expect: 200,
  })
  return { cpuMs: (1000 * (cpuSeconds(pids) - before)) / requests }
}

/** A ranker of five hundred trees of depth six over all features: its scores are noise, its cost is real. */
async function upload({ url, key }: Ours): Promise<void> {
  const normal = seededNormal(5)
  const rows = 4_000
  const floats = featureNames.map(() => Float32Array.from({ length: rows }, () => Math.abs(normal())))
  const labels = Float64Array.from({ length: rows }, (_, row) => floats[0]![row]! + normal())
  const { model } = trainTrees(
    { columns: { rows, floats, categories: [] }, labels, floatNames: [...featureNames] },
    { loss: 'RMSE', iterations: 500, depth: 6, seed: 1 },
  )
  const reply = await fetch(`${url}/v1/recommendations/models`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: writtenModel(model),
  })
  if (!reply.ok) throw new Error(await reply.text())
}

const withDatabase = async <T>({ dataDir }: Shop, work: (db: Database) => Promise<T>): Promise<T> => {
  const connection = { host: databaseHost(dataDir), user: 'bozor', database: 'bozor' }
  const db = new Database({ connection, environment: 'live', clock: systemClock(), poolSize: 2 })
  try {
    return await work(db)
  } finally {
    await db.close()
  }
}

const newestModel = (shop: Shop) => withDatabase(shop, async (db) => (await store.listModels(db.read()))[0])

/** The ranker's part alone: features of a hundred candidates, and their scores. */
async function ranking(shop: Shop): Promise<Row[]> {
  const serving = await withDatabase(shop, async (db) => {
    const active = await store.findActive(db.read())
    return prepareModel(active!.id, parseModelFile(await store.readBytes(db.read(), active!.id)))
  })
  const queries = Array.from({ length: 200 }, (_, number) => queryFor(serving, number))
  const proposed = queries.map((it) =>
    serving.propose(it, { limit: 100, out: excludedItems(serving.model, it) }),
  )
  const rank = () =>
    queries.forEach((it, at) =>
      serving.ranker!.scores(serving.describe(it, proposed[at]!, serving.columns), 100),
    )
  for (let time = 0; time < 5; time++) rank()
  const before = process.cpuUsage()
  for (let time = 0; time < 5; time++) rank()
  const { user, system } = process.cpuUsage(before)
  return [
    {
      name: 'recommend: rank 100 offers by 500 trees of depth 6',
      ours: (user + system) / 1000 / (5 * queries.length),
      unit: 'ms CPU',
      bar: '≤ 1',
      note: 'features and scores',
    },
  ]
}

function queryFor({ model }: ServingModel, number: number): ModelQuery {
  const day = model.until.getTime() / 86_400_000
  const steps = Array.from({ length: 50 }, (_, at): ItemInteraction => {
    const item = (number * 131 + at * 17) % model.items.count
    return { item, kind: 'view', day: day - (50 - at) }
  })
  return { layer: 'main_page', profile: profileOf(model.items, steps), context: [], day, place: null }
}

interface Learnt {
  seconds: number
  cpuSeconds: number
  peakMegabytes: number
  note: string
}

/** Starts a training through the API and waits for its end. */
async function learn({ url, key, child }: Shop): Promise<Learnt> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` }
  const began = performance.now()
  const before = await lastTraining(url, headers)
  await fetch(`${url}/v1/recommendations/trainings`, { method: 'POST', headers, body: '{}' })
  let [cpu, peak] = [0, 0]
  for (;;) {
    await new Promise((done) => setTimeout(done, 250))
    const pupils = family(child.pid!).filter((it) => commandOf(it).includes('training-process'))
    cpu = Math.max(cpu, cpuSeconds(pupils))
    for (const pid of pupils) peak = Math.max(peak, residentMegabytes(pid))
    const last = await lastTraining(url, headers)
    if (!last || last.id === before?.id || last.outcome === 'running') continue
    return {
      seconds: (performance.now() - began) / 1000,
      cpuSeconds: cpu,
      peakMegabytes: peak,
      note: `${last.outcome}: ${last.note}`,
    }
  }
}

async function lastTraining(url: string, headers: Record<string, string>) {
  const reply = await fetch(`${url}/v1/recommendations/trainings`, { headers })
  const { data } = (await reply.json()) as {
    data: { trainings: { id: string; outcome: string; note: string }[] }
  }
  return data.trainings[0]
}

const learning = async (shop: Shop): Promise<Row[]> => rowsOf('learn', await learn(shop))

/** Trains while pages are requested at a moderate rate, and measures the effect on latency. */
async function learningBeside(shop: Shop): Promise<Row[]> {
  const call = { url: shop.url, connections: 16, request: pageRequest, expect: 200 }
  const { perSecond: most } = await load({ ...call, seconds })
  const perSecond = Math.min(200, Math.round(most / 4))
  const steady = { ...call, perSecond }
  const alone = await loadAndWait(shop, { ...steady, seconds })
  let ended = false
  const [learnt, beside] = await Promise.all([
    learn(shop).finally(() => (ended = true)),
    loadAndWait(shop, { ...steady, seconds: 1_200, until: () => ended }),
  ])
  return [
    ...rowsOf(`learn again, while ${perSecond} calls/s are answered`, learnt),
    {
      name: 'recommend: p99 while it learns',
      ours: beside.p99Ms,
      unit: 'ms',
      floor: alone.p99Ms,
      bar: 'at most doubled',
      note: `${perSecond} calls/s; p90 ${beside.p90Ms.toFixed(2)} against ${alone.p90Ms.toFixed(2)}; of a second the server waits ${beside.waitMs.toFixed(0)} ms for a processor, ${alone.waitMs.toFixed(0)} without learning; the floor is the same without learning`,
    },
  ]
}

/** Also tells how many milliseconds of a second the server waits for a processor. */
async function loadAndWait({ child }: Shop, call: Load): Promise<LoadResult & { waitMs: number }> {
  const [began, before] = [performance.now(), waitSeconds(child.pid!)]
  const result = await load(call)
  return { ...result, waitMs: (1e6 * (waitSeconds(child.pid!) - before)) / (performance.now() - began) }
}

const rowsOf = (name: string, it: Learnt): Row[] => [
  {
    name: `recommend: ${name} from a million interactions`,
    ours: it.seconds,
    unit: 's',
    bar: '≤ 600',
    note: `${it.cpuSeconds.toFixed(0)} CPU-s, ${it.peakMegabytes.toFixed(0)} MB at most; ${it.note}`,
  },
]
