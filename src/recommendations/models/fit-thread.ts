// The worker thread of `fitOnThread`.

import { parentPort, workerData } from 'node:worker_threads'
import { beforeDay, fitParts } from './fit-parts.ts'
import type { FitOrder } from './fit-on-thread.ts'
import { Histories } from './histories.ts'

const { data, parts, days } = workerData as FitOrder
const shared = { ...data, buyers: new Histories(data.buyers) }
for (const day of days)
  parentPort!.postMessage(await fitParts(beforeDay(shared, day), { ...parts, threads: 1 }))
