// A small S3 server: it keeps objects in memory and refuses requests whose Signature Version 4 is wrong. The check is
// written from the specification, by the list of signed headers that the request names.

import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'

export interface S3Server {
  /** Endpoint with the bucket. */
  url: string
  keyId: string
  secret: string
  region: string
  objects: Map<string, Buffer>
  refused: string[]
  close(): void
}

const sha256 = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest('hex')
const sign = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()
const authorizationForm =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([a-z0-9;-]+), ?Signature=([0-9a-f]{64})$/

export async function openS3Server(): Promise<S3Server> {
  const account = { keyId: 'AKIDEXAMPLE', secret: 'wJalrXUtnFEMIK7MDENGbPxRfiCYEXAMPLEKEY', region: 'uz-1' }
  const objects = new Map<string, Buffer>()
  const refused: string[] = []
  const server = createServer((request, response) => {
    void bytesOf(request).then((body) => {
      const problem = problemOf(request, body, account)
      const key = request.url!
      if (problem) refused.push(problem)
      if (problem) return response.writeHead(403).end(`<Error><Code>${problem}</Code></Error>`)
      if (request.method === 'PUT') objects.set(key, body)
      if (request.method === 'DELETE') objects.delete(key)
      if (request.method !== 'GET') return response.writeHead(request.method === 'PUT' ? 200 : 204).end()
      const { pathname, searchParams } = new URL(key, 'http://s3')
      if (pathname === '/shop-pictures/') return response.end(listing(objects, pathname, searchParams))
      const found = objects.get(key)
      return found ? response.writeHead(200).end(found) : response.writeHead(404).end()
    })
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  after(close)
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/shop-pictures`, ...account, objects, refused, close }
}

const keysPerPage = 500

/** One page of ListObjectsV2. */
function listing(objects: ReadonlyMap<string, Buffer>, folder: string, query: URLSearchParams): string {
  const keys = [...objects.keys()].map((it) => it.slice(folder.length)).toSorted()
  const after = query.get('continuation-token') ?? ''
  const found = keys.filter((it) => it.startsWith(query.get('prefix') ?? '') && it > after)
  const page = found.slice(0, keysPerPage)
  const contents = page.map((it) => `<Contents><Key>${it}</Key></Contents>`).join('')
  const next =
    found.length > page.length ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : ''
  return `<ListBucketResult>${contents}${next}</ListBucketResult>`
}

async function bytesOf(request: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece as Buffer)
  return Buffer.concat(pieces)
}

function problemOf(
  { headers, method, url }: IncomingMessage,
  body: Buffer,
  account: { keyId: string; secret: string; region: string },
): string | undefined {
  const found = authorizationForm.exec(headers.authorization ?? '')
  if (!found) return 'AccessDenied'
  const [, keyId, day, region, names = '', signature = ''] = found
  if (keyId !== account.keyId || region !== account.region) return 'InvalidAccessKeyId'
  if (headers['x-amz-content-sha256'] !== sha256(body)) return 'XAmzContentSHA256Mismatch'
  if (!names.split(';').includes('host')) return 'AccessDenied'
  const lines = names.split(';').map((it) => `${it}:${String(headers[it] ?? '').trim()}\n`)
  const [path, query = ''] = url!.split('?')
  const canonical = `${method}\n${path}\n${query.split('&').toSorted().join('&')}\n${lines.join('')}\n${names}\n${headers['x-amz-content-sha256']}`
  const text = `AWS4-HMAC-SHA256\n${String(headers['x-amz-date'])}\n${day}/${region}/s3/aws4_request\n${sha256(canonical)}`
  const key = sign(sign(sign(sign(`AWS4${account.secret}`, day!), region), 's3'), 'aws4_request')
  const isRight = timingSafeEqual(sign(key, text), Buffer.from(signature, 'hex'))
  return isRight ? undefined : 'SignatureDoesNotMatch'
}
