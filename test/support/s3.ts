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
  const canonical = `${method}\n${url}\n\n${lines.join('')}\n${names}\n${headers['x-amz-content-sha256']}`
  const text = `AWS4-HMAC-SHA256\n${String(headers['x-amz-date'])}\n${day}/${region}/s3/aws4_request\n${sha256(canonical)}`
  const key = sign(sign(sign(sign(`AWS4${account.secret}`, day!), region), 's3'), 'aws4_request')
  const isRight = timingSafeEqual(sign(key, text), Buffer.from(signature, 'hex'))
  return isRight ? undefined : 'SignatureDoesNotMatch'
}
