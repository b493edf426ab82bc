import { deepEqual, equal, match } from 'node:assert/strict'
import { test } from 'node:test'
import { openPlatform } from '../../../test/support/shop.ts'

const { call, url } = await openPlatform()

async function make(slug: string, parent?: string): Promise<string> {
  const reply = await call('POST', '/v1/catalog/categories', {
    body: { slug, name: { ru: `Р ${slug}`, en: `E ${slug}` }, ...(parent && { parent_id: Number(parent) }) },
  })
  equal(reply.status, 201, reply.text)
  return reply.body.data.category.id as string
}
const read = async (id: string, headers = {}) =>
  (await call('GET', `/v1/catalog/categories/${id}`, { headers })).body.data.category

test('a category has exactly the fields of SPEC-1 2.2', async () => {
  const category = await read(await make('phones'))
  deepEqual(Object.keys(category), [
    'id',
    'name',
    'slug',
    'description',
    'parent_id',
    'level',
    'image_url',
    'created_at',
    'updated_at',
  ])
  equal(category.description, '')
  equal(category.parent_id, null)
  equal(category.level, 0)
  match(category.created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
})

test('a category without a picture shows a generated one that can be fetched', async () => {
  const { image_url } = await read(await make('tablets'))
  equal(image_url, `${url}/pictures/categories/tablets.svg`)
  const picture = await fetch(image_url)
  equal(picture.headers.get('content-type'), 'image/svg+xml; charset=utf-8')
  match(await picture.text(), /^<svg /)
})

test('names follow the language and fall back to Russian', async () => {
  const id = await make('tv')
  equal((await read(id)).name, 'Р tv')
  equal((await read(id, { 'accept-language': 'en' })).name, 'E tv')
  equal((await read(id, { 'accept-language': 'uz' })).name, 'Р tv')
  const global = await call('GET', `/global/v1/catalog/categories/${id}`)
  equal(global.body.data.category.name, 'E tv')
  equal(global.headers.get('content-language'), 'en')
})

test('moving a category moves its subtree', async () => {
  const [home, a, b] = [await make('home'), await make('kitchen'), await make('garden')]
  const child = await make('stoves', a)
  const grandchild = await make('gas-stoves', child)
  equal((await read(grandchild)).level, 2)
  const moved = await call('PATCH', `/v1/catalog/categories/${a}`, { body: { parent_id: Number(home) } })
  equal(moved.body.data.category.level, 1)
  equal((await read(grandchild)).level, 3)
  equal((await read(b)).level, 0)
  await call('PATCH', `/v1/catalog/categories/${a}`, { body: { parent_id: null } })
  equal((await read(grandchild)).level, 2)
})

test('a category cannot be below itself, below an unknown parent, or too deep', async () => {
  const top = await make('deep-0')
  let last = top
  for (let level = 1; level <= 9; level++) last = await make(`deep-${level}`, last)
  const fault = async (id: string, parent_id: number) =>
    (await call('PATCH', `/v1/catalog/categories/${id}`, { body: { parent_id } })).body.error?.details
      .fields?.[0]?.rule
  equal(await fault(top, Number(last)), 'cycle')
  equal(await fault(top, Number(top)), 'cycle')
  equal(await fault(top, 999_999), 'exists')
  const tooDeep = await call('POST', '/v1/catalog/categories', {
    body: { slug: 'deep-10', name: { ru: 'x' }, parent_id: Number(last) },
  })
  equal(tooDeep.status, 422)
})

test('two parallel moves never make a cycle', async () => {
  for (let round = 0; round < 5; round++) {
    const [a, b] = [await make(`ring-a-${round}`), await make(`ring-b-${round}`)]
    const move = (id: string, under: string) =>
      call('PATCH', `/v1/catalog/categories/${id}`, { body: { parent_id: Number(under) } })
    const replies = await Promise.all([move(a, b), move(b, a)])
    deepEqual(replies.map((it) => it.status).toSorted(), [200, 422])
  }
})

test('a category created below one that is being moved is one level below it', async () => {
  const home = Number(await make('yard'))
  for (let round = 0; round < 10; round++) {
    const top = await make(`moving-${round}`)
    const parent = await make(`moving-parent-${round}`, top)
    const [child] = await Promise.all([
      make(`moving-child-${round}`, parent),
      call('PATCH', `/v1/catalog/categories/${top}`, { body: { parent_id: home } }),
    ])
    equal((await read(child)).level, 3)
  }
})

test('moving a category below one that is being deleted either succeeds first or is refused', async () => {
  const ward = await make('ward')
  for (let round = 0; round < 10; round++) {
    const [id, parent] = [await make(`homeless-${round}`), await make(`doomed-${round}`, ward)]
    const [moved, deleted] = await Promise.all([
      call('PATCH', `/v1/catalog/categories/${id}`, { body: { parent_id: Number(parent) } }),
      call('DELETE', `/v1/catalog/categories/${parent}`),
    ])
    deepEqual([moved.status, deleted.status].toSorted(), deleted.status === 200 ? [200, 422] : [200, 409])
  }
})

test('a category with children cannot be deleted', async () => {
  const parent = await make('full')
  const child = await make('inside', parent)
  equal((await call('DELETE', `/v1/catalog/categories/${parent}`)).status, 409)
  equal((await call('DELETE', `/v1/catalog/categories/${child}`)).status, 200)
  equal((await call('DELETE', `/v1/catalog/categories/${parent}`)).status, 200)
})

test('a list is filtered, sorted, and walked by pages or by cursor to the same end', async () => {
  const parent = await make('walk')
  const ids: string[] = []
  for (let at = 0; at < 7; at++) ids.push(await make(`walk-${6 - at}`, parent))
  const page = async (query: string) =>
    (await call('GET', `/v1/catalog/categories?parent_id=${parent}&per_page=3&${query}`)).body.data
  const first = await page('sort=-name')
  deepEqual(
    first.categories.map((it: { slug: string }) => it.slug),
    ['walk-6', 'walk-5', 'walk-4'],
  )
  deepEqual(
    { ...first.pagination, next_cursor: null },
    { page: 1, per_page: 3, total: 7, pages: 3, next_cursor: null },
  )

  const byPages = [1, 2, 3].map((at) => page(`sort=created_at&page=${at}`))
  const pages = (await Promise.all(byPages)).flatMap((it) =>
    it.categories.map((one: { id: string }) => one.id),
  )
  const walked: string[] = []
  for (let cursor = ''; ;) {
    const data = await page(`sort=created_at${cursor && `&cursor=${cursor}`}`)
    walked.push(...data.categories.map((it: { id: string }) => it.id))
    cursor = data.pagination.next_cursor
    if (!cursor) break
  }
  deepEqual(pages, ids)
  deepEqual(walked, ids)
})

test('a category is found by its slug, and by earlier ones after it was renamed', async () => {
  const bySlug = async (slug: string) => (await call('GET', `/v1/catalog/categories/by-slug/${slug}`)).body
  const rename = async (id: string, slug: string) =>
    equal((await call('PATCH', `/v1/catalog/categories/${id}`, { body: { slug } })).status, 200)
  const first = await make('first-name')
  equal((await bySlug('first-name')).data.moved_from, null)
  await rename(first, 'second-name')
  await rename(first, 'third-name')
  for (const earlier of ['first-name', 'second-name']) {
    const { category, moved_from: from } = (await bySlug(earlier)).data
    deepEqual([category.id, category.slug, from], [first, 'third-name', earlier])
  }
  // A category that has the slug now comes before one that had it.
  const second = await make('first-name')
  equal((await bySlug('first-name')).data.category.id, second)
  const { error } = await bySlug('never-named')
  deepEqual([error.code, error.details.resource, error.details.id], ['not_found', 'category', 'never-named'])
  equal((await call('DELETE', `/v1/catalog/categories/${first}`)).status, 200)
  equal((await bySlug('second-name')).error.code, 'not_found')
})
