// stdout of commands. Its reader may go away early, like `head`: that is the end of the output and no error.

export interface Output {
  /** Prints a line until the reader has gone. */
  print(text: string): void
  /** Resolves when a line could not be printed because the reader has gone. */
  closed: Promise<void>
}

export function openOutput(): Output {
  const { promise: closed, resolve } = Promise.withResolvers<void>()
  let isClosed = false
  // Without this a closed pipe would be an uncaught exception.
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error
      if (stream !== process.stdout) return
      isClosed = true
      resolve()
    })
  return {
    print: (text) => {
      if (!isClosed) process.stdout.write(`${text}\n`)
    },
    closed,
  }
}
