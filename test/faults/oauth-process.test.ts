import { equal, ok } from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { nightly } from '../support/nightly.ts'
import {
  actionOf,
  allowed,
  authorizeAddress,
  Browser,
  credentialsOf,
  csrfOf,
  exchangeCode,
  clientCredentialsToken,
  newApplication,
  newBuyer,
  password,
  refresh,
  returned,
  sendForm,
  signedInThrough,
  type TestApplication,
} from '../support/oauth.ts'
import { type RunningServer, startServer, preparedFolder } from '../support/process.ts'
import { openPlatform } from '../support/shop.ts'
import { waitUntil } from '../support/wait-until.ts'

const redirect = 'https://shop.example/signed-in'

async function register({ call }: RunningServer): Promise<TestApplication> {
  const reply = await call('POST', '/v1/admin/applications', {
    body: {
      name: 'Till',
      type: 'web',
      scopes: ['catalog:read', 'cart:read', 'profile:read'],
      redirect_urls: [redirect],
    },
  })
  const { application, client_secret: secret, api_key: apiKey } = reply.body.data
  return { id: application.client_id, secret, apiKey, redirect }
}

/** Whether a file below a folder contains the text. The database writes its files when it stops. */
function foundIn(folder: string, text: string): boolean {
  try {
    execFileSync('grep', ['-rqaF', '--', text, folder])
    return true
  } catch (error) {
    equal((error as { status: number }).status, 1, 'grep could not look')
    return false
  }
}

test(
  'a restart between all steps changes nothing, and no issued secret is stored in plain text',
  nightly,
  async () => {
    const DATA_DIR = await preparedFolder()
    const log: string[] = []
    const start = () => startServer({ DATA_DIR, LOG_LEVEL: 'debug', DEMO: 'false' })
    let server = await start()
    const key = server.keys.test
    const restarted = async (signal: NodeJS.Signals) => {
      log.push(server.output().split('Ctrl-C stops it.')[1] ?? server.output())
      await server.end(signal)
      server = await start()
      return server.url
    }
    const application = await register(server)
    const { phone, id } = await newBuyer(server.url, key)

    let browser = new Browser(server.url)
    const signIn = await browser.follow(authorizeAddress(application, { state: 's' }))
    browser = browser.at(await restarted('SIGTERM'))
    const consent = await browser.follow(actionOf(signIn), { login: phone, password })
    browser = browser.at(await restarted('SIGKILL'))
    const shown = await browser.follow(actionOf(consent), { csrf_token: csrfOf(consent), decision: 'allow' })
    const code = returned(shown).get('code')!
    await restarted('SIGTERM')
    const first = (await exchangeCode(server.url, application, code)).body
    await restarted('SIGKILL')
    const me = await server.call('GET', '/v1/auth/me', { key: first.access_token })
    equal(me.body.data.client.id, String(id))
    const second = (await refresh(server.url, application, first.refresh_token)).body
    const itself = (await clientCredentialsToken(server.url, application)).body
    await restarted('SIGTERM')
    equal((await refresh(server.url, application, first.refresh_token)).body.error, 'invalid_grant')
    equal((await server.call('GET', '/v1/auth/me', { key: second.access_token })).status, 401)
    equal((await server.call('GET', '/v1/catalog/brands', { key: itself.access_token })).status, 200)
    log.push(server.output().split('Ctrl-C stops it.')[1] ?? '')
    await server.end('SIGTERM')

    const secrets = [
      code,
      first.access_token,
      first.refresh_token,
      second.access_token,
      second.refresh_token,
      itself.access_token,
      application.secret,
      password,
      ...browser.cookies,
    ]
    for (const secret of secrets) {
      ok(secret.length > 10)
      ok(!log.join('').includes(secret), `${secret.slice(0, 8)}… is in the log`)
      ok(!foundIn(DATA_DIR, secret), `${secret.slice(0, 8)}… is in the data directory`)
    }
    ok(foundIn(DATA_DIR, application.id), 'the search can find something')
  },
)

test('a refresh is repeated with the same reply when the server died before replying', async () => {
  const DATA_DIR = await preparedFolder()
  const start = () => startServer({ DATA_DIR, DEMO: 'false' })
  let server = await start()
  const application = await register(server)
  const { phone } = await newBuyer(server.url, server.keys.test)
  const browser = new Browser(server.url)
  const shown = await allowed(browser, await signedInThrough(browser, authorizeAddress(application), phone))
  const { body: first } = await exchangeCode(server.url, application, returned(shown).get('code')!)
  const lost = refresh(server.url, application, first.refresh_token).then(
    () => 'answered',
    () => 'lost',
  )
  await waitUntil(() => isUsed(server, application, first.refresh_token))
  await server.end('SIGKILL')
  equal(await lost, 'lost')
  server = await start()
  const again = await refresh(server.url, application, first.refresh_token)
  equal(again.status, 200, again.text)
  equal((await refresh(server.url, application, again.body.refresh_token)).status, 200)
  await server.end('SIGTERM')
})

async function isUsed({ url }: RunningServer, application: TestApplication, token: string): Promise<boolean> {
  const { body } = await sendForm(url, '/oauth/introspect', { token, ...credentialsOf(application) })
  return body.active === false
}

test('every step may be served by another server', async () => {
  const one = await openPlatform()
  const other = await openPlatform({ connection: one.connection })
  const application = await newApplication(one)
  const { phone, id } = await newBuyer(one.url, one.keys.test)
  let browser = new Browser(one.url)
  const signIn = await browser.follow(authorizeAddress(application))
  browser = browser.at(other.url)
  const consent = await browser.follow(actionOf(signIn), { login: phone, password })
  browser = browser.at(one.url)
  const shown = await browser.follow(actionOf(consent), { csrf_token: csrfOf(consent), decision: 'allow' })
  const { body } = await exchangeCode(other.url, application, returned(shown).get('code')!)
  const me = await one.call('GET', '/v1/auth/me', { key: body.access_token })
  equal(me.body.data.client.id, String(id))
  equal((await refresh(one.url, application, body.refresh_token)).status, 200)
  const again = await allowed(browser, await signedInThrough(browser, authorizeAddress(application), phone))
  ok(returned(again).has('code'))
})
