/** Repeats a turn of work: at once when woken, else after the poll interval. One turn at a time. */
export class Loop {
  readonly #turn: () => Promise<boolean>
  readonly #pollMs: number
  readonly #onError: (error: unknown) => void
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> | undefined
  #woken = false
  #closed = true

  /** A turn returns whether there may be more work. */
  constructor(turn: () => Promise<boolean>, options: { pollMs: number; onError: (error: unknown) => void }) {
    this.#turn = turn
    this.#pollMs = options.pollMs
    this.#onError = options.onError
  }

  start(): void {
    this.#closed = false
    this.wake()
  }

  wake(): void {
    this.#woken = true
    if (!this.#running && !this.#closed) this.#run()
  }

  /** Starts no further turn and waits for the current one. */
  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#timer)
    await this.#running
  }

  #run(): void {
    clearTimeout(this.#timer)
    this.#woken = false
    this.#running = this.#turn()
      .catch((error: unknown) => {
        this.#onError(error)
        return false
      })
      .then((more) => {
        this.#running = undefined
        if (this.#closed) return
        if (more || this.#woken) this.#run()
        else this.#timer = setTimeout(() => this.#run(), this.#pollMs)
      })
  }
}
