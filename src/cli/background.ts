// A command that a server runs beside itself; it is the command that yields to whoever else needs the machine.

import { spawn } from 'node:child_process'
import type { Log } from '../base/log.ts'

export interface InBackground {
  /** Ends it where it stands; what it has not committed has not happened. */
  stop(): Promise<void>
}

export function inBackground(args: string[], log: Log): InBackground {
  const child = spawn(process.execPath, [...process.execArgv, process.argv[1]!, ...args], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  let stopping = false
  const ended = new Promise<void>((done) => {
    child.once('error', (error) => {
      log.warn('a command could not be run in the background', { command: args.join(' '), error })
      done()
    })
    child.once('exit', (code, signal) => {
      if (!stopping)
        log[code === 0 ? 'info' : 'warn']('a command in the background ended', {
          command: args.join(' '),
          code,
          signal,
        })
      done()
    })
  })
  return {
    stop: () => {
      stopping = true
      child.kill('SIGTERM')
      return ended
    },
  }
}
