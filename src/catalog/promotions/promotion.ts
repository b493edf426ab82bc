// What a promotion is: for a while, what it is about costs less, or can be paid under conditions that it gives.

import type { FieldFault } from '../../base/shape.ts'
import { instantExample } from '../../http/instant.ts'
import type { Kept, Said } from '../goods.ts'

export interface Promotion extends Kept {
  uuid: string
  slug: string
  /** In Russian. */
  title: string
  titleUz: string
  startsAt: Date
  /** Null until somebody ends it. */
  endsAt: Date | null
  offerIds: number[]
  moderatedOfferIds: number[]
  /** With all that stands below them. */
  categoryIds: number[]
  brandIds: number[]
  partnerIds: number[]
  discountPercent: number | null
  priceTiyin: number | null
  loanConditionIds: number[]
}

/** The fields that say what a promotion is about. */
export const memberFields = [
  'offerIds',
  'moderatedOfferIds',
  'categoryIds',
  'brandIds',
  'partnerIds',
] as const
export type MemberField = (typeof memberFields)[number]

export const stages = ['scheduled', 'running', 'ended'] as const
export type Stage = (typeof stages)[number]

/** It runs from the very instant of its start until just before that of its end. */
export const stageAt = ({ startsAt, endsAt }: Pick<Promotion, 'startsAt' | 'endsAt'>, now: Date): Stage =>
  now < startsAt ? 'scheduled' : endsAt === null || now < endsAt ? 'running' : 'ended'

/** So many may be running or waiting to: every process knows them all. */
export const mostUnended = 1_000

/** What is said of a promotion and cannot be meant. */
export function contradictions(said: Said<Promotion>): FieldFault[] {
  const faults: FieldFault[] = []
  const { startsAt, endsAt } = said
  const wrongInstant = (['startsAt', 'endsAt'] as const).filter((it) => Number.isNaN(said[it]?.getTime()))
  for (const it of wrongInstant)
    faults.push({ path: it === 'startsAt' ? 'starts_at' : 'ends_at', rule: 'format', limit: instantExample })
  if (wrongInstant.length === 0 && endsAt && endsAt <= startsAt)
    faults.push({ path: 'ends_at', rule: 'after_start', limit: startsAt.toISOString() })
  if (memberFields.every((it) => said[it].length === 0)) faults.push({ path: 'offer_ids', rule: 'members' })
  const effects = [said.discountPercent, said.priceTiyin, said.loanConditionIds[0] ?? null]
  if (effects.filter((it) => it !== null).length !== 1)
    faults.push({ path: 'discount_percent', rule: 'one_effect' })
  return faults
}
