import { deepEqual, equal, rejects } from 'node:assert/strict'
import { test } from 'node:test'
import type { Refusal } from '../../base/refusal.ts'
import { openPlatform } from '../../../test/support/shop.ts'
import { insertTemplate } from '../store/templates.ts'
import { type Notice, notify, notifyAll } from './notify.ts'

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
const notice = (more: Partial<Notice> = {}): Notice => ({
  to: { clientId },
  channel: 'email',
  template: 'hello',
  variables: { custom: { code: '1' } },
  key: `key-${++keys}`,
  category: 'transactional',
  ...more,
})
const noted = (more: Partial<Notice> = {}) => db.transaction((tx) => notify(tx, notice(more)))

test('a notification is written with the caller’s transaction, or not at all', async () => {
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

test('the same key is written once, also by twenty at once', async () => {
  const all = await Promise.all(Array.from({ length: 20 }, () => noted({ key: 'once' })))
  equal(all.filter((it) => it.isNew).length, 1)
  equal(new Set(all.map((it) => it.notification.id)).size, 1)
})

test('who cannot be reached, and who agreed to nothing, is not written to, and that is told', async () => {
  const unreachable = await noted({ channel: 'sms' })
  equal(unreachable.notification.status, 'suppressed')
  equal(unreachable.notification.reason, 'no_address')
  const unasked = await noted({ category: 'marketing' })
  equal(unasked.notification.reason, 'no_consent')
  const nobody = await noted({ to: { clientId: 999_999 } })
  equal(nobody.notification.reason, 'no_address')
  await relay.settle()
  const { body } = await call('GET', '/v1/events?type=NotificationSuppressed')
  deepEqual(
    body.data.events.map((it: { data: { Reason: string } }) => it.data.Reason),
    ['no_address', 'no_consent', 'no_address'],
  )
})

test('a template that is not there, a variable that is missing and an address that is none are refused', async () => {
  const path = async (more: Partial<Notice>) => {
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
  deepEqual(await path({ to: { address: 'nobody' } }), ['address format'])
})

test('many are written together, each with its own address and key', async () => {
  const second = await newClient({ email: 'bek@mail.uz' })
  const wishes = [
    notice(),
    notice({ to: { clientId: second } }),
    notice({ to: { address: '+998901234567' }, channel: 'sms' }),
    notice({ key: 'once' }),
  ]
  const all = await db.transaction((tx) => notifyAll(tx, wishes))
  deepEqual(
    all.map((it) => it.notification.address),
    ['aziza@mail.uz', 'bek@mail.uz', '+998901234567', 'aziza@mail.uz'],
  )
  deepEqual(
    all.map((it) => it.isNew),
    [true, true, true, false],
  )
})
