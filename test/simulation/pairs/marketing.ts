import type { Database, Tx } from '../../../src/base/database.ts'
import { secretText, secretUuid } from '../../../src/base/random.ts'
import { readConfig } from '../../../src/base/config.ts'
import { draftDemoCampaign } from '../../../src/demo/draft-demo-campaign.ts'
import { changeCampaign, lockedCampaign, setRules } from '../../../src/marketing/campaigns/campaigns.ts'
import { cancelNotification } from '../../../src/marketing/notifications/notification-steps.ts'
import { notify } from '../../../src/marketing/notifications/notify.ts'
import { claimDue, holdWithoutProvider, releaseHeld } from '../../../src/marketing/notifications/store.ts'
import { changeTemplate, createTemplate } from '../../../src/marketing/templates/templates.ts'
import type { NewPair } from '../pairs.ts'

const newTemplate = (db: Database) => {
  const texts = { ru: { subject: null, text: 'Код', html: null } }
  const input = {
    slug: `t-${secretText(8).toLowerCase()}`,
    channel: 'sms',
    description: '',
    isActive: true,
    texts,
  } as const
  return db.transaction((tx) => createTemplate(tx, input))
}

const twoTemplateChanges: NewPair = async (db) => {
  const { id } = await newTemplate(db)
  const change = (changes: object) => ({ changes, ifMatch: undefined })
  return {
    works: [
      async (tx) => void (await changeTemplate(tx, id, change({ description: 'new' }))),
      async (tx) => void (await changeTemplate(tx, id, change({ isActive: false }))),
    ],
    observe: () =>
      db.read().one(`select description, is_active, version from marketing_templates where id = $1`, [id]),
  }
}

const config = readConfig({})

const twoCampaignChanges: NewPair = async (db) => {
  await db.transaction((tx) => draftDemoCampaign(tx, config))
  const { id } = await db.read().one<{ id: number }>(`select min(id) as id from marketing_campaigns`)
  const change = (changes: object) => async (tx: Tx) =>
    void (await changeCampaign(tx, await lockedCampaign(tx, id), { changes, config }))
  await db.transaction(change({ name: 'Old', variables: {} }))
  return {
    works: [change({ name: 'New' }), change({ variables: { custom: { code: 'x' } } })],
    observe: () => db.read().one(`select name, variables from marketing_campaigns where id = $1`, [id]),
  }
}

const twoRules: NewPair = async (db) => {
  await db.transaction((tx) => setRules(tx, { messagesPerDay: 2, messagesPerWeek: 4 }, undefined))
  return {
    works: [
      async (tx) => void (await setRules(tx, { messagesPerDay: 1 }, undefined)),
      async (tx) => void (await setRules(tx, { messagesPerWeek: 5 }, undefined)),
    ],
    observe: () => db.read().one(`select messages_per_day, messages_per_week from marketing_campaign_rules`),
  }
}

/** A queued SMS; all earlier ones are gone. */
async function newNotification(db: Database): Promise<string> {
  await db.transaction((tx) => tx.all(`delete from marketing_notifications`))
  const { slug } = await newTemplate(db)
  const { notification } = await db.transaction((tx) =>
    notify(tx, {
      to: { address: '+998901234567' },
      channel: 'sms',
      category: 'transactional',
      template: slug,
      variables: {},
      key: secretText(12),
    }),
  )
  return notification.id
}

const claim = async (tx: Tx): Promise<number> => {
  const queues = [{ channel: 'sms', category: 'transactional', free: 5 }] as const
  return (await claimDue(tx, { lease: secretUuid(), leaseSeconds: 30, queues, capacity: 5 })).length
}
const statusOf = (db: Database, id: string) => () =>
  db.read().one(`select status from marketing_notifications where id = $1`, [id])

/** A message is claimed by one of two processes. */
const claimedTwice: NewPair = async (db) => {
  await newNotification(db)
  return { works: [claim, claim] }
}

const claimedAndHeld: NewPair = async (db) => {
  const id = await newNotification(db)
  const hold = async (tx: Tx): Promise<void> => {
    holdWithoutProvider(tx, ['sms'])
    await tx.all('select 1')
  }
  return { works: [claim, hold], observe: statusOf(db, id) }
}

const cancelledAndReleased: NewPair = async (db) => {
  const id = await newNotification(db)
  await db.transaction(async (tx) => holdWithoutProvider(tx, ['sms']))
  const release = async (tx: Tx): Promise<void> => {
    releaseHeld(tx, ['sms'])
    await tx.all('select 1')
  }
  return {
    works: [async (tx) => void (await cancelNotification(tx, id)), release],
    observe: statusOf(db, id),
  }
}

const claimedAndCancelled: NewPair = async (db) => {
  const id = await newNotification(db)
  return {
    works: [claim, async (tx) => void (await cancelNotification(tx, id))],
    observe: statusOf(db, id),
  }
}

export const marketingPairs: Readonly<Record<string, NewPair>> = {
  twoTemplateChanges,
  twoCampaignChanges,
  twoRules,
  claimedTwice,
  claimedAndHeld,
  cancelledAndReleased,
  claimedAndCancelled,
}
