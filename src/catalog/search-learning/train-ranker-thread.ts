// The thread that trains the search ranker.

import { parentPort, workerData } from 'node:worker_threads'
import { trainTrees, type TrainData } from '../../ml/trees/train.ts'
import { writtenModel } from '../../ml/trees/write-model.ts'

/** Few and shallow trees: they must order a page within a millisecond, and there may be little to learn from. */
const treeOptions = { loss: 'QueryRMSE', iterations: 120, learningRate: 0.08, depth: 4, l2: 10 } as const

parentPort!.postMessage(writtenModel(trainTrees(workerData as TrainData, treeOptions).model))
