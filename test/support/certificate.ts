// A certificate for localhost with its private key. Used only in tests, so the key is not a secret.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'

export const certificate = `-----BEGIN CERTIFICATE-----
MIIBnDCCAUGgAwIBAgIUdg7b6jWtVqIctWNK4dJbRDv8dWAwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTExNTA3MTQxN1oYDzIxMjYxMDIy
MDcxNDE3WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAQEYz+rL3rzcMOjhuePG1jAqZgT4c/iQJnnEG/4v8XSLYsS2+ZOFN35
PvRp+lGHbvOlZ8dwHce1KlpzAlZPVB4Zo28wbTAdBgNVHQ4EFgQUxGhs8tr+kr8G
zVggmWqKAK37pe4wHwYDVR0jBBgwFoAUxGhs8tr+kr8GzVggmWqKAK37pe4wDwYD
VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZI
zj0EAwIDSQAwRgIhAKuLV3s6JbwbGQPyncp+uyCoQnpnQy+vmjJFBbxcmr+3AiEA
66EhYf1yJ5j6k5gzYJvtf6p0NcUKzwR4faK+yVNURSs=
-----END CERTIFICATE-----
`

const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg8O2PKqkPuYnTsgi6
P2zgUgpb8jbWBSMPenKOuKsrb2uhRANCAAQEYz+rL3rzcMOjhuePG1jAqZgT4c/i
QJnnEG/4v8XSLYsS2+ZOFN35PvRp+lGHbvOlZ8dwHce1KlpzAlZPVB4Z
-----END PRIVATE KEY-----
`

/** Certificate and key as files, removed when the test file ends. */
export function certificateFiles(): { TLS_CERT: string; TLS_KEY: string } {
  const folder = mkdtempSync(join(tmpdir(), 'bozor-tls-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  const files = { TLS_CERT: join(folder, 'cert.pem'), TLS_KEY: join(folder, 'key.pem') }
  writeFileSync(files.TLS_CERT, certificate)
  writeFileSync(files.TLS_KEY, key)
  return files
}
