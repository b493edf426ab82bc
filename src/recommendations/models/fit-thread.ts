// The worker thread of `fitOnThread`.

import { parentPort, workerData } from 'node:worker_threads'
import { beforeDay, fitParts } from './fit-parts.ts'
import type { FitOrder } from './fit-on-thread.ts'

const { snapshot, parts, days } = workerData as FitOrder
for (const day of days)
  parentPort!.postMessage(await fitParts(beforeDay(snapshot, day), { ...parts, threads: 1 }))
