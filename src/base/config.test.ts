import { deepEqual, doesNotMatch, equal, match, throws } from 'node:assert/strict'
import { test } from 'node:test'
import { ConfigError, readConfig } from './config.ts'
import { rateOf } from './rate.ts'

const problemsOf = (environment: Record<string, string>): string => {
  try {
    readConfig(environment)
    return ''
  } catch (error) {
    return (error as ConfigError).message
  }
}

test('every setting has a default', () => {
  const config = readConfig({})
  equal(config.port, 8080)
  equal(config.host, '127.0.0.1')
  equal(config.dataDir, './data')
  equal(config.timezone, 'Asia/Tashkent')
  deepEqual(config.rateLimit, { limit: 1000, windowSeconds: 60 })
})

test('in production the server listens on all interfaces', () =>
  equal(readConfig({ NODE_ENV: 'production' }).host, '0.0.0.0'))

test('an empty value means the default', () => equal(readConfig({ PORT: '' }).port, 8080))

test('one message names all invalid settings and what each allows', () => {
  const message = problemsOf({
    PORT: '80x',
    WORKERS: '0',
    DEMO: 'yes',
    SHOP_TIMEZONE: 'Mars/North',
    RATE_LIMIT: '10',
    LOG_LEVEL: 'loud',
    TRUST_PROXY: 'here',
    PUBLIC_URL: 'shop.uz',
    HOST: 'a b',
  })
  for (const name of [
    'PORT',
    'WORKERS',
    'DEMO',
    'SHOP_TIMEZONE',
    'RATE_LIMIT',
    'LOG_LEVEL',
    'TRUST_PROXY',
    'PUBLIC_URL',
    'HOST',
  ])
    match(message, new RegExp(`${name} must be`))
})

test('a proxy range has at most as many bits as its addresses', () => {
  for (const good of ['10.0.0.0/8', '127.0.0.1', '::1', 'fd00::/128, 10.0.0.1/32'])
    equal(problemsOf({ TRUST_PROXY: good }), '')
  for (const bad of ['10.0.0.0/33', 'fd00::/129', '10.0.0.0/', '10.0.0.0/8/8', '10.0.0.1,,'])
    match(problemsOf({ TRUST_PROXY: bad }), /TRUST_PROXY must be/)
})

test('the message about an invalid database URL does not contain the password', () => {
  const message = problemsOf({ DATABASE_URL: 'mysql://root:hunter2@db/shop' })
  match(message, /DATABASE_URL must be a postgres:\/\/ address/)
  doesNotMatch(message, /hunter2/)
})

test('NATS_URL may list several servers, and its error message contains no password', () => {
  const several = 'nats://one:4222, nats://two:4222'
  equal(readConfig({ NATS_URL: several }).natsUrl, several)
  const message = problemsOf({ NATS_URL: 'nats://a:hunter2@one,http://b:hunter3@two' })
  match(message, /NATS_URL must be nats:\/\/ or tls:\/\/ addresses/)
  doesNotMatch(message, /hunter/)
})

test('a rate is a number of requests per period, or none', () => {
  deepEqual(rateOf('100/10s'), { limit: 100, windowSeconds: 10 })
  deepEqual(rateOf('20/1m'), { limit: 20, windowSeconds: 60 })
  equal(rateOf('none'), 'none')
  for (const text of ['', '0/10s', '10', '10/0s', '10/10', '-1/10s', '1e3/10s', '10/25h'])
    equal(rateOf(text), undefined, text)
  throws(() => readConfig({ RATE_LIMIT: '0/1s' }), ConfigError)
})

test('SMTP_URL requires MAIL_FROM, and no error message contains a secret of a gateway', () => {
  match(problemsOf({ SMTP_URL: 'smtp://mail.uz' }), /MAIL_FROM must be set together with SMTP_URL/)
  const message = problemsOf({
    SMTP_URL: 'http://shop:hunter2@mail.uz',
    MAIL_FROM: 'Shop <shop@shop.uz>\r\nBcc: x@y.uz',
    SMS_SECRET: 'hunter2',
    PUSH_TOKEN: 'hunter2 hunter2',
  })
  for (const name of ['SMTP_URL', 'MAIL_FROM', 'SMS_SECRET', 'PUSH_TOKEN'])
    match(message, new RegExp(`- ${name} `))
  doesNotMatch(message, /hunter2/)
  for (const from of ['shop@shop.uz', 'Bozor <shop@shop.uz>', 'Магазин <shop@shop.uz>'])
    equal(readConfig({ SMTP_URL: 'smtp://mail.uz', MAIL_FROM: from }).mailFrom, from)
  for (const from of ['shop', '<shop@shop.uz', 'a@b@c', 'A "b" <a@b.uz>'])
    match(problemsOf({ MAIL_FROM: from }), /MAIL_FROM/)
})

test('SEARCH_ENGINE is memory by default, and opensearch needs an address', () => {
  deepEqual(readConfig({}).searchEngine, { kind: 'memory' })
  deepEqual(readConfig({ SEARCH_ENGINE: 'postgres' }).searchEngine, { kind: 'postgres' })
  match(problemsOf({ SEARCH_ENGINE: 'opensearch' }), /OPENSEARCH_URL must be set/)
  match(problemsOf({ SEARCH_ENGINE: 'sphinx' }), /SEARCH_ENGINE/)
})
