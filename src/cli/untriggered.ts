// Events that `trigger` does not make happen, each with what does.

import type { EventType } from '../events.ts'
import type { steps } from './trigger-steps.ts'

const reasons = {
  member: 'members of the dashboard cause it there; a key cannot act for them',
  person: 'a client causes it in the own session: sign in at /shop',
  time: 'it comes with time: POST /v1/test/clock moves the clock of the test environment',
  shop: 'it changes what all buyers see: change the setting in the dashboard or by the API, and change it back',
  provider: 'a provider or another system causes it',
  moderated: 'it needs a moderated offer: POST /v1/catalog/moderated-offers',
  training: 'a training causes it: "bozor train --env test"',
  message: 'it needs a message to a client: POST /v1/marketing/notifications, or a campaign',
  campaign: 'it needs a campaign with recipients: create one at /dashboard/campaigns',
  webhook: 'it needs a webhook of your own: use /v1/webhooks/{webhook_id}',
  shared: 'it needs a second buyer in a shared cart: use /api/shared-carts',
  oauth: 'it needs an application that signs in a client by OAuth',
  reports: 'it is about what buyers do: send it to POST /v1/interactions',
} as const

// oxfmt-ignore
const rows: Record<Exclude<EventType, keyof typeof steps>, keyof typeof reasons> = {
  OfferStockLow: 'shop', ModeratedOfferCreated: 'moderated', ModeratedOfferChanged: 'moderated', ModeratedOfferDeleted: 'moderated',
  ModeratedOfferStockChanged: 'moderated', ModeratedOfferSubmitted: 'moderated', ModerationDecided: 'moderated',
  PromotionStarted: 'time', PromotionFinished: 'time', PopularityCounted: 'time', ExchangeRateChanged: 'shop',
  SearchSynonymsChanged: 'shop', ShopProfileChanged: 'shop', SearchLearningChanged: 'shop', ExchangeRateDeleted: 'shop',
  MemberInvited: 'member', InvitationRevoked: 'member', MemberJoined: 'member',
  MemberChanged: 'member', MemberRoleChanged: 'member', MemberDeactivated: 'member', MemberReactivated: 'member',
  MemberPasswordChanged: 'member', MemberPasswordResetRequested: 'member', MemberTwoStepEnabled: 'member',
  MemberTwoStepDisabled: 'member', MemberRulesChanged: 'member', MemberSignedIn: 'member', MemberSessionsEnded: 'member',
  AuthorizationGranted: 'oauth', TokensRevoked: 'oauth', RefreshTokenReused: 'oauth', TokenRevoked: 'oauth',
  ClientSignedOut: 'person', PasswordChanged: 'person', GuestSignedIn: 'person', ReviewSubmitted: 'person',
  ReviewDecided: 'person', ReviewDeleted: 'person', AddressSaved: 'person', AddressDeleted: 'person',
  MandateOrderConfirmed: 'person', MandateUsed: 'person', ModeratedItemAddedToCart: 'moderated', CartRemoved: 'time',
  WishlistRemoved: 'time', SharedCartJoined: 'shared', SharedCartItemChanged: 'shared', SharedCartTaken: 'shared',
  SharedCartExpired: 'time', LimitsChanged: 'shop', ExternalPriceMismatched: 'provider',
  IntegrationEventReceived: 'provider', InstalmentsPaid: 'person', InstalmentsOverdue: 'time', PaymentFailed: 'provider',
  InteractionsReported: 'reports', BuyersRecognised: 'reports', ExperimentStarted: 'shop', ExperimentStopped: 'shop',
  ModelActivated: 'training', NotificationSent: 'message', NotificationFailed: 'message', NotificationSuppressed: 'message',
  NotificationDelivered: 'message', NotificationOpened: 'message', NotificationClicked: 'message', ConsentChanged: 'person',
  CampaignCreated: 'campaign', CampaignChanged: 'campaign', CampaignDeleted: 'campaign', CampaignStarted: 'campaign',
  CampaignPaused: 'campaign', CampaignResumed: 'campaign', CampaignFinished: 'campaign', CampaignRulesChanged: 'shop',
 
  WebhookPinged: 'webhook',
}

/**
 * Why `trigger` does not make an event happen, and what does; undefined for events that it supports, and for other
 * words.
 */
export const untriggeredReason = (name: string): string | undefined =>
  Object.hasOwn(rows, name) ? reasons[rows[name as keyof typeof rows]] : undefined

export const untriggered = Object.keys(rows)
