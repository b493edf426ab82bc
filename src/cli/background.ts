// A command that the server runs in a child process with low priority.

import { spawn } from 'node:child_process'
import type { Log } from '../base/log.ts'

export interface BackgroundCommand {
  /** Stops the process; uncommitted work is rolled back. */
  stop(): Promise<void>
}

export function startInBackground(args: string[], log: Log): BackgroundCommand {
  const child = spawn(process.execPath, [...process.execArgv, process.argv[1]!, ...args], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  let stopping = false
  const ended = new Promise<void>((done) => {
    child.once('error', (error) => {
      log.warn('background command failed to start', { command: args.join(' '), error })
      done()
    })
    child.once('exit', (code, signal) => {
      if (!stopping)
        log[code === 0 ? 'info' : 'warn']('background command ended', {
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
