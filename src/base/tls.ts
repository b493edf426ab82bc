// The certificate for HTTPS without a proxy.

import { readFileSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import { type Config, ConfigError } from './config.ts'

export interface Tls {
  cert: Buffer
  key: Buffer
}

/** Reads the configured files; undefined when none are configured. */
export function readTls({ tlsCert, tlsKey }: Pick<Config, 'tlsCert' | 'tlsKey'>): Tls | undefined {
  if (tlsCert === undefined || tlsKey === undefined) return undefined
  const tls = { cert: contentOf('TLS_CERT', tlsCert), key: contentOf('TLS_KEY', tlsKey) }
  try {
    createSecureContext(tls)
    return tls
  } catch {
    throw new ConfigError(['TLS_CERT and TLS_KEY must be a certificate and its key in PEM form'])
  }
}

function contentOf(name: string, file: string): Buffer {
  try {
    return readFileSync(file)
  } catch {
    throw new ConfigError([`${name} must be a file that can be read, not ${JSON.stringify(file)}`])
  }
}
