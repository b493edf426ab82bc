// The history of the demo shop is loaded while the server runs, and the load continues after a restart.

import { equal, notDeepEqual, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { nightly } from '../support/nightly.ts'
import { startServer, temporaryFolder } from '../support/process.ts'
import { waitUntil } from '../support/wait-until.ts'

test(
  'an interrupted load of the demo history continues at the next start, which trains on it',
  nightly,
  async () => {
    const folder = temporaryFolder()
    const first = await startServer({ DATA_DIR: folder, DEMO: 'true' })
    equal(await first.end('SIGTERM'), 0)
    ok(!first.output().includes('demo history loaded'))

    const env = { DATA_DIR: folder, DEMO: '', LOG_LEVEL: 'info' }
    const second = await startServer(env)
    await waitUntil(() => /demo history loaded/.test(second.output()))
    const reply = await second.call('GET', '/v1/catalog/products?sort=-popularity&per_page=1', {
      key: second.keys.live,
    })
    equal(reply.status, 200, reply.text)

    // A training on that history starts by itself; then lists of two buyers differ.
    const listOf = async (client: number) => {
      const body = { user_id: `${client}`, from_layer: 'main_page', from_app: 'shop' }
      return (await second.call('POST', '/offers/recommended/v3', { key: null, body })).body
    }
    await waitUntil(async () => (await listOf(17)).source === 'catboost')
    const [one, other] = [await listOf(17), await listOf(18)]
    const idsOf = (list: { offers: { offer_id: string }[] }) => list.offers.map((it) => it.offer_id)
    equal(new Set(idsOf(one)).size, 30)
    equal(other.source, 'catboost')
    notDeepEqual(idsOf(one), idsOf(other))
    // Test has the same history and gets the same model; the storefront sells from it.
    await waitUntil(async () => {
      const models = await second.call('GET', '/v1/recommendations/models', { key: second.keys.test })
      return models.body.data.models.length === 1
    })
    equal(await second.end('SIGTERM'), 0)
  },
)
