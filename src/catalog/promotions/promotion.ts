// A promotion: for a period, its offers cost less or have further loan conditions.

import type { FieldFault } from '../../base/validation.ts'
import { instantExample } from '../../http/instant.ts'
import type { Entity, EntityInput } from '../entities/entities.ts'

export interface Promotion extends Entity {
  uuid: string
  slug: string
  /** In Russian. */
  title: string
  titleUz: string
  titleEn: string
  startsAt: Date
  /** Null while no end is set. */
  endsAt: Date | null
  offerIds: number[]
  moderatedOfferIds: number[]
  /** With all categories below them. */
  categoryIds: number[]
  brandIds: number[]
  partnerIds: number[]
  discountPercent: number | null
  priceTiyin: number | null
  loanConditionIds: number[]
}

/** The fields that list the members of a promotion. */
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

/** It runs from its start until just before its end. */
export const stageAt = ({ startsAt, endsAt }: Pick<Promotion, 'startsAt' | 'endsAt'>, now: Date): Stage =>
  now < startsAt ? 'scheduled' : endsAt === null || now < endsAt ? 'running' : 'ended'

/** Limit of promotions that have not ended: every process caches all of them. */
export const maxUnended = 1_000

/** Contradictions within a promotion. */
export function contradictions(input: EntityInput<Promotion>): FieldFault[] {
  const faults: FieldFault[] = []
  const { startsAt, endsAt } = input
  const wrongInstant = (['startsAt', 'endsAt'] as const).filter((it) => Number.isNaN(input[it]?.getTime()))
  for (const it of wrongInstant)
    faults.push({ path: it === 'startsAt' ? 'starts_at' : 'ends_at', rule: 'format', limit: instantExample })
  if (wrongInstant.length === 0 && endsAt && endsAt <= startsAt)
    faults.push({ path: 'ends_at', rule: 'after_start', limit: startsAt.toISOString() })
  if (memberFields.every((it) => input[it].length === 0)) faults.push({ path: 'offer_ids', rule: 'members' })
  const effects = [input.discountPercent, input.priceTiyin, input.loanConditionIds[0] ?? null]
  if (effects.filter((it) => it !== null).length !== 1)
    faults.push({ path: 'discount_percent', rule: 'one_effect' })
  return faults
}
