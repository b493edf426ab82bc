// A bucket of an S3-compatible storage. Requests are signed with AWS Signature Version 4.

import { createHash, createHmac } from 'node:crypto'

export interface S3Bucket {
  /** Endpoint and bucket, such as `https://s3.eu-central-1.amazonaws.com/shop-pictures`. */
  url: string
  region: string
  keyId: string
  secret: string
}

interface S3Request {
  method: 'GET' | 'PUT' | 'DELETE'
  /** Below the bucket, of letters, digits, `-`, `.` and `/`. */
  key: string
  body?: Uint8Array
  type?: string
}

const timeoutMs = 20_000
const hashOf = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex')
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()

/** The headers that sign a request at an instant. */
export function signedHeaders(
  { region, keyId, secret }: S3Bucket,
  { method, url, body = '' }: { method: string; url: URL; body?: Uint8Array | string },
  now: Date,
): Record<string, string> {
  const at = now.toISOString().replaceAll(/[-:]|\.\d+/g, '')
  const hash = hashOf(body)
  const signed = { host: url.host, 'x-amz-content-sha256': hash, 'x-amz-date': at }
  const names = Object.keys(signed).join(';')
  const lines = Object.entries(signed).map(([name, value]) => `${name}:${value}\n`)
  const request = [method, url.pathname, '', lines.join(''), names, hash].join('\n')
  const scope = `${at.slice(0, 8)}/${region}/s3/aws4_request`
  const key = scope.split('/').reduce<string | Buffer>(hmac, `AWS4${secret}`)
  const signature = hmac(key as Buffer, ['AWS4-HMAC-SHA256', at, scope, hashOf(request)].join('\n'))
  const { host: _sentByFetch, ...headers } = signed
  return {
    ...headers,
    authorization: `AWS4-HMAC-SHA256 Credential=${keyId}/${scope},SignedHeaders=${names},Signature=${signature.toString('hex')}`,
  }
}

/** Sends a request; undefined when there is no such object, an error for any other refusal. */
export async function callS3(
  bucket: S3Bucket,
  { method, key, body, type }: S3Request,
  now: Date,
): Promise<Buffer | undefined> {
  const url = new URL(`${bucket.url.replace(/\/$/, '')}/${key}`)
  const reply = await fetch(url, {
    method,
    headers: {
      ...signedHeaders(bucket, { method, url, ...(body && { body }) }, now),
      ...(type && { 'content-type': type }),
    },
    ...(body && { body: new Uint8Array(body) }),
    signal: AbortSignal.timeout(timeoutMs),
  })
  const bytes = Buffer.from(await reply.arrayBuffer())
  if (reply.status === 404) return undefined
  if (!reply.ok)
    throw new Error(`the picture storage replied ${reply.status}: ${bytes.toString().slice(0, 300)}`)
  return bytes
}
