import { deepEqual, equal, ok, throws } from 'node:assert/strict'
import { test } from 'node:test'
import { minuteIn } from '../../base/time-zone.ts'
import { parsedConditions } from './audience.ts'
import {
  allowedSteps,
  type Campaign,
  campaignStates,
  messagesLeft,
  refuseUnlessAllowed,
  isHeldOut,
  isQuiet,
} from './campaign.ts'
import { type Trigger, dueWithin, scheduleViolation, isPast } from './triggers.ts'
import { upliftOf } from './results.ts'
import { type TargetContext, verdictsOn } from './verdict.ts'

const now = new Date('2026-03-10T12:00:00Z')
const hour = 3_600_000
const day = 24 * hour

test('a campaign goes from draft to running, can be paused, and finishes once', () => {
  deepEqual(Object.fromEntries(campaignStates.map((it) => [it, allowedSteps(it)])), {
    draft: ['start', 'change', 'delete'],
    running: ['pause', 'finish'],
    paused: ['resume', 'finish', 'change'],
    finished: [],
  })
  throws(
    () => refuseUnlessAllowed({ state: 'running' }, 'start'),
    (error: { code: string; details: object }) => {
      equal(error.code, 'invalid_transition')
      deepEqual(error.details, { state: 'running', requested: 'start', allowed: ['pause', 'finish'] })
      return true
    },
  )
})

test('a money budget covers whole messages, and the smaller of two budgets applies', () => {
  const none = { budgetMessages: null, budgetTiyin: null, priceTiyin: 300, sent: 5, costTiyin: 1_500 }
  equal(messagesLeft(none), Infinity)
  equal(messagesLeft({ ...none, budgetTiyin: 2_399 }), 2)
  equal(messagesLeft({ ...none, budgetTiyin: 2_399, budgetMessages: 6 }), 1)
  equal(messagesLeft({ ...none, budgetTiyin: 1_500 }), 0)
  equal(messagesLeft({ ...none, budgetTiyin: 1_500, priceTiyin: 0 }), Infinity)
})

test('quiet hours may cross midnight, include their first minute and exclude their last', () => {
  const night = { from: '21:00', to: '09:00' }
  const minutes = {
    '20:59': false,
    '21:00': true,
    '23:59': true,
    '00:00': true,
    '08:59': true,
    '09:00': false,
  }
  for (const [time, quiet] of Object.entries(minutes)) equal(isQuiet(night, minuteOf(time)), quiet, time)
  const noon = { from: '12:00', to: '13:00' }
  deepEqual(
    ['11:59', '12:00', '12:59', '13:00'].map((it) => isQuiet(noon, minuteOf(it))),
    [false, true, true, false],
  )
  ok(!isQuiet({ from: '00:00', to: '00:00' }, 0), 'hours that end when they begin are none')
})

test('quiet hours follow local time, also when daylight saving changes', () => {
  const minute = minuteIn('Europe/Berlin')
  const night = { from: '22:00', to: '03:00' }
  const quietAt = (at: string) => isQuiet(night, minute(new Date(at)))
  // On 29 March 2026 the clock goes from 02:00 to 03:00: quiet is over at 01:00 UTC.
  deepEqual(
    ['2026-03-28T20:59:00Z', '2026-03-28T21:00:00Z', '2026-03-29T00:59:00Z', '2026-03-29T01:00:00Z'].map(
      quietAt,
    ),
    [false, true, true, false],
  )
  // On 25 October 2026 it goes back from 03:00 to 02:00, and the hour that comes twice is quiet twice.
  deepEqual(['2026-10-25T00:59:00Z', '2026-10-25T01:30:00Z', '2026-10-25T02:00:00Z'].map(quietAt), [
    true,
    true,
    false,
  ])
})

test('midnight in the time zone of the shop is minute 0', () => {
  equal(minuteIn('Asia/Tashkent')(new Date('2026-03-10T19:00:00Z')), 0)
  equal(minuteIn('Asia/Tashkent')(new Date('2026-03-10T18:59:59Z')), 1_439)
})

test('the holdout group is stable and grows with its percentage', () => {
  const clients = Array.from({ length: 20_000 }, (_, at) => at + 1)
  const ten = clients.filter((it) => isHeldOut(7, it, 10))
  deepEqual(
    clients.filter((it) => isHeldOut(7, it, 10)),
    ten,
  )
  const twenty = new Set(clients.filter((it) => isHeldOut(7, it, 20)))
  ok(ten.every((it) => twenty.has(it)))
  ok(Math.abs(ten.length / clients.length - 0.1) < 0.01, String(ten.length))
  const elsewhere = ten.filter((it) => isHeldOut(8, it, 10))
  ok(Math.abs(elsewhere.length / ten.length - 0.1) < 0.03, 'another campaign draws independently')
  equal(clients.filter((it) => isHeldOut(7, it, 0)).length, 0)
})

test('the uplift has the interval of Newcombe', () => {
  // Newcombe 1998, Statistics in Medicine 17, table II, method 10: 56/70 against 48/80, and 10/10 against 0/10.
  const near = (value: number, expected: number) =>
    ok(Math.abs(value - expected) < 0.00005, `${value} ${expected}`)
  const first = upliftOf({ clients: 70, buyers: 56 }, { clients: 80, buyers: 48 })!
  for (const [value, expected] of [
    [first.difference, 0.2],
    [first.low, 0.0524],
    [first.high, 0.3339],
  ] as const)
    near(value, expected)
  const sure = upliftOf({ clients: 10, buyers: 10 }, { clients: 10, buyers: 0 })!
  near(sure.low, 0.6075)
  near(sure.high, 1)
  const noBuyers = upliftOf({ clients: 10, buyers: 0 }, { clients: 20, buyers: 0 })!
  near(noBuyers.low, -0.1611)
  near(noBuyers.high, 0.2775)
  equal(upliftOf({ clients: 10, buyers: 1 }, { clients: 0, buyers: 0 }), undefined)
})

test('a clock that jumps over several due times makes only the newest due', () => {
  const when = { cron: '0 0 10 * * ?' }
  const after = new Date('2026-03-10T06:00:00Z')
  equal(dueWithin(when, 'Asia/Tashkent', { after, until: new Date(after.getTime() + hour) }), undefined)
  deepEqual(
    dueWithin(when, 'Asia/Tashkent', { after, until: new Date('2026-03-13T05:00:00Z') }),
    new Date('2026-03-13T05:00:00Z'),
  )
  const once = { at: '2026-03-11T00:00:00Z' }
  deepEqual(dueWithin(once, 'UTC', { after, until: new Date('2026-04-01T00:00:00Z') }), new Date(once.at))
  equal(
    dueWithin(once, 'UTC', { after: new Date(once.at), until: new Date('2026-04-01T00:00:00Z') }),
    undefined,
  )
})

test('refuses a schedule that is too frequent or invalid', () => {
  const faults = (cron: string) => scheduleViolation({ cron }, 'Asia/Tashkent', now)
  equal(faults('0 0 10 ? * 2'), undefined)
  equal(faults('0 0 * * * ?'), undefined)
  equal(faults('0 0/30 * * * ?'), 'too_often')
  equal(faults('* * * * * ?'), 'too_often')
  equal(faults('0 0 10 30 2 ?'), 'never_due')
  equal(faults('0 0 10 31 4,6,9,11 ?'), 'never_due')
  equal(faults('0 0 10 29 2 ?'), undefined)
  equal(faults('0 0 10 1 1 ? 2020'), undefined)
  equal(faults('0 10 * * 1'), 'cron')
  equal(faults('every monday at ten'), 'cron')
  for (const at of [
    '2026-02-31T25:00:00Z',
    '2026-02-31T10:00:00Z',
    '2027',
    '2026-12-01T10:00:00',
    '0000-01-01T00:00:00Z',
  ])
    equal(scheduleViolation({ at }, 'UTC', now), 'format', at)
})

test('a date and a schedule of one year end; a yearly schedule does not', () => {
  const past = (when: Trigger) => isPast(when, 'Asia/Tashkent', now)
  deepEqual(
    [{ at: '2026-03-10T12:00:00Z' }, { cron: '0 0 10 1 1 ? 2020' }, { cron: '0 0 10 1 1 ? 2025-2026' }].map(
      past,
    ),
    [true, true, true],
  )
  deepEqual(
    [{ at: '2026-03-10T12:00:01Z' }, { cron: '0 0 10 1 1 ?' }, { wishlist_back_in_stock: {} }].map(past),
    [false, false, false],
  )
})

test('evaluates selective conditions first', () => {
  const asked = parsedConditions([
    { inactive: { days: 3 } },
    { not: { ordered: { times: 1, days: 9 } } },
    { clients: { ids: ['1'] } },
  ])
  deepEqual(
    asked.map((it) => [it.kind, it.isNegated]),
    [
      ['clients', false],
      ['ordered', true],
      ['inactive', false],
    ],
  )
})

const campaign = {
  id: 1,
  repeatDays: 1,
  holdoutPercent: 0,
  budgetMessages: null,
  budgetTiyin: null,
  priceTiyin: 0,
  sent: 0,
  costTiyin: 0,
} as Campaign
const allClients = new Set([1, 2, 3])
const free: TargetContext = {
  now,
  rules: { messagesPerDay: 2, messagesPerWeek: 5 },
  consenting: allClients,
  reachable: allClients,
  inAudience: allClients,
  hasOccasion: () => true,
  lastDecisions: new Map(),
  recentMessages: new Map(),
}
const at = (clientId: number, occasion = 'due/1') => ({ clientId, occasion })
const outcomes = (it: Campaign, clients: readonly number[], known: Partial<TargetContext>) =>
  verdictsOn(
    it,
    clients.map((id, n) => at(id, `due/${n}`)),
    { ...free, ...known },
  ).map((verdict) => verdict.reason ?? verdict.state)

test('the first rule that applies decides', () => {
  const noClients = new Set<number>()
  const nothing = {
    consenting: noClients,
    reachable: noClients,
    inAudience: noClients,
    hasOccasion: () => false,
  }
  deepEqual(outcomes(campaign, [1], nothing), ['no_consent'])
  deepEqual(outcomes(campaign, [1], { ...nothing, consenting: allClients }), ['no_address'])
  const some = { ...nothing, consenting: allClients, reachable: allClients }
  deepEqual(outcomes(campaign, [1], some), ['left_audience'])
  deepEqual(outcomes(campaign, [1], { hasOccasion: () => false }), ['occasion_over'])
  const late = {
    lastDecisions: new Map([[1, new Date(now.getTime() - day + 1)]]),
    recentMessages: new Map([[1, { day: 2, week: 2 }]]),
  }
  deepEqual(outcomes(campaign, [1], late), ['repeated'])
  deepEqual(outcomes(campaign, [1], { recentMessages: late.recentMessages }), ['frequency_cap'])
  deepEqual(outcomes(campaign, [1], { recentMessages: new Map([[1, { day: 0, week: 5 }]]) }), [
    'frequency_cap',
  ])
  deepEqual(outcomes(campaign, [1, 2], {}), ['sent', 'sent'])
})

test('sends again after repeat_days, and never with null', () => {
  const known = { lastDecisions: new Map([[1, new Date(now.getTime() - 3 * day)]]) }
  deepEqual(outcomes({ ...campaign, repeatDays: 3 }, [1], known), ['sent'])
  deepEqual(outcomes({ ...campaign, repeatDays: 4 }, [1], known), ['repeated'])
  deepEqual(outcomes({ ...campaign, repeatDays: null }, [1], known), ['repeated'])
})

test('two occasions of one client in one batch give one message', () => {
  deepEqual(outcomes(campaign, [1, 1, 2], {}), ['sent', 'repeated', 'sent'])
})

test('targets beyond the budget wait, and held-out clients cost nothing', () => {
  deepEqual(outcomes({ ...campaign, budgetMessages: 2 }, [1, 2, 3], {}), ['sent', 'sent', 'waiting'])
  const half = { ...campaign, holdoutPercent: 50, budgetMessages: 1 }
  const held = Array.from({ length: 50 }, (_, n) => n + 1).find((it) => isHeldOut(1, it, 50))!
  const reached = Array.from({ length: 50 }, (_, n) => n + 1).find((it) => !isHeldOut(1, it, 50))!
  const all = new Set([held, reached])
  deepEqual(outcomes(half, [held, reached], { consenting: all, inAudience: all }), ['held_out', 'sent'])
})

const minuteOf = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))
