// A bucket of an S3-compatible storage. Requests are signed with AWS Signature Version 4.

import { createHash, createHmac } from 'node:crypto'
import { createReadStream, createWriteStream, openAsBlob } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'

export interface S3Bucket {
  /** Endpoint and bucket, such as `https://s3.eu-central-1.amazonaws.com/shop-pictures`. */
  url: string
  region: string
  keyId: string
  secret: string
}

interface S3Request {
  method: 'GET' | 'PUT' | 'DELETE'
  /** Below the bucket, of letters, digits, `-`, `_`, `.` and `/`. */
  key: string
  body?: Uint8Array
  type?: string
}

const timeoutMs = 20_000
/** Files of a database are up to 1 GB. */
const fileTimeoutMs = 1_800_000
const hashOf = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex')
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()

/** The headers that sign a request at an instant. A large body is given by its hash. */
export function signedHeaders(
  { region, keyId, secret }: S3Bucket,
  { method, url, body = '', hash = hashOf(body) }: ToSign,
  now: Date,
): Record<string, string> {
  const at = now.toISOString().replaceAll(/[-:]|\.\d+/g, '')
  const signed = { host: url.host, 'x-amz-content-sha256': hash, 'x-amz-date': at }
  const names = Object.keys(signed).join(';')
  const lines = Object.entries(signed).map(([name, value]) => `${name}:${value}\n`)
  const request = [method, url.pathname, canonicalQuery(url), lines.join(''), names, hash].join('\n')
  const scope = `${at.slice(0, 8)}/${region}/s3/aws4_request`
  const key = scope.split('/').reduce<string | Buffer>(hmac, `AWS4${secret}`)
  const signature = hmac(key as Buffer, ['AWS4-HMAC-SHA256', at, scope, hashOf(request)].join('\n'))
  const { host: _sentByFetch, ...headers } = signed
  return {
    ...headers,
    authorization: `AWS4-HMAC-SHA256 Credential=${keyId}/${scope},SignedHeaders=${names},Signature=${signature.toString('hex')}`,
  }
}

interface ToSign {
  method: string
  url: URL
  body?: Uint8Array | string
  hash?: string
}

/** Sorted by name, and encoded more strictly than a form. */
function canonicalQuery({ searchParams }: URL): string {
  const encoded = (text: string) =>
    encodeURIComponent(text).replaceAll(
      /[!'()*]/g,
      (it) => `%${it.codePointAt(0)!.toString(16).toUpperCase()}`,
    )
  return [...searchParams]
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
    .toSorted()
    .join('&')
}

/** Sends a request; undefined when there is no such object, an error for any other refusal. */
export async function callS3(
  bucket: S3Bucket,
  { method, key, body, type }: S3Request,
  now: Date,
): Promise<Buffer | undefined> {
  const url = urlOf(bucket, key)
  const reply = await fetch(url, {
    method,
    headers: {
      ...signedHeaders(bucket, { method, url, ...(body && { body }) }, now),
      ...(type && { 'content-type': type }),
    },
    ...(body && { body: new Uint8Array(body) }),
    signal: AbortSignal.timeout(timeoutMs),
  })
  if (reply.status === 404) return undefined
  return Buffer.from(await (await requireSuccess(reply)).arrayBuffer())
}

/** Stores a file, which is read twice: for its hash, and to send it. */
export async function putFile(bucket: S3Bucket, key: string, file: string, now: Date): Promise<void> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  const url = urlOf(bucket, key)
  const reply = await fetch(url, {
    method: 'PUT',
    headers: signedHeaders(bucket, { method: 'PUT', url, hash: hash.digest('hex') }, now),
    body: await openAsBlob(file),
    signal: AbortSignal.timeout(fileTimeoutMs),
  })
  await (await requireSuccess(reply)).arrayBuffer()
}

/** Writes an object into a file. */
export async function getFile(bucket: S3Bucket, key: string, file: string, now: Date): Promise<void> {
  const url = urlOf(bucket, key)
  const headers = signedHeaders(bucket, { method: 'GET', url }, now)
  const signal = AbortSignal.timeout(fileTimeoutMs)
  const reply = await requireSuccess(await fetch(url, { headers, signal }))
  const write = createWriteStream(file, { mode: 0o600 })
  await pipeline(reply.body ? Readable.fromWeb(reply.body as ReadableStream) : Readable.from([]), write)
}

/**
 * The keys of all objects that begin with the prefix, in ascending order. A list request is sent to the bucket, which
 * is the first segment of the path.
 */
export async function listKeys(bucket: S3Bucket, prefix: string, now: Date): Promise<string[]> {
  const { origin, pathname } = urlOf(bucket, '')
  const [, name, ...below] = pathname.split('/')
  const folder = below.join('/')
  const keys: string[] = []
  let token: string | undefined
  do {
    const url = new URL(`${origin}/${name}/`)
    url.searchParams.set('list-type', '2')
    url.searchParams.set('prefix', folder + prefix)
    if (token !== undefined) url.searchParams.set('continuation-token', token)
    url.search = canonicalQuery(url)
    const headers = signedHeaders(bucket, { method: 'GET', url }, now)
    const reply = await requireSuccess(await fetch(url, { headers, signal: AbortSignal.timeout(timeoutMs) }))
    const text = await reply.text()
    keys.push(...[...text.matchAll(/<Key>([^<]*)<\/Key>/g)].map((it) => it[1]!.slice(folder.length)))
    token = /<NextContinuationToken>([^<]+)</.exec(text)?.[1]
  } while (token !== undefined)
  return keys.toSorted()
}

const urlOf = (bucket: S3Bucket, key: string): URL => new URL(`${bucket.url.replace(/\/$/, '')}/${key}`)

async function requireSuccess(reply: Response): Promise<Response> {
  if (reply.ok) return reply
  throw new Error(`the bucket replied ${reply.status}: ${(await reply.text()).slice(0, 300)}`)
}
