// The receiver that the reference shows, taken from the page and run as it stands.

import { equal, ok } from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { after, test } from 'node:test'
import { freePort } from '../support/nats.ts'
import { newHook } from '../support/receiver.ts'
import { openPlatform } from '../support/shop.ts'
import { until } from '../support/until.ts'

const { call, url } = await openPlatform()

async function codeOf(title: string): Promise<string> {
  const page = await (await fetch(`${url}/docs`)).text()
  const [, code] = new RegExp(`<figcaption>${title}[^]*?<code>([^]*?)</code>`).exec(page) ?? []
  ok(code, `the page shows no "${title}"`)
  const marks = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'", '&amp;': '&' }
  return code.replace(/&[a-z#0-9]+;/g, (it) => marks[it as keyof typeof marks])
}

test('the receiver of the guide takes what we sign and refuses what others send', async () => {
  const port = await freePort()
  const code = (await codeOf('Receive')).replace('3000', String(port))
  const hook = await newHook(call, `http://127.0.0.1:${port}/hooks`, ['BrandCreated'])
  const child = spawn(process.execPath, ['--input-type=module', '--eval', code], {
    env: { ...process.env, SECRET: hook.secret, NODE_TEST_CONTEXT: undefined },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  after(() => child.kill())
  let said = ''
  child.stdout.on('data', (piece: Buffer) => (said += piece.toString()))
  const post = (body: string) => fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body })
  await until(() =>
    post('forged').then(
      ({ status }) => status === 400,
      () => false,
    ),
  )

  const made = await call('POST', '/v1/catalog/brands', { body: { slug: 'artel', name: 'Артель' } })
  equal(made.status, 201, made.text)
  const { id } = made.body.data.brand
  await until(() => said.includes('\n'))
  equal(said, `BrandCreated brand/${id}\n`)
  const path = `/v1/webhooks/${hook.id}/deliveries`
  await until(async () => (await call('GET', path)).body.data.deliveries[0].status === 'succeeded')
})
