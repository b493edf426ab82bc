// Password rules and hashes. Hashing is slow on purpose and runs in other threads, a few at a time.

import { readFileSync } from 'node:fs'
import { hash, parseOptions, verify } from '@node-rs/argon2'
import { refuse } from '../base/refusal.ts'
import type { Fault } from './clients/client.ts'

export const minPasswordLength = 8
export const maxPasswordLength = 200

/** Argon2id as recommended by OWASP; about ten milliseconds of one core (ADR 0008). */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Matches no password. Verifying against it takes as long as against a real hash. */
const dummyHash =
  '$argon2id$v=19$m=19456,t=2,p=1$4TvJIV1Wk70jA+brQGZkRw$Bj+OqMDVivS4YjSfrY9BlmAWthBuSO+RHvohFj8wXFE'

/** The thread pool has four threads; two stay free for files and DNS. */
const maxConcurrent = 2
const maxQueued = 500

/** Hashes passwords, a few at a time. Refuses with `service_unavailable` when too many are queued. */
export class Passwords {
  #running = 0
  readonly #waiting: (() => void)[] = []

  hash(password: string): Promise<string> {
    return this.#queued(() => hash(normalized(password), cost))
  }

  /** Whether the password matches the hash. Without a hash it takes the same time and is false. */
  async matches(password: string, known: string | null | undefined): Promise<boolean> {
    const isMatch = await this.#queued(() => verify(known ?? dummyHash, normalized(password)))
    return isMatch && typeof known === 'string'
  }

  async #queued<T>(work: () => Promise<T>): Promise<T> {
    if (this.#waiting.length >= maxQueued) throw refuse('service_unavailable', { retry_after: 2 })
    if (this.#running >= maxConcurrent) await new Promise<void>((done) => this.#waiting.push(done))
    else this.#running++
    try {
      return await work()
    } finally {
      // The next queued call takes over the slot directly.
      const next = this.#waiting.shift()
      if (next) next()
      else this.#running--
    }
  }
}

/** Unicode normalization: keyboards encode the same character differently. */
const normalized = (password: string): string => password.normalize('NFKC')

const maxMemoryKib = 262_144
const maxPasses = 10

/** Whether an imported hash can be verified at an acceptable cost. */
export function isPasswordHash(text: string): boolean {
  if (!text.startsWith('$argon2id$') || text.length > 300) return false
  try {
    const { memoryCost, timeCost, parallelism } = parseOptions(text)
    return memoryCost <= maxMemoryKib && timeCost <= maxPasses && parallelism <= 8
  } catch {
    return false
  }
}

/** Common passwords of at least eight characters, made from @zxcvbn-ts/language-common 4.1.3 (MIT, ADR 0008). */
const commonPasswords = new Set(
  readFileSync(new URL('common-passwords.txt', import.meta.url), 'utf8')
    .trimEnd()
    .split('\n'),
)

/** Common here, and missing in lists made of English leaks. */
// oxfmt-ignore
const localPasswords = new Set([
  'toshkent', 'uzbekistan', 'ozbekiston', 'o‘zbekiston', 'samarkand', 'samarqand', 'assalomu', 'parol123', 'parol1234',
  'йцукенгш', 'йцукен123', 'пароль123', 'парольпароль', 'любовь123', 'ташкент1', 'ташкент123', 'узбекистан', 'bozorbozor',
])

/** The broken password rule; undefined when the password is acceptable. */
export function weakness(
  password: string,
  { phone, email, name }: { phone?: string | null; email?: string | null; name?: string },
): 'min_length' | 'max_length' | 'guessable' | undefined {
  const length = [...password].length
  if (length < minPasswordLength) return 'min_length'
  if (length > maxPasswordLength) return 'max_length'
  const lower = normalized(password).toLowerCase()
  const own = [phone, phone?.slice(1), phone?.slice(4), email, email?.split('@')[0], name]
    .filter((it) => it != null)
    .map((it) => it.toLowerCase())
  const isOneCharacter = new Set(lower).size === 1
  return commonPasswords.has(lower) || localPasswords.has(lower) || own.includes(lower) || isOneCharacter
    ? 'guessable'
    : undefined
}

/** The broken rule as a fault of the given field. */
export function passwordFaults(
  password: string,
  about: Parameters<typeof weakness>[1],
  path: string,
): Fault[] {
  const rule = weakness(password, about)
  const limits = { min_length: minPasswordLength, max_length: maxPasswordLength, guessable: undefined }
  return rule ? [{ path, rule, limit: limits[rule] }] : []
}

export function refuseWeak(password: string, about: Parameters<typeof weakness>[1], path: string): void {
  const fields = passwordFaults(password, about, path)
  if (fields.length > 0) throw refuse('validation_failed', { fields })
}
