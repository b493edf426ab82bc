import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { faultOfUrl, mayReach } from '../base/addresses.ts'
import type { Placed } from '../base/outbox.ts'
import { wishedPauseMs } from '../base/retry.ts'
import { type EventType, events } from '../events.ts'
import { cloudEventText } from './cloud-event.ts'
import { healthAfter, longestLine } from './endpoint.ts'
import { mealOf } from './feeder.ts'
import { emptyFilters, typesOf } from './filters.ts'
import { mostTries, pauseMs } from './retry.ts'

const at = new Date('2026-11-01T09:00:00Z')
const later = (days: number) => new Date(at.getTime() + days * 86_400_000)

test('a filter names events by letters, with or without their module', () => {
  equal(typesOf('*').length, Object.keys(events).length)
  deepEqual(typesOf('OfferCreated'), ['OfferCreated'])
  deepEqual(typesOf('catalog.OfferCreated'), ['OfferCreated'])
  deepEqual(
    typesOf('catalog.*'),
    namesWith(({ module }) => module === 'catalog'),
  )
  deepEqual(
    typesOf('Offer*'),
    namesWith(({ type }) => type.startsWith('Offer')),
  )
  deepEqual(
    typesOf('*Deleted'),
    namesWith(({ type }) => type.endsWith('Deleted')),
  )
  deepEqual(typesOf('catalog.*Price*'), ['OfferPriceChanged'])
  deepEqual(emptyFilters(['Offer*', 'Ofer*', 'cart.Brand*', '', 'O*O*O*O*O*x']), [
    'Ofer*',
    'cart.Brand*',
    '',
    'O*O*O*O*O*x',
  ])
})

const namesWith = (fits: (it: { type: string; module: string }) => boolean): EventType[] =>
  Object.entries(events)
    .filter(([type, { module }]) => fits({ type, module }))
    .map(([type]) => type as EventType)

test('ten tries spread over 75 hours, a little longer by chance', () => {
  equal(mostTries, 10)
  const sum = (chance: number) =>
    Array.from({ length: 9 }, (_, tries) => pauseMs(tries + 1, { chance })!).reduce((a, b) => a + b)
  equal(Math.floor(sum(0) / 3_600_000), 75)
  ok(sum(1) > sum(0) && sum(1) < sum(0) * 1.11)
  equal(pauseMs(10, { chance: 0 }), undefined)
})

test('a receiver that asks for time gets it, up to a day', () => {
  equal(wishedPauseMs(429, '120', at), 120_000)
  equal(wishedPauseMs(503, later(1).toUTCString(), at), 86_400_000)
  equal(wishedPauseMs(500, '120', at), undefined)
  equal(wishedPauseMs(429, 'soon', at), undefined)
  equal(wishedPauseMs(429, undefined, at), undefined)
  equal(pauseMs(1, { chance: 0, wishedMs: 120_000 }), 120_000)
  equal(pauseMs(1, { chance: 0, wishedMs: 1 }), 5_000)
  equal(pauseMs(1, { chance: 0, wishedMs: 1e12 }), 86_400_000)
})

test('an endpoint is disabled when it says that it is gone, and after five days of failure', () => {
  const good = { succeeded: true, status: 200 }
  const bad = { succeeded: false, status: 500 }
  const well = { failures: 0, failingSince: null }
  const ill = { failures: 7, failingSince: at }
  deepEqual(healthAfter(well, [bad, bad], at), { failures: 2, failingSince: at, disable: null })
  deepEqual(healthAfter(ill, [bad], later(4.9)), { failures: 8, failingSince: at, disable: null })
  deepEqual(healthAfter(ill, [bad], later(5)), { failures: 8, failingSince: at, disable: 'failing' })
  deepEqual(healthAfter(ill, [bad, good], later(6)), { failures: 0, failingSince: null, disable: null })
  equal(healthAfter(well, [{ succeeded: false, status: 410 }], at).disable, 'gone')
})

test('a line that is full takes no more, and goes on where it stopped', () => {
  const endpoint = { id: 'a', filters: ['Brand*'], position: 4, waiting: longestLine - 2 }
  const batch = [3, 5, 6, 7, 8].map((position) =>
    placed(position, position === 6 ? 'OfferDeleted' : 'BrandDeleted'),
  )
  const { deliveries, position, waiting } = mealOf(endpoint, batch)
  deepEqual(
    deliveries.map((it) => it.event.position),
    [5, 7],
  )
  deepEqual({ position, waiting }, { position: 7, waiting: longestLine })
})

const placed = (position: number, type: 'BrandDeleted' | 'OfferDeleted'): Placed => ({
  id: `0192f0c1-6a53-7a53-9d1a-00000000000${position}`,
  sequence: position,
  position,
  subject: `brand/${position}`,
  occurredAt: at,
  event: type === 'BrandDeleted' ? { type, brandId: position } : { type, offerId: position, productId: 1 },
})

test('an event looks the same wherever it goes', () => {
  equal(
    cloudEventText(placed(5, 'BrandDeleted'), 'test'),
    '{"specversion":"1.0","id":"0192f0c1-6a53-7a53-9d1a-000000000005","source":"/test/catalog","type":"BrandDeleted","subject":"brand/5","time":"2026-11-01T09:00:00.000Z","sequence":5,"datacontenttype":"application/json","data":{"BrandId":5}}',
  )
})

test('only public addresses are reached, and in test this machine', () => {
  // oxfmt-ignore
  const shut = ['0.0.0.0', '10.1.2.3', '100.64.0.1', '169.254.169.254', '172.31.0.1', '192.168.1.1', '198.18.0.1', '224.0.0.1',
    '255.255.255.255', '::', 'fe80::1', 'fe80::1%eth0', 'fc00::1', 'ff02::1', '64:ff9b::a00:1', '2002:a00:1::', '2001:db8::1', '::ffff:10.0.0.1', '::ffff:a9fe:a9fe', '::10.0.0.1', 'example.com', '']
  for (const address of shut)
    for (const environment of ['live', 'test'] as const)
      equal(mayReach(address, environment), false, `${address} ${environment}`)
  for (const address of ['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1', '::ffff:7f00:1'])
    deepEqual([mayReach(address, 'live'), mayReach(address, 'test')], [false, true], address)
  for (const address of ['1.1.1.1', '93.184.216.34', '2606:4700::1111', '::ffff:1.1.1.1'])
    deepEqual([mayReach(address, 'live'), mayReach(address, 'test')], [true, true], address)
})

test('an address is judged as it will be connected to, however it is written', () => {
  const faults = (url: string) => [faultOfUrl(url, 'live'), faultOfUrl(url, 'test')]
  deepEqual(faults('https://example.com/x'), [undefined, undefined])
  deepEqual(faults('http://example.com/x'), ['https_required', undefined])
  deepEqual(faults('https://127.0.0.1'), ['private_address', undefined])
  for (const host of [
    '10.0.0.1',
    '0xa.1',
    '167772161',
    '012.0.0.1',
    '[::ffff:10.0.0.1]',
    '[fe80::1]',
    '169.254.169.254',
  ])
    deepEqual(faults(`https://${host}/`), ['private_address', 'private_address'], host)
  deepEqual(faults('https://user@example.com'), ['credentials', 'credentials'])
  deepEqual(faults('https://user:word@example.com'), ['credentials', 'credentials'])
  for (const url of [
    'ftp://example.com',
    'file:///etc/passwd',
    'gopher://x',
    'x',
    'https://',
    'javascript:1',
  ])
    deepEqual(faults(url), ['format', 'format'], url)
})
