import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { urlFault, mayReach } from '../base/outbound-address.ts'
import type { RelayedEvent } from '../base/outbox.ts'
import { retryAfterMs } from '../base/retry.ts'
import { type EventType, events } from '../events.ts'
import { cloudEventText } from './events/cloud-event.ts'
import { healthAfter, maxQueueLength } from './endpoints/endpoint.ts'
import { batchFor } from './deliveries/enqueue-events.ts'
import { filtersWithoutMatch, matchingTypes } from './events/event-filters.ts'
import { maxAttempts, nextRetryMs } from './deliveries/record-attempts.ts'

const at = new Date('2026-11-01T09:00:00Z')
const later = (days: number) => new Date(at.getTime() + days * 86_400_000)

test('a filter matches event names by wildcard, with or without their module', () => {
  equal(matchingTypes('*').length, Object.keys(events).length)
  deepEqual(matchingTypes('OfferCreated'), ['OfferCreated'])
  deepEqual(matchingTypes('catalog.OfferCreated'), ['OfferCreated'])
  deepEqual(
    matchingTypes('catalog.*'),
    namesWith(({ module }) => module === 'catalog'),
  )
  deepEqual(
    matchingTypes('Offer*'),
    namesWith(({ type }) => type.startsWith('Offer')),
  )
  deepEqual(
    matchingTypes('*Deleted'),
    namesWith(({ type }) => type.endsWith('Deleted')),
  )
  deepEqual(matchingTypes('catalog.*Price*'), ['OfferPriceChanged'])
  deepEqual(filtersWithoutMatch(['Offer*', 'Ofer*', 'cart.Brand*', '', 'O*O*O*O*O*x']), [
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

test('spreads ten attempts over 75 hours, with jitter', () => {
  equal(maxAttempts, 10)
  const sum = (chance: number) =>
    Array.from({ length: 9 }, (_, tries) => nextRetryMs(tries + 1, { chance })!).reduce((a, b) => a + b)
  equal(Math.floor(sum(0) / 3_600_000), 75)
  ok(sum(1) > sum(0) && sum(1) < sum(0) * 1.11)
  equal(nextRetryMs(10, { chance: 0 }), undefined)
})

test('honours Retry-After up to a day', () => {
  equal(retryAfterMs(429, '120', at), 120_000)
  equal(retryAfterMs(503, later(1).toUTCString(), at), 86_400_000)
  equal(retryAfterMs(500, '120', at), undefined)
  equal(retryAfterMs(429, 'soon', at), undefined)
  equal(retryAfterMs(429, undefined, at), undefined)
  equal(nextRetryMs(1, { chance: 0, requestedMs: 120_000 }), 120_000)
  equal(nextRetryMs(1, { chance: 0, requestedMs: 1 }), 5_000)
  equal(nextRetryMs(1, { chance: 0, requestedMs: 1e12 }), 86_400_000)
})

test('disables an endpoint after 410 and after five days of failure', () => {
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

test('a full queue takes no more and continues where it stopped', () => {
  const endpoint = { id: 'a', filters: ['Brand*'], position: 4, waiting: maxQueueLength - 2 }
  const batch = [3, 5, 6, 7, 8].map((position) =>
    placed(position, position === 6 ? 'OfferDeleted' : 'BrandDeleted'),
  )
  const { deliveries, position, waiting } = batchFor(endpoint, batch)
  deepEqual(
    deliveries.map((it) => it.event.position),
    [5, 7],
  )
  deepEqual({ position, waiting }, { position: 7, waiting: maxQueueLength })
})

const placed = (position: number, type: 'BrandDeleted' | 'OfferDeleted'): RelayedEvent => ({
  id: `0192f0c1-6a53-7a53-9d1a-00000000000${position}`,
  sequence: position,
  position,
  subject: `brand/${position}`,
  occurredAt: at,
  event: type === 'BrandDeleted' ? { type, brandId: position } : { type, offerId: position, productId: 1 },
})

test('an event has the same bytes everywhere', () => {
  equal(
    cloudEventText(placed(5, 'BrandDeleted'), 'test'),
    '{"specversion":"1.0","id":"0192f0c1-6a53-7a53-9d1a-000000000005","source":"/test/catalog","type":"BrandDeleted","subject":"brand/5","time":"2026-11-01T09:00:00.000Z","sequence":5,"datacontenttype":"application/json","data":{"BrandId":5}}',
  )
})

const publicOnly = { requiresHttps: true, allowsLoopback: false }
const withLoopback = { requiresHttps: false, allowsLoopback: true }

test('reaches public addresses only, and in test loopback addresses', () => {
  // oxfmt-ignore
  const shut = ['0.0.0.0', '10.1.2.3', '100.64.0.1', '169.254.169.254', '172.31.0.1', '192.168.1.1', '198.18.0.1', '224.0.0.1',
    '255.255.255.255', '::', 'fe80::1', 'fe80::1%eth0', 'fc00::1', 'ff02::1', '64:ff9b::a00:1', '2002:a00:1::', '2001:db8::1', '::ffff:10.0.0.1', '::ffff:a9fe:a9fe', '::10.0.0.1', 'example.com', '']
  for (const address of shut)
    for (const policy of [publicOnly, withLoopback])
      equal(mayReach(address, policy), false, `${address} ${policy.allowsLoopback}`)
  for (const address of ['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1', '::ffff:7f00:1'])
    deepEqual([mayReach(address, publicOnly), mayReach(address, withLoopback)], [false, true], address)
  for (const address of ['1.1.1.1', '93.184.216.34', '2606:4700::1111', '::ffff:1.1.1.1'])
    deepEqual([mayReach(address, publicOnly), mayReach(address, withLoopback)], [true, true], address)
})

test('judges an address as it is connected to, however it is written', () => {
  const faults = (url: string) => [urlFault(url, publicOnly), urlFault(url, withLoopback)]
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
