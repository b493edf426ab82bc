// Which offers, and what about them, a caller may read. All routes below an offer use these rules too.

import type { RequestContext } from '../../http/route.ts'
import type { Scope } from '../../http/scopes.ts'
import type { ModerationStatus } from '../entities/entities.ts'
import { mayRead, type Restriction } from '../entities/restrictions.ts'
import type { OfferDetails } from './offer-details.ts'

type Caller = Pick<RequestContext, 'principal'>

/** Callers that write offers read hidden ones too. */
const editorScopes: readonly Scope[] = ['catalog:write', 'admin:read']

const visible: Restriction<{ isVisible: boolean }> = {
  scopes: editorScopes,
  condition: ['is_visible =', true],
  isOpen: (it) => it.isVisible,
}

/** Buyers see approved offers; drafts and rejections are between partners and moderators. */
const approved: Restriction<{ status: ModerationStatus }> = {
  scopes: ['admin:read'],
  condition: ['status =', 'approved'],
  isOpen: (it) => it.status === 'approved',
}

export const offerRestrictions = [visible]
export const moderatedOfferRestrictions: Restriction<{ isVisible: boolean; status: ModerationStatus }>[] = [
  approved,
  visible,
]

export const mayReadOffer = (call: Caller, { isVisible, moderation }: OfferDetails): boolean =>
  moderation
    ? mayRead(moderatedOfferRestrictions, call, { isVisible, status: moderation.status })
    : mayRead(offerRestrictions, call, { isVisible })

/** Whether a caller may read internal records of offers: what orders and operators did to them. */
export const readsOfferRecords = ({ principal }: Caller): boolean =>
  editorScopes.some((it) => principal?.scopes.has(it))
