// A process that runs the test files that the runner names, one after another. Each file becomes one suite that contains
// the tests and hooks of the file: its tests start when it is imported, and its `after` runs before the next file starts.

import { suite } from 'node:test'
import { pathToFileURL } from 'node:url'

// The process ends when the runner closes the channel and nothing else keeps it alive.
process.on('message', (file: string) => {
  suite(file, async () => void (await import(pathToFileURL(file).href)))
})
