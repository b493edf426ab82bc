// Who may use plain HTTP, and what the server sends over HTTPS.

import { deepEqual, equal, match, throws } from 'node:assert/strict'
import { request } from 'node:https'
import { networkInterfaces } from 'node:os'
import { test } from 'node:test'
import { ConfigError, readConfig } from '../../src/base/config.ts'
import { readTls } from '../../src/base/tls.ts'
import { certificate, certificateFiles } from '../support/certificate.ts'
import { password } from '../support/client.ts'
import { assertRefused } from '../support/refused.ts'
import { openPlatform } from '../support/shop.ts'

interface TlsReply {
  status: number
  headers: Record<string, string | string[] | undefined>
}

/** One request over TLS to a server whose certificate is checked. */
const over = (
  url: string,
  method: string,
  path: string,
  sent?: { key: string; body: unknown },
): Promise<TlsReply> =>
  new Promise((done, failed) => {
    const headers = sent && { authorization: `Bearer ${sent.key}`, 'content-type': 'application/json' }
    request(url + path, { method, ca: certificate, ...(headers && { headers }) }, (reply) => {
      reply.resume().on('end', () => done({ status: reply.statusCode!, headers: reply.headers }))
    })
      .on('error', failed)
      .end(sent && JSON.stringify(sent.body))
  })

test('with a certificate the server uses HTTPS, sends HSTS and sets a __Host- cookie', async () => {
  const { url, keys } = await openPlatform({ env: certificateFiles() })
  match(url, /^https:/)
  const reply = await over(url, 'GET', '/healthz')
  deepEqual([reply.status, reply.headers['strict-transport-security']], [200, 'max-age=31536000'])
  const made = await over(url, 'POST', '/v1/auth/register', {
    key: keys.test,
    body: { name: 'Aziza', email: 'aziza@mail.uz', password },
  })
  equal(made.status, 201)
  match(String(made.headers['set-cookie']), /^__Host-bozor_session=.*; Secure$/)
})

test('a certificate without key, with another key or unreadable stops the start with one sentence', () => {
  const files = certificateFiles()
  throws(() => readConfig({ TLS_CERT: files.TLS_CERT }), /TLS_CERT and TLS_KEY must be set together/)
  const wrong = { tlsCert: files.TLS_CERT, tlsKey: files.TLS_CERT }
  throws(() => readTls(wrong), ConfigError)
  throws(
    () => readTls({ tlsCert: '/nowhere.pem', tlsKey: files.TLS_KEY }),
    /TLS_CERT must be a file that can be read/,
  )
})

test('production accepts plain HTTP only from this machine and from proxies that received HTTPS', async () => {
  const { call, url } = await openPlatform({ env: { NODE_ENV: 'production', TRUST_PROXY: '127.0.0.1' } })
  const from = (headers: Record<string, string>) => call('GET', '/v1/catalog/brands', { headers })
  equal((await from({})).status, 200)
  const plain = { 'x-forwarded-for': '203.0.113.7', 'x-forwarded-proto': 'http' }
  const refused = await from(plain)
  assertRefused('https_required', refused)
  equal(refused.headers.get('strict-transport-security'), null)
  const secure = await from({ ...plain, 'x-forwarded-proto': 'https' })
  deepEqual([secure.status, secure.headers.get('strict-transport-security')], [200, 'max-age=31536000'])
  equal((await fetch(`${url}/healthz`, { headers: plain })).status, 200)
})

test('links use http where a trusted proxy names a scheme that is not HTTPS', async () => {
  const { call } = await openPlatform({ env: { TRUST_PROXY: '127.0.0.1' } })
  const issuer = async (proto: string) =>
    (
      await call('GET', '/.well-known/oauth-authorization-server', {
        headers: { 'x-forwarded-proto': proto },
      })
    ).body.issuer
  match(await issuer('javascript'), /^http:\/\//)
  match(await issuer('https'), /^https:\/\//)
})

test('X-Forwarded-Proto of an untrusted caller is ignored', async () => {
  const { call } = await openPlatform({ env: { NODE_ENV: 'production' } })
  const reply = await call('GET', '/v1/catalog/brands', { headers: { 'x-forwarded-proto': 'https' } })
  deepEqual([reply.status, reply.headers.get('strict-transport-security')], [200, null])
})

test('production refuses plain HTTP from another machine, whatever headers it sends', async () => {
  const outside = Object.values(networkInterfaces())
    .flat()
    .find((it) => it?.family === 'IPv4' && !it.internal)?.address
  // A machine without a network has no other address.
  if (outside === undefined) return
  const far = await openPlatform({ env: { NODE_ENV: 'production' }, host: '0.0.0.0' })
  const port = new URL(far.url).port
  const reply = await fetch(`http://${outside}:${port}/v1/catalog/brands`, {
    headers: { authorization: `Bearer ${far.keys.test}`, 'x-forwarded-proto': 'https' },
  })
  deepEqual(
    [reply.status, ((await reply.json()) as { error: { code: string } }).error.code],
    [403, 'https_required'],
  )
})
