// A campaign while it is edited: the conditions of its audience and its trigger, as forms show them.

import type { Operations } from '../../../sdk/index.ts'

export type CampaignInput = Operations['campaigns.create']['input']
export type Clause = NonNullable<CampaignInput['audience']>[number]
export type Trigger = CampaignInput['when']
export type ConditionKind = Exclude<keyof Clause, 'not'>
export type ConditionFields = Record<string, string | number | string[]>

/** How a field of a condition is edited. */
export type FieldKind = 'number' | 'sum' | 'words' | 'ids' | 'languages' | 'thing'

interface ConditionForm {
  fields: Record<string, FieldKind>
  first: ConditionFields
}

export const conditionForms: Record<ConditionKind, ConditionForm> = {
  ordered: { fields: { times: 'number', days: 'number' }, first: { times: 1, days: 90 } },
  spent: { fields: { tiyin: 'sum', days: 'number' }, first: { tiyin: 100_000_000, days: 90 } },
  bought: { fields: { thing: 'thing', days: 'number' }, first: { category: '1', days: 90 } },
  inactive: { fields: { days: 'number' }, first: { days: 30 } },
  cart_abandoned: { fields: { days: 'number' }, first: { days: 3 } },
  wishlist_cheaper: { fields: { percent: 'number' }, first: { percent: 10 } },
  wishlist_back_in_stock: { fields: {}, first: {} },
  language: { fields: { is: 'languages' }, first: { is: ['ru'] } },
  sent_to: { fields: { words: 'words', days: 'number' }, first: { words: 'Samarqand', days: 365 } },
  clients: { fields: { ids: 'ids' }, first: { ids: ['1'] } },
}
export const conditionKinds = Object.keys(conditionForms) as ConditionKind[]

export interface Condition {
  kind: ConditionKind
  fields: ConditionFields
  isNegated: boolean
}

export function conditionOf({ not, ...stated }: Clause): Condition {
  const [kind, fields] = Object.entries(not ?? stated)[0] as [ConditionKind, ConditionFields]
  return { kind, fields, isNegated: not !== undefined }
}

export const clauseOf = ({ kind, fields, isNegated }: Condition): Clause =>
  (isNegated ? { not: { [kind]: fields } } : { [kind]: fields }) as Clause

export const things = ['category', 'brand', 'product', 'partner'] as const
export type Thing = (typeof things)[number]

/** What a `bought` condition names, such as category 7. */
export function thingOf(fields: ConditionFields): { thing: Thing; id: string } {
  const thing = things.find((it) => it in fields) ?? 'category'
  return { thing, id: String(fields[thing] ?? '') }
}

export const withThing = ({ days }: ConditionFields, thing: Thing, id: string): ConditionFields => ({
  [thing]: id,
  days: days ?? 90,
})

export const triggerForms = [
  'at',
  'daily',
  'weekly',
  'cron',
  'cart_abandoned',
  'wishlist_cheaper',
  'wishlist_back_in_stock',
  'order_delivered',
  'promotion_started',
] as const
export type TriggerForm = (typeof triggerForms)[number]

/** A schedule as people say it: every day or one day of the week, at a time. Sunday is 1, as in the API. */
export interface Schedule {
  time: string
  weekday: number
}

const daily = /^0 (\d{1,2}) (\d{1,2}) \* \* \?$/
const weekly = /^0 (\d{1,2}) (\d{1,2}) \? \* ([1-7])$/
const two = (value: string | undefined): string => (value ?? '0').padStart(2, '0')

export function triggerFormOf(when: Trigger): TriggerForm {
  if (when.cron !== undefined)
    return daily.test(when.cron) ? 'daily' : weekly.test(when.cron) ? 'weekly' : 'cron'
  return Object.keys(when)[0] as TriggerForm
}

export function scheduleOf(cron: string | undefined): Schedule {
  const [, minute, hour, weekday] = weekly.exec(cron ?? '') ?? daily.exec(cron ?? '') ?? []
  return {
    time: hour === undefined ? '10:00' : `${two(hour)}:${two(minute)}`,
    weekday: Number(weekday ?? 2),
  }
}

export function cronOf(form: 'daily' | 'weekly', { time, weekday }: Schedule): string {
  const [hour = 10, minute = 0] = time.split(':').map(Number)
  return form === 'daily' ? `0 ${minute} ${hour} * * ?` : `0 ${minute} ${hour} ? * ${weekday}`
}

/** The trigger that a newly chosen form begins with. */
export function firstTrigger(form: TriggerForm, at: string): Trigger {
  const firsts: Record<TriggerForm, Trigger> = {
    at: { at },
    daily: { cron: cronOf('daily', scheduleOf(undefined)) },
    weekly: { cron: cronOf('weekly', scheduleOf(undefined)) },
    cron: { cron: '0 0 10 1 * ?' },
    cart_abandoned: { cart_abandoned: { days: 3 } },
    wishlist_cheaper: { wishlist_cheaper: { percent: 10 } },
    wishlist_back_in_stock: { wishlist_back_in_stock: {} },
    order_delivered: { order_delivered: { days: 7 } },
    promotion_started: { promotion_started: {} },
  }
  return firsts[form]
}

/** `2026-11-17T10:00` in the time zone of the browser, for an input. */
export function localText(iso: string | undefined): string {
  const at = new Date(iso ?? '')
  if (Number.isNaN(at.getTime())) return ''
  const parts = [at.getMonth() + 1, at.getDate(), at.getHours(), at.getMinutes()]
  const [month, day, hour, minute] = parts.map((it) => two(String(it)))
  return `${at.getFullYear()}-${month}-${day}T${hour}:${minute}`
}

export const instantOf = (local: string): string => {
  const at = new Date(local)
  return Number.isNaN(at.getTime()) ? '' : at.toISOString()
}
