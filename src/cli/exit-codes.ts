// How commands end. Scripts rely on these numbers.

/** Meanings as help shows them. */
export const exitCodes = {
  done: { code: 0, meaning: 'the work is done' },
  failed: { code: 1, meaning: 'the work failed, or a part of it: the reason is on stderr or in the report' },
  usage: { code: 2, meaning: 'the command line or the configuration is wrong; nothing was done' },
  not_found: { code: 3, meaning: 'what you named does not exist' },
  refused: {
    code: 4,
    meaning: 'the shop refused: a rule, a wrong value, or a key that is missing or not accepted',
  },
  unreachable: { code: 5, meaning: 'the server or the database cannot be reached; try again later' },
} as const

export type Exit = keyof typeof exitCodes

/** An error of the user or the machine: printed as one sentence without a stack trace. */
export class CommandError extends Error {
  readonly exit: Exit

  constructor(message: string, exit: Exit = 'failed') {
    super(message)
    this.exit = exit
  }
}

/** The command line is wrong. */
export class UsageError extends CommandError {
  constructor(message: string) {
    super(message, 'usage')
  }
}

/** How a command ends that the shop refused, by the code of the refusal. */
export function exitOfRefusal(code: string): Exit {
  if (code === 'not_found') return 'not_found'
  return code === 'storage_unavailable' || code === 'service_unavailable' ? 'unreachable' : 'refused'
}
