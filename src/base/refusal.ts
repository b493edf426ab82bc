/** A request we understood and decline. Anything else that is thrown is a bug. */
export class Refusal extends Error {
  readonly code: string
  readonly details: Record<string, unknown>

  constructor(code: string, details: Record<string, unknown>) {
    super(code)
    this.code = code
    this.details = details
  }
}

export const refuse = (code: string, details: Record<string, unknown> = {}): Refusal =>
  new Refusal(code, details)
