import { deepEqual, equal, rejects } from 'node:assert/strict'
import { after, test } from 'node:test'
import { systemClock } from '../../base/clock.ts'
import { Database } from '../../base/database.ts'
import { secretUuid } from '../../base/random.ts'
import type { Refusal } from '../../base/refusal.ts'
import { freshDatabase } from '../../../test/support/database.ts'
import { openPlatform } from '../../../test/support/shop.ts'
import { insertTemplate } from '../templates/store.ts'
import { type NotificationRequest, notify, notifyAll } from './notify.ts'
import { claimDue } from './store.ts'

const { app, call } = await openPlatform()
const { db, relay } = app.shops.test

const newClient = async (contact: { email?: string; phone?: string }): Promise<number> => {
  const body = { name: 'Aziza', password: 'a long password 1', ...contact }
  const reply = await call('POST', '/v1/auth/register', { body })
  equal(reply.status, 201, reply.text)
  return Number(reply.body.data.client.id)
}
const clientId = await newClient({ email: 'aziza@mail.uz' })

const text = { subject: null, text: '{{client.name}} {{custom.code}}', html: null }
await db.transaction(async (tx) => {
  for (const channel of ['email', 'sms'] as const)
    await insertTemplate(tx, {
      slug: 'hello',
      channel,
      description: '',
      isActive: true,
      texts: { ru: { ...text, subject: channel === 'email' ? 'Привет' : null } },
    })
})

let keys = 0
const notice = (more: Partial<NotificationRequest> = {}): NotificationRequest => ({
  to: { clientId },
  channel: 'email',
  template: 'hello',
  variables: { custom: { code: '1' } },
  key: `key-${++keys}`,
  category: 'transactional',
  ...more,
})
const noted = (more: Partial<NotificationRequest> = {}) => db.transaction((tx) => notify(tx, notice(more)))

test('creates a notification in the caller’s transaction, or none at all', async () => {
  const { notification, isNew } = await noted({ language: 'uz', campaignId: 3 })
  equal(isNew, true)
  equal(notification.status, 'queued')
  equal(notification.address, 'aziza@mail.uz')
  equal(notification.language, 'ru')
  equal(notification.campaignId, 3)
  deepEqual(notification.variables, { custom: { code: '1' }, client: { name: 'Aziza' } })
  await rejects(
    db.transaction(async (tx) => {
      await notify(tx, notice({ key: 'undone' }))
      throw new Error('no')
    }),
  )
  equal((await noted({ key: 'undone' })).isNew, true)
})

test('creates one notification per key, also with twenty concurrent requests', async () => {
  const all = await Promise.all(Array.from({ length: 20 }, () => noted({ key: 'once' })))
  equal(all.filter((it) => it.isNew).length, 1)
  equal(new Set(all.map((it) => it.notification.id)).size, 1)
})

test('suppresses messages without an address or consent, and publishes that', async () => {
  const unreachable = await noted({ channel: 'sms' })
  equal(unreachable.notification.status, 'suppressed')
  equal(unreachable.notification.reason, 'no_address')
  const unasked = await noted({ category: 'marketing' })
  equal(unasked.notification.reason, 'no_consent')
  const unknown = await noted({ to: { clientId: 999_999 } })
  equal(unknown.notification.reason, 'no_address')
  await relay.catchUp()
  const { body } = await call('GET', '/v1/events?type=NotificationSuppressed')
  deepEqual(
    body.data.events.map((it: { data: { Reason: string } }) => it.data.Reason),
    ['no_address', 'no_consent', 'no_address'],
  )
})

test('refuses an unknown template, a missing variable and an invalid address', async () => {
  const path = async (more: Partial<NotificationRequest>) => {
    const refusal: Refusal = await noted(more).then(
      () => Promise.reject(new Error('it was taken')),
      (error: Refusal) => error,
    )
    return (refusal.details['fields'] as { path: string; rule: string }[]).map(
      (it) => `${it.path} ${it.rule}`,
    )
  }
  deepEqual(await path({ template: 'none' }), ['template exists'])
  deepEqual(await path({ channel: 'push' }), ['template exists'])
  deepEqual(await path({ variables: {} }), ['variables.custom.code required'])
  deepEqual(await path({ to: { address: 'unknown' } }), ['address format'])
})

test('creates many notifications together, each with its own address and key', async () => {
  const second = await newClient({ email: 'bek@mail.uz' })
  const requests = [
    notice(),
    notice({ to: { clientId: second } }),
    notice({ to: { address: '+998901234567' }, channel: 'sms' }),
    notice({ key: 'once' }),
  ]
  const all = await db.transaction((tx) => notifyAll(tx, requests))
  deepEqual(
    all.map((it) => it.notification.address),
    ['aziza@mail.uz', 'bek@mail.uz', '+998901234567', 'aziza@mail.uz'],
  )
  deepEqual(
    all.map((it) => it.isNew),
    [true, true, true, false],
  )
})

test('a lease taken while the database clock was ahead does not block a notification', async () => {
  const connection = await freshDatabase()
  const idle = new Database({ connection, environment: 'test', clock: systemClock(), poolSize: 2 })
  after(() => idle.close())
  const order = { id: '1', total: 1, address: 'x', lines: [], carrier: null, tracking_number: null }
  await idle.transaction((tx) =>
    notify(tx, {
      ...notice({ template: 'order-placed', variables: { order } }),
      to: { address: 'aziza@mail.uz' },
    }),
  )
  const claim = () =>
    idle.transaction((tx) =>
      claimDue(tx, {
        lease: secretUuid(),
        leaseSeconds: 30,
        queues: [{ channel: 'email', category: 'transactional', free: 5 }],
        capacity: 5,
      }),
    )
  equal((await claim()).length, 1)
  equal((await claim()).length, 0, 'a valid lease holds')
  await idle.transaction((tx) =>
    tx.all(`update marketing_notifications set leased_until = clock_timestamp() + interval '30 days'`),
  )
  equal((await claim()).length, 1)
})
