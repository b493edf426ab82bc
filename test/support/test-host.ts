// A process that runs the test files that the runner names, one after another. Each file becomes one suite that contains
// the tests and hooks of the file: its tests start when it is imported, and its `after` runs before the next file starts.

import { resolve } from 'node:path'
import { suite } from 'node:test'
import { pathToFileURL } from 'node:url'

// The process ends when the runner closes the channel and nothing else keeps it alive.
process.on('message', (file: string) => {
  // As if the file had been started on its own.
  process.argv[1] = resolve(file)
  suite(file, async () => void (await import(pathToFileURL(file).href)))
})
