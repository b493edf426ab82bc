// Secrets that must be told to others again, such as those we sign with. They are kept sealed (AES-256-GCM), so that
// whoever has the database alone has nothing (ADR 0018).

import { createCipheriv, createDecipheriv, createHmac, hkdfSync } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from './config.ts'
import { secretBytes, secretUuid } from './random.ts'

const form = 1
const nonceBytes = 12
const tagBytes = 16
const keyBytes = 32
const keyFile = 'secret.key'

export interface Vault {
  /** Seals a text for one owner; opened for another one, it is refused. */
  seal(text: string, owner: string): Buffer
  open(sealed: Buffer, owner: string): string
  /** What only we can have written beside these bytes, for one purpose (HMAC-SHA256 under a key of its own). */
  sign(bytes: Buffer, purpose: string): Buffer
}

/** The key is read when it is first needed; where none is set, one is made beside the data. */
export function openVault({ secretKey, dataDir }: Pick<Config, 'secretKey' | 'dataDir'>): Vault {
  let known: Buffer | undefined
  const key = () => (known ??= secretKey ?? keyIn(dataDir))
  return {
    seal: (text, owner) => {
      const nonce = secretBytes(nonceBytes)
      const cipher = createCipheriv('aes-256-gcm', key(), nonce).setAAD(Buffer.from(owner))
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([Buffer.from([form]), nonce, cipher.getAuthTag(), body])
    },
    open: (sealed, owner) => {
      if (sealed[0] !== form) throw new Error('a sealed secret is of a form that we do not know')
      const nonce = sealed.subarray(1, 1 + nonceBytes)
      const tag = sealed.subarray(1 + nonceBytes, 1 + nonceBytes + tagBytes)
      const decipher = createDecipheriv('aes-256-gcm', key(), nonce).setAAD(Buffer.from(owner))
      decipher.setAuthTag(tag)
      const body = sealed.subarray(1 + nonceBytes + tagBytes)
      return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8')
    },
    sign: (bytes, purpose) =>
      createHmac('sha256', Buffer.from(hkdfSync('sha256', key(), '', purpose, keyBytes)))
        .update(bytes)
        .digest(),
  }
}

function keyIn(dataDir: string): Buffer {
  const path = join(dataDir, keyFile)
  try {
    return soundKey(readFileSync(path, 'utf8'), path)
  } catch (error) {
    if ((error as { code?: string }).code !== 'ENOENT') throw error
  }
  mkdirSync(dataDir, { recursive: true })
  const draft = `${path}.${secretUuid()}`
  writeFileSync(draft, `${secretBytes(keyBytes).toString('base64')}\n`, { mode: 0o600, flush: true })
  try {
    // A link appears whole or not at all, and never in place of another: of two processes one wins.
    linkSync(draft, path)
  } catch (error) {
    if ((error as { code?: string }).code !== 'EEXIST') throw error
  } finally {
    rmSync(draft, { force: true })
  }
  return soundKey(readFileSync(path, 'utf8'), path)
}

function soundKey(text: string, path: string): Buffer {
  const key = keyOf(text.trim())
  if (!key) throw new Error(`${path} does not hold a key of ${keyBytes} bytes in base64`)
  return key
}

/** A key of 32 bytes in base64 or in hexadecimal digits. */
export function keyOf(text: string): Buffer | undefined {
  const key = /^[0-9a-f]{64}$/i.test(text) ? Buffer.from(text, 'hex') : Buffer.from(text, 'base64')
  return key.length === keyBytes && /^[A-Za-z0-9+/]{43}=$|^[0-9a-f]{64}$/i.test(text) ? key : undefined
}
