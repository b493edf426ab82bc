// PostgreSQL's COPY as streams. `pg` leaves COPY to other packages; a query object with these methods is all it needs.

import { once } from 'node:events'
import { Readable, type Writable } from 'node:stream'
import type pg from 'pg'

/** The part of `pg`'s connection that COPY uses; its types leave it out. */
interface WireConnection {
  stream: Writable & { pause(): void; resume(): void }
  query(sql: string): void
  sendCopyFromChunk(chunk: Buffer): void
  endCopyFrom(): void
  sendCopyFail(reason: string): void
}

const chunkBytes = 64 * 1024

/** The rows of `copy … to stdout` as bytes. The connection waits while the reader is slow. */
export function copyOut(client: pg.Client, sql: string): Readable {
  const query = new CopyOutQuery(sql)
  client.query(query)
  return query
}

class CopyOutQuery extends Readable {
  readonly #sql: string
  #connection: WireConnection | undefined
  #parts: Buffer[] = []
  #bytes = 0

  constructor(sql: string) {
    super()
    this.#sql = sql
  }

  submit(connection: unknown): void {
    this.#connection = connection as WireConnection
    this.#connection.query(this.#sql)
  }

  handleCopyData(message: { chunk: Buffer }): void {
    // The parser reuses its buffer.
    this.#parts.push(Buffer.from(message.chunk))
    this.#bytes += message.chunk.length
    if (this.#bytes >= chunkBytes && !this.#flush()) this.#connection!.stream.pause()
  }

  handleCommandComplete(): void {
    if (this.#bytes > 0) this.#flush()
  }

  handleError(error: Error): void {
    this.destroy(error)
  }

  handleReadyForQuery(): void {
    // After the end nothing calls `_read`, and the next query needs the connection.
    this.#connection!.stream.resume()
    this.push(null)
  }

  override _read(): void {
    this.#connection?.stream.resume()
  }

  #flush(): boolean {
    const chunk = Buffer.concat(this.#parts)
    this.#parts = []
    this.#bytes = 0
    return this.push(chunk)
  }
}

/** Sends the bytes to `copy … from stdin` and returns the number of rows that the database counted. */
export function copyIn(client: pg.Client, sql: string, source: AsyncIterable<Buffer>): Promise<number> {
  return new Promise((resolve, reject) => {
    const state: { rows: number; failure?: Error } = { rows: 0 }
    client.query({
      submit: (connection) => (connection as unknown as WireConnection).query(sql),
      handleCopyInResponse: (connection: WireConnection) => void send(connection, source, state),
      handleCommandComplete: ({ text }: { text: string }) => {
        state.rows = Number(/^COPY (\d+)$/.exec(text)?.[1])
      },
      handleError: (error: Error) => {
        // The reason of a source that failed is more useful than the report of the database about it.
        state.failure ??= error
        reject(state.failure)
      },
      handleReadyForQuery: () => resolve(state.rows),
    } as pg.Submittable)
  })
}

async function send(
  connection: WireConnection,
  source: AsyncIterable<Buffer>,
  state: { failure?: Error },
): Promise<void> {
  try {
    for await (const chunk of source) {
      if (state.failure) return
      connection.sendCopyFromChunk(chunk)
      if (connection.stream.writableNeedDrain) await once(connection.stream, 'drain')
    }
    connection.endCopyFrom()
  } catch (error) {
    state.failure ??= error as Error
    connection.sendCopyFail('the source failed')
  }
}
