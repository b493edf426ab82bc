// A task in a child process of low priority, so that serving does not wait for it. The child receives one task, may send
// notes, and ends with a result or a failure. Tasks of one server take turns.

import { fork } from 'node:child_process'
import { lowerProcessPriority } from './process-priority.ts'
import type { TaskQueue } from './task-queue.ts'

type Message<Result, Note> = { note: Note } | { result: Result } | { failure: string }

/** The process ended without a result (killed, or out of memory), or its turn did not come before the server stopped. */
export class TaskProcessDied extends Error {}

interface TaskOptions<Note> {
  /** What the task does, for errors: `the training`. */
  name: string
  queue: TaskQueue
  signal?: AbortSignal | undefined
  onNote?: (note: Note) => void
}

/** Runs a module that calls `answerTask`, when its turn comes. When the signal is aborted, the process is killed. */
export async function runInProcess<Result, Note = never>(
  module: URL,
  task: object,
  options: TaskOptions<Note>,
): Promise<Result> {
  const { name, queue, signal } = options
  let hasBegun = false
  try {
    return await queue.run(() => {
      hasBegun = true
      return runChild<Result, Note>(module, task, options)
    }, signal)
  } catch (error) {
    throw hasBegun ? error : new TaskProcessDied(`${name} process was stopped before its turn`)
  }
}

function runChild<Result, Note>(
  module: URL,
  task: object,
  { name, signal, onNote }: TaskOptions<Note>,
): Promise<Result> {
  const child = fork(module, { serialization: 'advanced' })
  // The child lowers the priority of threads that it starts later.
  if (child.pid !== undefined) lowerProcessPriority(child.pid)
  const stop = () => child.kill('SIGKILL')
  if (signal?.aborted) stop()
  signal?.addEventListener('abort', stop)
  child.once('exit', () => signal?.removeEventListener('abort', stop))
  return new Promise((done, fail) => {
    child.on('message', (message: Message<Result, Note>) => {
      if ('note' in message) onNote?.(message.note)
      else if ('result' in message) done(message.result)
      else fail(new Error(message.failure))
    })
    child.once('error', fail)
    child.once('exit', (code, killedBy) =>
      fail(new TaskProcessDied(`${name} process ended by ${killedBy ?? `code ${code}`}`)),
    )
    child.send(task)
  })
}

/** In the child process: does the work for its one task. */
export function answerTask<Task, Result, Note = never>(
  work: (task: Task, sendNote: (note: Note) => void) => Promise<Result>,
): void {
  const send = (message: Message<Result, Note>) => void process.send!(message)
  process.once('message', (task: Task) => {
    lowerProcessPriority()
    work(task, (note) => send({ note }))
      .then((result) => send({ result }))
      .catch((error: unknown) => send({ failure: String(error) }))
      .finally(() => process.disconnect())
  })
  // The parent process is gone, so the outcome cannot be reported.
  process.once('disconnect', () => process.exit())
}
