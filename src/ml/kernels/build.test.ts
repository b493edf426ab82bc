import assert from 'node:assert/strict'
import { test } from 'node:test'
import { kernelNames, staleKernels } from './build.ts'

test('every committed kernel is what its source compiles to', () => {
  assert.ok(kernelNames(import.meta.dirname).length > 0)
  assert.deepEqual(staleKernels(import.meta.dirname), [])
})
