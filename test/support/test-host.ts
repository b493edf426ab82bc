// A process that runs the test files that the runner names, one after another. Each file becomes one test that contains
// the tests and hooks of the file, so an `after` of a file runs before the next file starts.

import { test } from 'node:test'
import { pathToFileURL } from 'node:url'

// The process ends when the runner closes the channel and nothing else keeps it alive.
process.on('message', (file: string) => {
  void test(file, async () => void (await import(pathToFileURL(file).href)))
})
