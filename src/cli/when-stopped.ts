/** Resolves when the user presses Ctrl-C or the process gets a signal to end. */
export const whenStopped = (): Promise<void> =>
  new Promise((done) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => done())
  })
