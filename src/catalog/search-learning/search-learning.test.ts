import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { openPlatform } from '../../../test/support/shop.ts'
import { waitFor, waitUntil } from '../../../test/support/wait-until.ts'
import { compare, isWin, predictCategories, type SearchOutcome, splitByDays } from './learn.ts'

const outcome = (it: Partial<SearchOutcome>): SearchOutcome => ({
  query: 'apple',
  day: '2026-11-01',
  productId: 1,
  categoryId: 1,
  brandId: null,
  weight: 2,
  ...it,
})

test('a category is predicted for queries that are frequent and clear', () => {
  const clear = [outcome({ weight: 8 }), outcome({ categoryId: 2, weight: 2 })]
  deepEqual(predictCategories(clear), [{ query: 'apple', categoryId: 1, share: 0.8, weight: 10 }])
  deepEqual(predictCategories([outcome({ weight: 5 }), outcome({ categoryId: 2, weight: 5 })]), [])
  deepEqual(predictCategories([outcome({ weight: 4 })]), [])
})

test('the last fifth of the days is held out', () => {
  const all = Array.from({ length: 10 }, (_, at) => outcome({ day: `2026-11-${10 + at}` }))
  const { earlier, heldOut } = splitByDays(all)
  deepEqual([earlier.length, heldOut.map((it) => it.day)], [8, ['2026-11-18', '2026-11-19']])
  deepEqual(splitByDays([outcome({})]).heldOut, [])
})

test('what is learned is used only if buyers chose higher places with it', async () => {
  const ranks = { plain: async () => [2, 1], learned: async () => [1, 2], queries: new Set(['apple']) }
  const other = outcome({ query: 'pear', productId: 2, weight: 500 })
  const result = (productId: number, weight = 60) => compare([outcome({ productId, weight }), other], ranks)
  deepEqual(await result(1), { weight: 60, plain: 0.5, learned: 1 })
  ok(isWin(await result(1)))
  ok(!isWin(await result(2)), 'it is worse')
  ok(!isWin(await result(1, 40)), 'too little is known')
  deepEqual(await result(3), { weight: 60, plain: 0, learned: 0 })
})

test('the job learns from reported interactions, and operators can switch it off', async () => {
  const shop = await openPlatform()
  const made = async (path: string, body: object): Promise<string> => {
    const reply = await shop.call('POST', `/v1/catalog/${path}`, { body })
    equal(reply.status, 201, reply.text)
    return (Object.values(reply.body.data)[0] as { id: string }).id
  }
  const partner = await made('partners', { slug: 'texno', name: 'Texno' })
  const offers: Record<string, string> = {}
  for (const kind of ['lamp', 'kettle']) {
    const category = await made('categories', { slug: kind, name: { en: `${kind}s` } })
    const product = await made('products', {
      slug: `aurora-${kind}`,
      category_id: category,
      name: { en: `Aurora X1 ${kind}` },
    })
    const sold = { product_id: product, partner_id: partner, price_tiyin: 100_000, quantity: 5 }
    offers[kind] = await made('offers', sold)
  }
  const search = async () => {
    const reply = await shop.call('GET', '/v1/catalog/products/search?q=aurora')
    equal(reply.status, 200, reply.text)
    const { products, search_id: id } = reply.body.data
    return { id, slugs: products.map((it: { slug: string }) => it.slug) }
  }
  const { id, slugs } = await search()
  deepEqual(slugs, ['aurora-lamp', 'aurora-kettle'])
  const logged = async () => (await shop.call('GET', '/v1/admin/search/queries')).body.data.queries
  await waitUntil(async () => (await logged()).length === 1, { what: 'the search is counted' })

  const dayMs = 86_400_000
  const now = Date.parse((await shop.call('GET', '/v1/admin/search/queries')).body.meta.timestamp)
  const interactions = Array.from({ length: 60 }, (_, at) => ({
    user_id: `buyer-${at}`,
    offer_id: offers['kettle'],
    kind: 'purchase',
    at: new Date(now - (1 + (at % 10)) * dayMs).toISOString(),
    search_id: id,
  }))
  const reported = await shop.call('POST', '/v1/interactions', { body: { interactions } })
  equal(reported.status, 200, reported.text)
  const started = await shop.call('POST', '/v1/admin/jobs/learn-search/run')
  ok(started.status < 300, started.text)
  const read = async () => (await shop.call('GET', '/v1/admin/search/learning')).body.data.learning
  const learning = await waitFor(
    async () => {
      const found = await read()
      return found.learned_at === null ? undefined : found
    },
    { what: 'the job has learned' },
  )
  deepEqual([learning.active, learning.comparison.plain, learning.comparison.learned], [true, 0.5, 1])
  equal(learning.predictions[0].query, 'aurora')
  await waitUntil(async () => (await search()).slugs[0] === 'aurora-kettle', { what: 'searches use it' })

  const again = await shop.call('POST', '/v1/admin/jobs/learn-search/run')
  ok(again.status < 300, again.text)
  await waitUntil(async () => (await read()).learned_at !== learning.learned_at, { what: 'the second run' })
  equal((await read()).version, learning.version, 'a run that learns the same publishes no new version')

  const change = async (body: object) => {
    const changed = await shop.call('PATCH', '/v1/admin/search/learning', { body })
    equal(changed.status, 200, changed.text)
    return changed.body.data.learning
  }
  const without = await change({ predictions_enabled: false })
  deepEqual([without.enabled, without.active, without.ranker.enabled], [true, false, true])
  deepEqual((await search()).slugs, ['aurora-lamp', 'aurora-kettle'])
  equal((await change({ predictions_enabled: true, ranker_enabled: false })).ranker.enabled, false)
  deepEqual((await search()).slugs, ['aurora-kettle', 'aurora-lamp'])

  const off = await shop.call('PATCH', '/v1/admin/search/learning', { body: { enabled: false } })
  equal(off.status, 200, off.text)
  deepEqual((await search()).slugs, ['aurora-lamp', 'aurora-kettle'])
})

test('a synonym that buyers taught is used when it wins, can be inspected and switched off', async () => {
  const shop = await openPlatform()
  const made = async (path: string, body: object): Promise<string> => {
    const reply = await shop.call('POST', `/v1/catalog/${path}`, { body })
    equal(reply.status, 201, reply.text)
    return (Object.values(reply.body.data)[0] as { id: string }).id
  }
  const partner = await made('partners', { slug: 'texno', name: 'Texno' })
  const category = await made('categories', { slug: 'lamps', name: { en: 'Lamps' } })
  const product = await made('products', { slug: 'lamp', category_id: category, name: { en: 'Aurora lamp' } })
  const sold = { product_id: product, partner_id: partner, price_tiyin: 100_000, quantity: 5 }
  const offer = await made('offers', sold)
  const search = async (q: string) => {
    const reply = await shop.call('GET', `/v1/catalog/products/search?q=${q}`)
    equal(reply.status, 200, reply.text)
    return { id: reply.body.data.search_id, count: reply.body.data.products.length as number }
  }
  const [lamp, glower] = [await search('lamp'), await search('glowette')]
  deepEqual([lamp.count, glower.count], [1, 0])
  const logged = async () => (await shop.call('GET', '/v1/admin/search/queries')).body.data.queries
  await waitUntil(async () => (await logged()).length === 2, { what: 'the searches are counted' })

  const now = Date.parse((await shop.call('GET', '/v1/admin/search/queries')).body.meta.timestamp)
  const interactions = Array.from({ length: 80 }, (_, at) => ({
    user_id: `buyer-${at}`,
    offer_id: offer,
    kind: 'purchase',
    at: new Date(now - (1 + (at % 10)) * 86_400_000).toISOString(),
    search_id: at < 20 ? lamp.id : glower.id,
  }))
  const reported = await shop.call('POST', '/v1/interactions', { body: { interactions } })
  equal(reported.status, 200, reported.text)
  const started = await shop.call('POST', '/v1/admin/jobs/learn-search/run')
  ok(started.status < 300, started.text)
  const read = async () => (await shop.call('GET', '/v1/admin/search/learning')).body.data.learning
  await waitUntil(async () => (await read()).learned_at !== null, { what: 'the job has learned' })
  const { synonyms } = await read()
  deepEqual(synonyms.lines, [{ query: 'glowette', meant: 'lamp', similarity: 1, weight: 480 }])
  deepEqual([synonyms.active, synonyms.comparison.plain, synonyms.comparison.learned], [true, 0, 1])
  await waitUntil(async () => (await search('glowette')).count === 1, { what: 'searches use it' })

  const off = await shop.call('PATCH', '/v1/admin/search/learning', { body: { synonyms_enabled: false } })
  equal(off.body.data.learning.synonyms.active, false)
  equal((await search('glowette')).count, 0)
})
