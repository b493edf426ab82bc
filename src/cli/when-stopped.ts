import type { CommandContext } from './command.ts'

/** Resolves when the user presses Ctrl-C, the process gets a signal to end, or the reader of the output has gone. */
export const whenStopped = ({ outputClosed }: Pick<CommandContext, 'outputClosed'>): Promise<void> =>
  new Promise((done) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => done())
    void outputClosed.then(done)
  })
