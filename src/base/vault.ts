// Encryption of secrets that must be readable again, such as webhook signing secrets (AES-256-GCM, ADR 0018). The database
// alone does not reveal them.

import { createCipheriv, createDecipheriv, createHmac, hkdfSync } from 'node:crypto'
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { secretBytes, secretUuid } from './random.ts'

const formatVersion = 1
const nonceBytes = 12
const tagBytes = 16
const keyBytes = 32
const keyFile = 'secret.key'

export interface Vault {
  /** Encrypts a text for one owner; decryption for another owner fails. */
  seal(text: string, owner: string): Buffer
  open(sealed: Buffer, owner: string): string
  /** A MAC of the bytes for one purpose (HMAC-SHA256 with a key derived for it). */
  sign(bytes: Buffer, purpose: string): Buffer
}

/** Where the key comes from: `SECRET_KEY`, or a file in the data directory that is created when it is missing. */
export interface VaultConfig {
  secretKey: Buffer | undefined
  dataDir: string
}

/** The key is read at its first use. */
export function openVault({ secretKey, dataDir }: VaultConfig): Vault {
  let loaded: Buffer | undefined
  const key = () => (loaded ??= secretKey ?? keyIn(dataDir))
  return {
    seal: (text, owner) => {
      const nonce = secretBytes(nonceBytes)
      const cipher = createCipheriv('aes-256-gcm', key(), nonce).setAAD(Buffer.from(owner))
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([Buffer.from([formatVersion]), nonce, cipher.getAuthTag(), body])
    },
    open: (sealed, owner) => {
      if (sealed[0] !== formatVersion) throw new Error('an encrypted secret has an unknown format version')
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

/** Whether a key is configured or stands in the data directory; creates none. */
export const hasKey = ({ secretKey, dataDir }: VaultConfig): boolean =>
  secretKey !== undefined || existsSync(join(dataDir, keyFile))

/** The key in base64, for a copy of it. */
export const keyText = ({ secretKey, dataDir }: VaultConfig): string =>
  (secretKey ?? keyIn(dataDir)).toString('base64')

/** Identifies the key without revealing it. */
export const fingerprintOf = (config: VaultConfig): Buffer =>
  openVault(config).sign(Buffer.from('fingerprint'), 'fingerprint')

/** Puts a key into the data directory; never replaces one. */
export function placeKey({ dataDir }: Pick<VaultConfig, 'dataDir'>, text: string): void {
  const path = join(dataDir, keyFile)
  validKey(text, 'the copied key')
  mkdirSync(dataDir, { recursive: true })
  const draft = `${path}.${secretUuid()}`
  writeFileSync(draft, `${text}\n`, { mode: 0o600, flush: true })
  try {
    // Linking is atomic and never replaces a file: of two processes one wins.
    linkSync(draft, path)
  } catch (error) {
    if ((error as { code?: string }).code !== 'EEXIST') throw error
  } finally {
    rmSync(draft, { force: true })
  }
}

function keyIn(dataDir: string): Buffer {
  const path = join(dataDir, keyFile)
  if (!existsSync(path)) placeKey({ dataDir }, secretBytes(keyBytes).toString('base64'))
  return validKey(readFileSync(path, 'utf8'), path)
}

function validKey(text: string, path: string): Buffer {
  const key = keyOf(text.trim())
  if (!key) throw new Error(`${path} does not hold a key of ${keyBytes} bytes in base64`)
  return key
}

/** A key of 32 bytes in base64 or hexadecimal. */
export function keyOf(text: string): Buffer | undefined {
  const key = /^[0-9a-f]{64}$/i.test(text) ? Buffer.from(text, 'hex') : Buffer.from(text, 'base64')
  return key.length === keyBytes && /^[A-Za-z0-9+/]{43}=$|^[0-9a-f]{64}$/i.test(text) ? key : undefined
}
