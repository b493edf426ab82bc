// Where a runtime lacks an instruction that a kernel uses, the plain implementation gives the same results, slower.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkerboard } from './retrieval/contract.ts'
import { easeGraph } from './retrieval/ease.ts'
import { folding, ialsModel } from './retrieval/ials.ts'
import { dotsWith } from './retrieval/factor-index.ts'
import { cooccurrenceOf } from './retrieval/cooccurrence.ts'
import { ridgeGraph } from './retrieval/ridge.ts'
import { binaryRows } from './retrieval/sparse.ts'
import { wasmApi } from './kernels/load.ts'
import { createEvaluator } from './trees/apply-kernel.ts'
import { sampleData } from './trees/sample-data.ts'
import { trainTrees } from './trees/train.ts'
import { writtenModel } from './trees/write-model.ts'

const boardSide = 40
const rows = binaryRows(checkerboard(boardSide), boardSide)

/** Runs with a WebAssembly API that rejects every kernel, as an older runtime does. */
async function withoutKernels<T>(work: () => Promise<T>): Promise<T> {
  const api = wasmApi()
  const { validate } = api
  api.validate = () => false
  try {
    return await work()
  } finally {
    api.validate = validate
  }
}

async function fitted() {
  const options = { factors: 8, epochs: 3, unobserved: 0.1, regularisation: 0.01, scaling: 1 }
  const ials = await ialsModel(rows, { ...options, seed: 1, threads: 2 })
  return {
    ease: (await easeGraph(rows, { lambda: 5, damping: 0, keep: 10, threads: 2 })).values,
    ridge: (await ridgeGraph(cooccurrenceOf(rows, 0), { lambda: 5, support: 10, threads: 2 })).values,
    ials: ials.items,
    folded: folding(ials)(Int32Array.of(1, 3, 5)),
    scanned: dotsWith(ials.items, 8)(ials.users.slice(0, 8), 0, ials.items.length / 8).slice(),
  }
}

test('candidates come out the same without the kernels, within 1e-3', async () => {
  const fast = await fitted()
  const plain = await withoutKernels(fitted)
  for (const part of Object.keys(fast) as (keyof typeof fast)[]) {
    assert.equal(fast[part].length, plain[part].length)
    fast[part].forEach((value, at) => assert.ok(Math.abs(value - plain[part][at]!) < 1e-3, part))
  }
})

test('trees are grown and applied to the same bytes without the kernels', async () => {
  const data = sampleData(300, 1)
  const grown = async () => {
    const { model } = trainTrees(data, { loss: 'Logloss', iterations: 10, depth: 4 })
    const evaluator = createEvaluator(model)
    return { kind: evaluator.kind, text: writtenModel(model), values: evaluator.values(data.columns) }
  }
  const fast = await grown()
  const plain = await withoutKernels(grown)
  assert.deepEqual([fast.kind, plain.kind], ['simd', 'plain'])
  assert.equal(plain.text, fast.text)
  assert.deepEqual(plain.values, fast.values)
})
