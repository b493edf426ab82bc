// What a browser downloads for a page, in bytes as they are sent.

import { get } from 'node:http'

/** The size of a reply; one that is not compressed is an error. Unlike `fetch`, it does not decompress. */
export const gzippedSize = (url: string): Promise<number> =>
  new Promise((resolve, reject) => {
    get(url, { headers: { 'accept-encoding': 'gzip' } }, (reply) => {
      const { statusCode: status, headers } = reply
      if (status !== 200 || headers['content-encoding'] !== 'gzip')
        reject(new Error(`${url} answers ${status} with the encoding ${headers['content-encoding']}`))
      let size = 0
      reply.on('data', (it: Buffer) => (size += it.length))
      reply.on('end', () => resolve(size))
      reply.on('error', reject)
    }).on('error', reject)
  })

/** A page and all scripts that it names. */
export async function pageSizes(url: string): Promise<{ page: number; script: number }> {
  const text = await (await fetch(url)).text()
  const scripts = [...text.matchAll(/<script[^>]+src="([^"]+)"/g)].map(([, path]) => new URL(path!, url).href)
  const sizes = await Promise.all(scripts.map(gzippedSize))
  return { page: await gzippedSize(url), script: sizes.reduce((sum, it) => sum + it, 0) }
}
