// While the server runs, the archived log moves into the bucket.

import type { Log } from '../log.ts'
import { type BucketArchive, moveSegments } from './bucket-archive.ts'

const everyMs = 5_000

export interface MovingLog {
  /** Moves what is left. Call it when PostgreSQL has ended: it archives its last segment then. */
  stop(): Promise<void>
}

/** A bucket that does not reply costs one warning: segments wait in the folder, and the next turn tries again. */
export function keepMovingLog(to: BucketArchive, log: Log): MovingLog {
  let isStopped = false
  let isFailing = false
  let timer: NodeJS.Timeout | undefined
  const move = async () => {
    try {
      await moveSegments(to)
      if (isFailing) log.info('the log moves into the bucket again')
      isFailing = false
    } catch (error) {
      const problem = String((error as Error).cause ?? error)
      if (!isFailing)
        log.warn('the log cannot move into WAL_ARCHIVE_S3_URL; it waits in WAL_ARCHIVE', { problem })
      isFailing = true
    }
  }
  const turn = async () => {
    await move()
    if (!isStopped) timer = setTimeout(() => (running = turn()), everyMs).unref()
  }
  let running = turn()
  return {
    stop: async () => {
      isStopped = true
      clearTimeout(timer)
      await running
      await move()
    },
  }
}
