// The first minute of a new operator: the demo shop has data, and the printed commands work.

import { equal, match, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { startServer, temporaryFolder } from '../support/process.ts'
import { waitFor } from '../support/wait-until.ts'

test('the first start prints example searches in three languages, one of them with a typo', async () => {
  const server = await startServer({ DATA_DIR: temporaryFolder(), DEMO: 'true' })
  // Asked again while the server, just started on a busy machine, answers that it is overloaded.
  const found = async (q: string, language: string) =>
    waitFor(async () => {
      const path = `/v1/catalog/products/search?per_page=3&q=${encodeURIComponent(q)}`
      const reply = await server.call('GET', path, { headers: { 'accept-language': language } })
      if (reply.status === 503) return undefined
      equal(reply.status, 200, reply.text)
      return reply.body.data
    })

  const lines = [...server.output().matchAll(/--data-urlencode 'q=([^']+)'.*Accept-Language: (\w\w)/g)]
  equal(lines.map((it) => it[2]).join(), 'ru,uz,en')
  const named = { ru: /^Смартфон .*, чёрный$/, uz: / muzlatgichi, /, en: / wireless earbuds/ }
  for (const [, q, language] of lines) {
    const { products, pagination } = await found(q!, language!)
    ok(pagination.total >= 10, q)
    match(products[0].name, named[language as keyof typeof named])
  }

  // Both scripts and all apostrophes of Uzbek find the same products.
  const fridges = (await found('muzlatgich', 'uz')).pagination.total
  equal((await found('музлатгич', 'uz')).pagination.total, fridges)
  const games = (await found('o‘yin noutbuki', 'uz')).pagination.total
  for (const query of ["o'yin noutbuki", 'oʻyin noutbuki', 'ўйин ноутбуки'])
    equal((await found(query, 'uz')).pagination.total, games, query)

  // The products have pictures.
  const [phone] = (await found('смартфон', 'ru')).products
  const picture = await fetch(phone.images[0].lg_path)
  equal(picture.headers.get('content-type'), 'image/svg+xml; charset=utf-8')
  equal((await server.call('GET', '/v1/catalog/products')).body.data.pagination.total, 3_000)
  equal(await server.end('SIGTERM'), 0)
})
