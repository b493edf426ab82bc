// What a password must be, and its hash. Hashing is slow on purpose and is done by other threads, a few at a time.

import { hash, parseOptions, verify } from '@node-rs/argon2'
import { refuse } from '../base/refusal.ts'
import type { Fault } from './client.ts'

export const shortestPassword = 8
export const longestPassword = 200

/** Argon2id as OWASP advises; about ten milliseconds of one core (ADR 0008). */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Belongs to nobody. Verifying against it takes as long as against a real one. */
const nobodysHash =
  '$argon2id$v=19$m=19456,t=2,p=1$4TvJIV1Wk70jA+brQGZkRw$Bj+OqMDVivS4YjSfrY9BlmAWthBuSO+RHvohFj8wXFE'

/** The pool of threads has four; the rest is for files and names of hosts. */
const atOnce = 2
const mostWaiting = 500

/** Hashes passwords, a few at a time. Those who come when too many wait are asked to come again. */
export class Passwords {
  #running = 0
  readonly #waiting: (() => void)[] = []

  hash(password: string): Promise<string> {
    return this.#inTurn(() => hash(plain(password), cost))
  }

  /** Whether the password is the one behind the hash. Without a hash it takes as long, and is not. */
  async matches(password: string, known: string | null | undefined): Promise<boolean> {
    const isRight = await this.#inTurn(() => verify(known ?? nobodysHash, plain(password)))
    return isRight && typeof known === 'string'
  }

  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.#waiting.length >= mostWaiting) throw refuse('service_unavailable', { retry_after: 2 })
    if (this.#running >= atOnce) await new Promise<void>((done) => this.#waiting.push(done))
    else this.#running++
    try {
      return await work()
    } finally {
      // Whoever waits takes over the place, so that nobody slips in between.
      const next = this.#waiting.shift()
      if (next) next()
      else this.#running--
    }
  }
}

/** One password whatever keyboard it was typed on: letters and their marks may come joined or apart. */
const plain = (password: string): string => password.normalize('NFKC')

const mostMemory = 262_144
const mostPasses = 10

/** Whether a hash from elsewhere is one that we can verify, at a cost that harms nobody. */
export function isPasswordHash(text: string): boolean {
  if (!text.startsWith('$argon2id$') || text.length > 300) return false
  try {
    const { memoryCost, timeCost, parallelism } = parseOptions(text)
    return memoryCost <= mostMemory && timeCost <= mostPasses && parallelism <= 8
  } catch {
    return false
  }
}

// oxfmt-ignore
const wellKnown = new Set([
  'password', 'password1', 'password123', 'passw0rd', '12345678', '123456789', '1234567890', '0123456789', '87654321',
  '987654321', '11223344', 'qwertyui', 'qwertyuiop', 'qwerty123', 'qwerty12', '1q2w3e4r', '1q2w3e4r5t', '1qaz2wsx',
  'asdfghjk', 'asdfghjkl', 'zxcvbnm1', 'abcd1234', 'abc12345', 'iloveyou', 'sunshine', 'princess', 'football',
  'superman', 'trustno1', 'letmein1', 'welcome1', 'admin123', 'administrator', 'tashkent', 'toshkent', 'uzbekistan',
  'ozbekiston', 'samarkand', 'samarqand', 'assalomu', 'йцукенгш', 'йцукен123', 'пароль123', 'любовь123', 'ташкент1',
])

/** What makes a password easy to guess, as the broken rule; undefined when nothing does. */
export function weakness(
  password: string,
  { phone, email, name }: { phone?: string | null; email?: string | null; name?: string },
): 'min_length' | 'max_length' | 'guessable' | undefined {
  const length = [...password].length
  if (length < shortestPassword) return 'min_length'
  if (length > longestPassword) return 'max_length'
  const small = plain(password).toLowerCase()
  const own = [phone, phone?.slice(1), phone?.slice(4), email, email?.split('@')[0], name]
    .filter((it) => it != null)
    .map((it) => it.toLowerCase())
  const isOneCharacter = new Set(small).size === 1
  return wellKnown.has(small) || own.includes(small) || isOneCharacter ? 'guessable' : undefined
}

/** What is wrong with a password, as a fault of the field in which it came. */
export function passwordFaults(
  password: string,
  about: Parameters<typeof weakness>[1],
  path: string,
): Fault[] {
  const rule = weakness(password, about)
  const limits = { min_length: shortestPassword, max_length: longestPassword, guessable: undefined }
  return rule ? [{ path, rule, limit: limits[rule] }] : []
}

export function refuseWeak(password: string, about: Parameters<typeof weakness>[1], path: string): void {
  const fields = passwordFaults(password, about, path)
  if (fields.length > 0) throw refuse('validation_failed', { fields })
}
