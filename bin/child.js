// Handling of a child process.

import { existsSync } from 'node:fs'

/** Waits for a child and forwards the signals that are meant for both. */
export function ended(child) {
  const passOn = (signal) => child.kill(signal)
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
  for (const signal of signals) process.on(signal, passOn)
  return new Promise((resolve, reject) => {
    child.once('error', (error) => reject(unstartable(child.spawnfile, error)))
    child.once('exit', (code, signal) => resolve({ code, signal }))
  }).finally(() => {
    for (const signal of signals) process.off(signal, passOn)
  })
}

/** On a Linux without glibc, the missing loader is reported as a missing program. */
function unstartable(file, error) {
  if (error.code !== 'ENOENT' || !existsSync(file)) return new Error(`cannot run ${file}: ${error.message}`)
  return new Error(
    `${file} does not run on this system, which seems to lack glibc (Alpine does). ` +
      `Start with a Node 24 made for this system, or use another base system.`,
  )
}
