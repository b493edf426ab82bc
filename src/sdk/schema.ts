// Generated from the OpenAPI document by `node test/generated.ts --write`. Do not edit.

/** The details of every error code. */
export interface ErrorDetails {
  invalid_json: {
    reason?: "syntax" | "empty" | "invalid_encoding" | "too_deep"
    limit?: number
    /** Where the syntax is wrong, if it is known. */
    line?: number
    column?: number
  }
  invalid_header: {
    /** The name of the header. */
    header?: string
    /** The allowed values. */
    allowed?: string[]
    /** Values that are allowed. */
    examples?: string[]
    reason?: string
  }
  invalid_idempotency_key: {}
  buyer_required: {
    /** The fields that can name the buyer; in a merge those that are missing. */
    accepted: string[]
    /** A merge needs the guest and the client. */
    reason?: "merge"
  }
  unauthorized: {
    reason?: "missing" | "scheme" | "malformed" | "unknown" | "revoked" | "token_expired"
    expires_at?: string
  }
  invalid_credentials: {}
  two_step_required: {
    reason?: "missing" | "wrong"
  }
  insufficient_permissions: {
    required_scopes?: string[]
    current_scopes?: string[]
    /** Who may call; `live` is no test key. Absent when only a scope is missing. */
    needs?: "staff" | "member" | "owner" | "client" | "session" | "live"
  }
  buyer_mismatch: {
    /** The field that names another buyer. */
    field: string
  }
  origin_mismatch: {
    header?: "X-CSRF-Token"
    reason?: "missing" | "wrong"
    /** What the page sent as `Origin`. */
    origin?: string
    /** The origin whose pages need no token. */
    own_origin?: string
  }
  https_required: {}
  not_found: {
    /** What was not found. */
    resource?: string
    /** The id that was sent. */
    id?: string | null
    /** The field that holds the id. */
    path?: string
    position?: number
    /** Where it was looked for, if it may exist elsewhere. */
    place?: "cart" | "wishlist" | "shared_cart"
  }
  method_not_allowed: {
    allowed?: string[]
  }
  not_acceptable: {
    available?: string[]
  }
  request_timeout: {}
  payload_too_large: {
    limit_bytes?: number
    limit_lines?: number
  }
  uri_too_long: {
    limit?: number
  }
  unsupported_media_type: {
    expected?: string
  }
  headers_too_large: {}
  idempotency_in_progress: {
    /** Seconds to wait. */
    retry_after: number
  }
  conflict: {
    /** The field that is in conflict. */
    field?: string
    /** Its value. */
    value?: unknown
    /** What it is in conflict with; decides which other details there are. */
    reason?: "taken" | "in_use" | "reference_gone" | "field_in_use" | "has_children" | "changed_meanwhile" | "last_owner" | "invitation_open" | "two_step_is_on" | "two_step_is_off" | "two_step_not_begun" | "merged_or_erased" | "no_secret" | "too_many_keys" | "too_many_secrets" | "clock_too_far" | "demo_record_refused" | "participants_full" | "slug_taken" | "key_taken" | "too_many_campaigns" | "too_many_webhooks" | "period_too_long" | "queue_full" | "training_running" | "model_unusable" | "no_active_model" | "model_changed" | "experiment_running"
    limit?: number
  }
  invalid_transition: {
    /** The present state. */
    state?: string
    status?: string
    /** The step that was asked for. */
    requested: string
    /** The steps that are possible now. */
    allowed: string[]
  }
  price_changed: {
    expected: number
    /** What ordering would cost now. */
    actual: number
    currency?: string
    /** In `/v1`: what to send as `expected_total`. */
    actual_total?: {
      amount: number
      currency: string
    }
    lines: ChangedLine[]
  }
  version_mismatch: {
    /** The version that exists. */
    current?: number | string
    /** The version in `If-Match`. */
    sent?: number | string
  }
  validation_failed: {
    fields: FieldFault[]
  }
  idempotency_key_reused: {
    key: string
  }
  stock_exceeded: {
    violations?: Violation[]
  }
  purchase_limit_exceeded: {
    violations?: Violation[]
  }
  product_limit_exceeded: {
    violations?: Violation[]
  }
  credit_limit_exceeded: {
    violations?: Violation[]
  }
  guest_limit_exceeded: {
    violations?: Violation[]
  }
  authorization_required: {
    violations?: Violation[]
  }
  loan_condition_required: {
    violations?: Violation[]
  }
  loan_condition_unavailable: {
    violations?: Violation[]
  }
  partner_credit_inactive: {
    violations?: Violation[]
  }
  payment_method_not_allowed: {
    violations?: Violation[]
  }
  offer_unavailable: {
    violations?: Violation[]
  }
  moderation_pending: {
    violations?: Violation[]
  }
  delivery_method_required: {
    violations?: Violation[]
  }
  delivery_unavailable: {
    violations?: Violation[]
  }
  amount_too_large: {
    violations?: Violation[]
  }
  mandate_required: {
    violations?: Violation[]
  }
  mandate_invalid: {
    violations?: Violation[]
  }
  mandate_category_not_allowed: {
    violations?: Violation[]
  }
  mandate_budget_exceeded: {
    violations?: Violation[]
  }
  confirmation_required: {
    violations?: Violation[]
  }
  cart_empty: {
    violations?: Violation[]
  }
  nothing_orderable: {
    violations?: Violation[]
  }
  cart_full: {
    violations?: Violation[]
  }
  wishlist_full: {
    violations?: Violation[]
  }
  coupon_unknown: {
    violations?: Violation[]
  }
  coupon_inactive: {
    violations?: Violation[]
  }
  coupon_expired: {
    violations?: Violation[]
  }
  coupon_used_up: {
    violations?: Violation[]
  }
  coupon_already_used: {
    violations?: Violation[]
  }
  coupon_sign_in_required: {
    violations?: Violation[]
  }
  coupon_not_applicable: {
    violations?: Violation[]
  }
  coupon_amount_too_low: {
    violations?: Violation[]
  }
  shared_cart_closed: {
    violations?: Violation[]
  }
  rate_limit_exceeded: {
    /** Seconds to wait. */
    retry_after: number
    limit: number
    remaining: number
    reset_at: string
  }
  internal_error: {}
  service_unavailable: {
    /** Seconds to wait. */
    retry_after: number
  }
  storage_unavailable: {
    /** Seconds to wait. */
    retry_after: number
  }
}

export type ErrorCode = keyof ErrorDetails

/** The data of every event. */
export interface EventData {
  /** A brand was added. */
  BrandCreated: {
    BrandId: number
    Slug: string
  }
  /** A brand was renamed or moved. */
  BrandChanged: {
    BrandId: number
    Slug: string
  }
  /** A brand was removed. */
  BrandDeleted: {
    BrandId: number
  }
  /** A category was added. */
  CategoryCreated: {
    CategoryId: number
    Slug: string
  }
  /** A category or its place changed. */
  CategoryChanged: {
    CategoryId: number
    Slug: string
  }
  /** A category was removed. */
  CategoryDeleted: {
    CategoryId: number
  }
  /** A partner was added. */
  PartnerCreated: {
    PartnerId: number
    Slug: string
  }
  /** A partner, its rating or its credit changed. */
  PartnerChanged: {
    PartnerId: number
    Slug: string
  }
  /** A partner was removed. */
  PartnerDeleted: {
    PartnerId: number
  }
  /** A loan condition was added. */
  LoanConditionCreated: {
    LoanConditionId: number
    PartnerId: number
  }
  /** A loan condition changed. */
  LoanConditionChanged: {
    LoanConditionId: number
    PartnerId: number
  }
  /** A loan condition was removed. */
  LoanConditionDeleted: {
    LoanConditionId: number
    PartnerId: number
  }
  /** A delivery method of a partner was added. */
  DeliveryMethodCreated: {
    DeliveryMethodId: number
    PartnerId: number
  }
  /** A delivery method changed. */
  DeliveryMethodChanged: {
    DeliveryMethodId: number
    PartnerId: number
  }
  /** A delivery method was removed. */
  DeliveryMethodDeleted: {
    DeliveryMethodId: number
    PartnerId: number
  }
  /** An attribute of products was defined. */
  AttributeCreated: {
    AttributeId: number
    Code: string
  }
  /** The definition of an attribute changed. */
  AttributeChanged: {
    AttributeId: number
    Code: string
  }
  /** The definition of an attribute was removed. */
  AttributeDeleted: {
    AttributeId: number
    Code: string
  }
  /** A product was added. */
  ProductCreated: {
    ProductId: number
    Slug: string
  }
  /** A product changed. */
  ProductChanged: {
    ProductId: number
    Slug: string
  }
  /** A product was removed. */
  ProductDeleted: {
    ProductId: number
  }
  /** A variant of a product was added. */
  VariantCreated: {
    VariantId: number
    ProductId: number
  }
  /** A variant changed. */
  VariantChanged: {
    VariantId: number
    ProductId: number
  }
  /** A variant was removed. */
  VariantDeleted: {
    VariantId: number
    ProductId: number
  }
  /** An offer was created. */
  OfferCreated: {
    OfferId: number
    ProductId: number
  }
  /** A field of an offer without an event of its own changed. */
  OfferChanged: {
    OfferId: number
    ProductId: number
  }
  /** An offer was removed. */
  OfferDeleted: {
    OfferId: number
    ProductId: number
  }
  /** An offer is visible and can be bought again. */
  OfferActivated: {
    OfferId: number
    ActivatedAt: string
  }
  /** An offer can no longer be bought. */
  OfferDeactivated: {
    OfferId: number
    Reason: string
  }
  /** The price of an offer changed, in sums. */
  OfferPriceChanged: {
    OfferId: number
    OldPrice: number
    NewPrice: number
  }
  /** The stock changed. */
  OfferQuantityChanged: {
    OfferId: number
    NewQuantity: number
  }
  /** The stock of an offer fell to its low-stock threshold. */
  OfferStockLow: {
    OfferId: number
    Quantity: number
  }
  /** A moderated offer was created. */
  ModeratedOfferCreated: {
    ModeratedOfferId: number
    ProductId: number
  }
  /** Its price, its stock or its terms changed. */
  ModeratedOfferChanged: {
    ModeratedOfferId: number
    ProductId: number
  }
  /** It was removed. */
  ModeratedOfferDeleted: {
    ModeratedOfferId: number
    ProductId: number
  }
  /** The stock changed. */
  ModeratedOfferStockChanged: {
    ModeratedOfferId: number
    NewQuantity: number
  }
  /** It waits for moderation. */
  ModeratedOfferSubmitted: {
    ModeratedOfferId: number
  }
  /** It was approved or rejected. */
  ModerationDecided: {
    ModeratedOfferId: number
    Status: "approved" | "rejected"
    Reason: string | null
  }
  /** A promotion was planned. */
  PromotionCreated: {
    PromotionId: number
    Slug: string
    StartsAt: string
    EndsAt: string | null
  }
  /** The period, effect, title or members of a promotion changed. */
  PromotionChanged: {
    PromotionId: number
    Slug: string
    StartsAt: string
    EndsAt: string | null
  }
  /** A promotion was removed; its effect on prices ended. */
  PromotionDeleted: {
    PromotionId: number
    Slug: string
  }
  /** A promotion started. No OfferPriceChanged is published for its offers. */
  PromotionStarted: {
    PromotionId: number
    Slug: string
    StartsAt: string
    EndsAt: string | null
  }
  /** A running promotion ended. No OfferPriceChanged is published for its offers. */
  PromotionFinished: {
    PromotionId: number
    Slug: string
    EndedAt: string
  }
  /** The popularity of products was recomputed. */
  PopularityCounted: {
    CountedAt: string
    Products: number
  }
  /** The price of a currency in tiyin changed. */
  ExchangeRateChanged: {
    Currency: string
    Tiyin: number
  }
  /** The search synonyms of the shop changed. */
  SearchSynonymsChanged: {
    Version: number
  }
  /** The name, logo, colour or languages of the shop changed. */
  ShopProfileChanged: {
    Version: number
  }
  /** What was learned from searches changed, or was switched on or off. */
  SearchLearningChanged: {
    Version: number
  }
  /** Prices are no longer shown in a currency. */
  ExchangeRateDeleted: {
    Currency: string
  }
  /** An application was registered. */
  ApplicationRegistered: {
    ApplicationId: string
  }
  /** An application was changed. */
  ApplicationChanged: {
    ApplicationId: string
  }
  /** An application was deleted with its keys. */
  ApplicationDeleted: {
    ApplicationId: string
  }
  /** An API key was issued. */
  ApiKeyIssued: {
    KeyId: string
    ApplicationId: string
  }
  /** An API key was rotated: it has a successor and an expiry. */
  ApiKeyRotated: {
    KeyId: string
    SuccessorId: string
    EndsAt: string
  }
  /** An API key was revoked. */
  ApiKeyRevoked: {
    KeyId: string
    ApplicationId: string
  }
  /** A client secret was issued; older ones got an expiry. */
  ClientSecretRotated: {
    ApplicationId: string
    SecretId: string
    EndsAt: string
  }
  /** A client secret was revoked. */
  ClientSecretRevoked: {
    ApplicationId: string
    SecretId: string
  }
  /** A member was invited, or invited again. */
  MemberInvited: {
    InvitationId: string
    Role: "owner" | "developer" | "operator" | "analyst"
  }
  /** An invitation was revoked. */
  InvitationRevoked: {
    InvitationId: string
  }
  /** A member joined. */
  MemberJoined: {
    MemberId: string
    Role: "owner" | "developer" | "operator" | "analyst"
  }
  /** A member was renamed. */
  MemberChanged: {
    MemberId: string
  }
  /** The role of a member changed. */
  MemberRoleChanged: {
    MemberId: string
    Role: "owner" | "developer" | "operator" | "analyst"
    Before: "owner" | "developer" | "operator" | "analyst"
  }
  /** A member was deactivated. */
  MemberDeactivated: {
    MemberId: string
  }
  /** A member was reactivated. */
  MemberReactivated: {
    MemberId: string
  }
  /** The password of a member changed; other sessions ended. */
  MemberPasswordChanged: {
    MemberId: string
  }
  /** A member lost the password: a link is mailed. */
  MemberPasswordResetRequested: {
    ResetId: string
    MemberId: string
    Language: "ru" | "uz" | "en"
    ExpiresAt: string
  }
  /** A member turned two-step sign-in on. */
  MemberTwoStepEnabled: {
    MemberId: string
  }
  /** Two-step sign-in of a member was turned off. */
  MemberTwoStepDisabled: {
    MemberId: string
  }
  /** A rule for all members was turned on or off. */
  MemberRulesChanged: {
    Rule: "two_step_for_owners"
    IsOn: boolean
  }
  /** A member signed in. */
  MemberSignedIn: {
    MemberId: string
    SessionId: string
  }
  /** Sessions of a member ended. */
  MemberSessionsEnded: {
    MemberId: string
    Count: number
  }
  /** A client authorized an application. */
  AuthorizationGranted: {
    GrantId: string
    ApplicationId: string
    BuyerId: number
    Scopes: string[]
  }
  /** A grant ended with all its tokens. */
  TokensRevoked: {
    GrantId: string
    ApplicationId: string
    BuyerId: number
  }
  /** A used refresh token was presented again: it may be stolen. */
  RefreshTokenReused: {
    GrantId: string
    ApplicationId: string
    BuyerId: number
  }
  /** One access token was revoked. */
  TokenRevoked: {
    TokenId: string
    ApplicationId: string
  }
  /** A client registered or was imported. */
  ClientRegistered: {
    ClientId: number
  }
  /** The data of a client changed. */
  ClientChanged: {
    ClientId: number
  }
  /** A duplicate was merged into this client. */
  ClientsMerged: {
    ClientId: number
    MergedClientId: number
  }
  /** The personal data of a client was erased. */
  ClientErased: {
    ClientId: number
  }
  /** A client signed in; `GuestId` is the former guest, if given. */
  ClientSignedIn: {
    SessionId: string
    ClientId: number
    GuestId: string | null
  }
  /** A session of a client ended. */
  ClientSignedOut: {
    SessionId: string
    ClientId: number
  }
  /** The password of a client changed. */
  PasswordChanged: {
    ClientId: number
  }
  /** A password reset was requested. Without an active template `password-reset` of this channel nothing is sent: fetch the token and send it. */
  PasswordResetRequested: {
    ResetId: string
    ClientId: number
    Channel: "email" | "sms" | "push"
    Language: "ru" | "uz" | "en"
    ExpiresAt: string
  }
  /** A cart was created. */
  CartCreated: {
    CartId: string
    BuyerId: BuyerId
    OccurredOn: string
  }
  /** Units of an offer were added to a cart. */
  ItemAddedToCart: {
    CartId: string
    OfferId: number
    Quantity: number
    OccurredOn: string
    GuestCartId?: string
  }
  /** Units of a moderated offer were added to a cart. */
  ModeratedItemAddedToCart: {
    CartId: string
    ModeratedOfferId: number
    Quantity: number
    OccurredOn: string
    GuestCartId?: string
  }
  /** The quantity or loan condition of a line changed. */
  CartItemChanged: {
    CartId: string
    OfferId: number | null
    ModeratedOfferId: number | null
    Quantity: number
    PreviousQuantity?: number
    LoanConditionId: number | null
    OccurredOn: string
  }
  /** A line was removed from a cart. */
  ItemRemovedFromCart: {
    CartId: string
    OfferId: number | null
    ModeratedOfferId: number | null
    Quantity: number
    OccurredOn: string
  }
  /** All lines were removed from a cart. */
  CartCleared: {
    CartId: string
    OccurredOn: string
  }
  /** A guest signed in, and the guest cart was merged into the client's. */
  CartsMerged: {
    CartId: string
    GuestCartId: string
    BuyerId: number
    GuestId: string
    KeptUnits: number
    DroppedUnits: number
    OccurredOn: string
  }
  /** A guest without a cart or wishlist signed in as a client. */
  GuestSignedIn: {
    GuestId: string
    BuyerId: number
    OccurredOn: string
  }
  /** A cart was removed: abandoned, expired, or deleted after an order. */
  CartRemoved: {
    CartId: string
    Reason: "abandoned" | "expired" | "ordered"
    OccurredOn: string
  }
  /** An offer was added to a wishlist. */
  OfferAddedToWishlist: {
    WishlistId: string
    BuyerId: BuyerId
    OfferId: number | null
    ModeratedOfferId: number | null
    OccurredOn: string
  }
  /** An offer was removed from a wishlist. */
  OfferRemovedFromWishlist: {
    WishlistId: string
    BuyerId: BuyerId
    OfferId: number | null
    ModeratedOfferId: number | null
    OccurredOn: string
  }
  /** A guest signed in, and the guest wishlist was merged into the client's. */
  WishlistsMerged: {
    WishlistId: string
    GuestWishlistId: string
    BuyerId: number
    GuestId: string
    Added: number
    Dropped: number
    OccurredOn: string
  }
  /** An abandoned wishlist was removed. */
  WishlistRemoved: {
    WishlistId: string
    Reason: "abandoned"
    OccurredOn: string
  }
  /** A shared cart was created. */
  SharedCartCreated: {
    SharedCartId: string
    BuyerId: BuyerId
    ExpiresAt: string
    OccurredOn: string
  }
  /** A buyer joined a shared cart. */
  SharedCartJoined: {
    SharedCartId: string
    BuyerId: BuyerId
    OccurredOn: string
  }
  /** The quantity of a shared cart line changed; 0 means removed. */
  SharedCartItemChanged: {
    SharedCartId: string
    BuyerId: BuyerId
    OfferId: number | null
    ModeratedOfferId: number | null
    Quantity: number
    OccurredOn: string
  }
  /** A buyer copied a shared cart into their own cart. */
  SharedCartTaken: {
    SharedCartId: string
    BuyerId: BuyerId
    CartId: string
    Units: number
    OccurredOn: string
  }
  /** The creator closed a shared cart. */
  SharedCartClosed: {
    SharedCartId: string
    BuyerId: BuyerId
    OccurredOn: string
  }
  /** A shared cart expired and was removed. */
  SharedCartExpired: {
    SharedCartId: string
    OccurredOn: string
  }
  /** A coupon was created. */
  CouponCreated: {
    CouponId: number
    Code: string
  }
  /** The terms of a coupon changed. */
  CouponChanged: {
    CouponId: number
    Code: string
  }
  /** A buyer applied a coupon to a cart; the discount is in sums. */
  CouponApplied: {
    CartId: string
    CouponId: number
    Discount: number
    OccurredOn: string
  }
  /** A buyer removed the coupon from a cart. */
  CouponRemoved: {
    CartId: string
    CouponId: number
    OccurredOn: string
  }
  /** Orders used a coupon; the discount is in sums. `ClientId` is null for guests. */
  CouponRedeemed: {
    CouponId: number
    ClientId: number | null
    OrderIds: number[]
    Discount: number
    OccurredOn: string
  }
  /** The orders that used a coupon were cancelled, so the use was given back. `OrderId` is the last one. */
  CouponReleased: {
    CouponId: number
    OrderId: number
    OccurredOn: string
  }
  /** Purchase limits changed. */
  LimitsChanged: {
    Version: number
    ChangedAt: string
  }
  /** An external producer reported a price change with an old price that differs from ours. */
  ExternalPriceMismatched: {
    OfferId: number
    TheirPrice: number
    OurPrice: number
  }
  /** An integration event was received. */
  IntegrationEventReceived: {
    EventId: string
    Source: string
    EventType: string
    Time: string
    Sequence: number | null
    Data: unknown
  }
  /** Orders were placed from a cart, one per partner. */
  OrdersCreated: {
    OrderIds: number[]
    ClientId: number | null
    ProcessedOfferIds: number[]
    ProcessedModeratedOfferIds: number[]
    CartId: string
  }
  /** A client let an application order within limits. */
  MandateGranted: {
    MandateId: string
    ClientId: number
    ApplicationId: string
    ExpiresAt: string
  }
  /** A mandate was revoked. */
  MandateRevoked: {
    MandateId: string
    ClientId: number
    ApplicationId: string
  }
  /** A client confirmed an order under a mandate, in sums. */
  MandateOrderConfirmed: {
    MandateId: string
    ClientId: number
    ApplicationId: string
    CartVersion: number
    Total: number
  }
  /** An application placed orders under a mandate, in sums. */
  MandateUsed: {
    MandateId: string
    ClientId: number
    ApplicationId: string
    OrderIds: number[]
    Amount: number
    Left: number
  }
  /** A client wrote or changed a review of a product; it waits for moderation. */
  ReviewSubmitted: {
    ReviewId: number
    ProductId: number
    ClientId: number
  }
  /** A review was approved or rejected. */
  ReviewDecided: {
    ReviewId: number
    ProductId: number
    Status: "approved" | "rejected"
  }
  /** A client deleted a review. */
  ReviewDeleted: {
    ReviewId: number
    ProductId: number
  }
  /** A client saved an address. */
  AddressSaved: {
    AddressId: string
    ClientId: number
  }
  /** A client deleted an address. */
  AddressDeleted: {
    AddressId: string
    ClientId: number
  }
  /** One of the three statuses of an order changed. */
  OrderStateChanged: {
    OrderId: number
    Status: "awaiting_payment" | "confirmed" | "delivered" | "completed" | "cancelled"
    PaymentStatus: "unpaid" | "pending" | "authorised" | "partially_paid" | "paid" | "failed" | "voided" | "partially_refunded" | "refunded"
    FulfilmentStatus: "unfulfilled" | "preparing" | "partially_shipped" | "shipped" | "partially_delivered" | "delivered" | "partially_returned" | "returned" | "cancelled"
  }
  /** An order was cancelled; its units are available again. */
  OrderCancelled: {
    OrderId: number
    Reason: string
    ClientId?: number | null
  }
  /** Instalments of an order were paid, in sums. */
  InstalmentsPaid: {
    OrderId: number
    PaymentId: string
    Numbers: number[]
    Amount: number
    ClientId?: number | null
  }
  /** Instalments of an order were not paid on their day, in sums. Published once for each. */
  InstalmentsOverdue: {
    OrderId: number
    ClientId: number | null
    Numbers: number[]
    Amount: number
  }
  /** A payment of an order was received, in sums. */
  PaymentReceived: {
    OrderId: number
    PaymentId: string
    Amount: number
  }
  /** A payment failed. */
  PaymentFailed: {
    OrderId: number
    PaymentId: string
    Code: string
  }
  /** A payment was refunded, in sums. */
  PaymentRefunded: {
    OrderId: number
    PaymentId: string
    Amount: number
  }
  /** A parcel was shipped. */
  OrderShipped: {
    OrderId: number
    FulfilmentId: string
    Carrier: string | null
    TrackingNumber: string | null
  }
  /** A parcel was delivered. */
  OrderDelivered: {
    OrderId: number
    FulfilmentId: string
  }
  /** Units were returned. */
  OrderReturned: {
    OrderId: number
    ReturnId: string
    ClientId?: number | null
  }
  /** A batch of interactions of buyers was stored. */
  InteractionsReported: {
    BatchId: string
    Interactions: number
    Buyers: string[]
  }
  /** Other ids were linked to these buyers, or unlinked. */
  BuyersRecognised: {
    BatchId: string
    Buyers: string[]
    Names: string[]
  }
  /** An experiment was created. */
  ExperimentCreated: {
    ExperimentId: number
    Slug: string
  }
  /** An experiment was changed or renamed. */
  ExperimentChanged: {
    ExperimentId: number
    Slug: string
  }
  /** An experiment started: buyers are assigned to groups. */
  ExperimentStarted: {
    ExperimentId: number
    Slug: string
  }
  /** An experiment stopped: all buyers get the default lists. */
  ExperimentStopped: {
    ExperimentId: number
    Slug: string
  }
  /** An experiment that never started was deleted. */
  ExperimentDeleted: {
    ExperimentId: number
  }
  /** Another model was activated. */
  ModelActivated: {
    ModelId: number
    Checksum: string
  }
  /** A notification template was created. */
  TemplateCreated: {
    TemplateId: number
    Slug: string
    Channel: "email" | "sms" | "push"
  }
  /** A template has a new version. */
  TemplateChanged: {
    TemplateId: number
    Slug: string
    Channel: "email" | "sms" | "push"
    Version: number
  }
  /** A template was removed. */
  TemplateDeleted: {
    TemplateId: number
    Slug: string
    Channel: "email" | "sms" | "push"
  }
  /** The provider accepted a notification. */
  NotificationSent: {
    NotificationId: string
    Channel: "email" | "sms" | "push"
    Category: "transactional" | "marketing"
    ClientId: number | null
    CampaignId: number | null
  }
  /** A notification failed permanently. */
  NotificationFailed: {
    NotificationId: string
    Channel: "email" | "sms" | "push"
    Category: "transactional" | "marketing"
    ClientId: number | null
    CampaignId: number | null
    Reason: "no_provider" | "refused" | "too_many_attempts"
  }
  /** Nothing was sent: no consent, or no address. */
  NotificationSuppressed: {
    NotificationId: string
    Channel: "email" | "sms" | "push"
    Category: "transactional" | "marketing"
    ClientId: number | null
    CampaignId: number | null
    Reason: "no_consent" | "no_address" | "expired"
  }
  /** A notification has arrived, as far as the provider knows. */
  NotificationDelivered: {
    NotificationId: string
    Channel: "email" | "sms" | "push"
    ClientId: number | null
    CampaignId: number | null
  }
  /** The tracking pixel was loaded for the first time: the reader, or their mail program, opened the message. */
  NotificationOpened: {
    NotificationId: string
    ClientId: number | null
    CampaignId: number | null
  }
  /** A link in it was followed for the first time. */
  NotificationClicked: {
    NotificationId: string
    ClientId: number | null
    CampaignId: number | null
    Link: number
  }
  /** A client gave or withdrew consent for a channel. */
  ConsentChanged: {
    ConsentId: string
    ClientId: number | null
    Channel: "email" | "sms" | "push"
    Category: "transactional" | "marketing"
    IsGranted: boolean
    Source: string
  }
  /** A campaign was drafted. */
  CampaignCreated: {
    CampaignId: number
  }
  /** A campaign changed. */
  CampaignChanged: {
    CampaignId: number
  }
  /** A campaign draft was deleted. */
  CampaignDeleted: {
    CampaignId: number
  }
  /** A campaign started. */
  CampaignStarted: {
    CampaignId: number
  }
  /** A campaign was paused: manually, or because its template is unusable. */
  CampaignPaused: {
    CampaignId: number
    Reason: "by_hand" | "template_unusable"
  }
  /** A paused campaign was resumed. */
  CampaignResumed: {
    CampaignId: number
  }
  /** A campaign finished: manually, at its end date, when its budget was used up, or when all recipients were reached. */
  CampaignFinished: {
    CampaignId: number
    Reason: "by_hand" | "ended" | "budget_reached" | "done"
    Sent: number
  }
  /** The quiet hours or caps for all campaigns changed. */
  CampaignRulesChanged: {
    Version: number
    ChangedAt: string
  }
  /** A webhook was created. */
  WebhookCreated: {
    WebhookId: string
  }
  /** The URL, filter or description of a webhook changed. */
  WebhookChanged: {
    WebhookId: string
  }
  /** A webhook was removed. */
  WebhookDeleted: {
    WebhookId: string
  }
  /** A webhook secret was rotated; the old one signs too until it expires. */
  WebhookSecretRotated: {
    WebhookId: string
    EndsAt: string
  }
  /** A webhook was enabled. */
  WebhookEnabled: {
    WebhookId: string
  }
  /** A webhook was disabled: manually, after a 410, or after five days of failures. */
  WebhookDisabled: {
    WebhookId: string
    Reason: "by_hand" | "gone" | "failing"
  }
  /** A test event for one webhook. Only that webhook receives it. */
  WebhookPinged: {
    WebhookId: string
  }
  /** The test environment's clock was moved. */
  TestClockMoved: {
    Clock: "test"
    OffsetSeconds: number
    MovedAt: string
  }
}

/** An event of the shop; `type` decides the type of `data`. */
export type Event = {
  [Type in keyof EventData]: {
    specversion: '1.0'
    /** Repeated deliveries have the same id. */
    id: string
    source: string
    type: Type
    subject: string
    time: string
    /** Increases with every event of the same subject. */
    sequence: number
    datacontenttype: 'application/json'
    data: EventData[Type]
  }
}[keyof EventData]

export type Meta = {
  /** Your `X-Request-ID`, or a generated id. Give it when you ask for support. */
  request_id: string
  /** When the reply was made, by the clock of the environment. */
  timestamp: string
  api_version: "v1"
}

export type FieldFault = {
  /** The field, with dots between nested names; empty for the whole body. */
  path: string
  /** The rule it breaks, for programs: `required`, `choice`, `max_length` and others; rules may be added. */
  rule: string
  /** For people, in the requested language. */
  message?: string
  /** The limit, the allowed values, or an example. */
  limit?: unknown
}

export type Remedy = {
  /** What to do. */
  action: "set_quantity" | "remove" | "add" | "wait" | "sign_in" | "choose_loan_condition" | "clear_loan_condition" | "choose_payment_method" | "pay_elsewhere" | "choose_delivery" | "remove_coupon" | "create_shared_cart" | "name_mandate" | "request_mandate" | "request_confirmation" | "adjust_stock"
  /** For `set_quantity`: the most that would be accepted. */
  quantity?: number
  /** For `adjust_stock`: the change that leaves no unit. */
  change?: number
  loan_condition_ids?: (number | string)[]
  payment_method_ids?: (number | string)[]
  delivery_method_ids?: (number | string)[]
  /** The version of the cart that the client confirms. */
  cart_version?: number
}

export type Violation = {
  /** The code of the rule, one of the error codes. */
  code: "stock_exceeded" | "purchase_limit_exceeded" | "product_limit_exceeded" | "credit_limit_exceeded" | "guest_limit_exceeded" | "authorization_required" | "loan_condition_required" | "loan_condition_unavailable" | "partner_credit_inactive" | "payment_method_not_allowed" | "offer_unavailable" | "moderation_pending" | "delivery_method_required" | "delivery_unavailable" | "amount_too_large" | "mandate_required" | "mandate_invalid" | "mandate_category_not_allowed" | "mandate_budget_exceeded" | "confirmation_required" | "cart_empty" | "nothing_orderable" | "cart_full" | "wishlist_full" | "coupon_unknown" | "coupon_inactive" | "coupon_expired" | "coupon_used_up" | "coupon_already_used" | "coupon_sign_in_required" | "coupon_not_applicable" | "coupon_amount_too_low" | "shared_cart_closed"
  /** For people, in the requested language. */
  message?: string
  offer_id?: number | string
  moderated_offer_id?: number | string
  partner_id?: number | string
  limit?: number
  used?: number
  requested?: number
  /** What could be had instead. */
  available?: number
  mandate_id?: string
  /** Why a mandate cannot be used. */
  reason?: "unknown" | "expired" | "revoked"
  expires_at?: string
  /** The category of the product; a string in `/v1`. */
  category_id?: number | string
  /** The categories of the mandate. */
  category_ids?: (number | string)[]
  /** The code of the coupon that the rule is about. */
  coupon?: string
  starts_at?: string
  remedy?: Remedy
}

export type ChangedLine = {
  offer_id?: number | string
  moderated_offer_id?: number | string
  quantity: number
  price_at_add: number
  price: number
  amount: number
  reason?: string | null
}

export type Application = {
  client_id: string
  name: string
  type: "web" | "mobile" | "server"
  environment: "live" | "test"
  scopes: ("catalog:read" | "catalog:write" | "cart:read" | "cart:write" | "orders:read" | "orders:write" | "marketing:read" | "marketing:write" | "admin:read" | "admin:write" | "profile:read" | "profile:write")[]
  redirect_urls: string[]
  rate_limit: string | null
  created_at: string
  updated_at: string
}

export type Pagination = {
  page: number
  per_page: number
  /** Rows in the whole list, exactly; null when only `total_at_least` is known. */
  total: number | null
  /** Given when `total` is null: the list is longer than this. */
  total_at_least?: number
  /** Null when `total` is. */
  pages: number | null
  /** Leads to the next page; null on the last one. */
  next_cursor: string | null
}

export type ApiKey = {
  id: string
  client_id: string
  name: string
  hint: string
  scopes: ("catalog:read" | "catalog:write" | "cart:read" | "cart:write" | "orders:read" | "orders:write" | "marketing:read" | "marketing:write" | "admin:read" | "admin:write" | "profile:read" | "profile:write")[]
  rate_limit: string | null
  created_at: string
  rotate_by: string
  expires_at: string | null
  revoked_at: string | null
  last_used_at: string | null
  replaces: string | null
}

export type ClientSecret = {
  id: string
  hint: string
  created_at: string
  expires_at: string | null
  revoked_at: string | null
}

export type UsedHour = {
  /** Its begin. */
  hour: string
  calls: number
  /** Calls above the rate limit, answered with 429. */
  limited: number
  /** The highest share of its rate limit that a key or token used; 1 is the limit. */
  peak_share: number
}

export type ApplicationUsage = {
  client_id: string
  /** Null when it is unknown. */
  name: string | null
  /** Its own limit; null for that of the server. */
  rate_limit: string | null
  calls: number
  /** Calls above the rate limit, answered with 429. */
  limited: number
  /** The highest share of its rate limit that a key or token used; 1 is the limit. */
  peak_share: number
  hours: UsedHour[]
}

export type Member = {
  id: string
  email: string
  name: string
  role: "owner" | "developer" | "operator" | "analyst"
  state: "active" | "deactivated"
  created_at: string
  updated_at: string
  last_seen_at: string | null
}

export type Invitation = {
  id: string
  email: string
  role: "owner" | "developer" | "operator" | "analyst"
  state: "open" | "accepted" | "revoked" | "expired"
  invited_by: string | null
  created_at: string
  expires_at: string
}

export type ApplicationConsent = {
  client_id: string
  application_name: string
  scopes: ("catalog:read" | "catalog:write" | "cart:read" | "cart:write" | "orders:read" | "orders:write" | "marketing:read" | "marketing:write" | "admin:read" | "admin:write" | "profile:read" | "profile:write")[]
  updated_at: string
}

export type Profile = {
  id: string
  name: string
  phone: string | null
  email: string | null
  external_ids: string[]
  created_at: string
  updated_at: string
}

export type ClientSession = {
  id: string
  user_agent: string
  network: string
  current: boolean
  created_at: string
  last_used_at: string
  expires_at: string
}

export type Client = {
  id: string
  name: string
  phone: string | null
  email: string | null
  external_ids: string[]
  has_password: boolean
  merged_into: string | null
  erased_at: string | null
  created_at: string
  updated_at: string
}

export type MemberSession = {
  id: string
  environment: "live" | "test"
  user_agent: string | null
  created_at: string
  last_seen_at: string
  ends_at: string
  is_current: boolean
}

export type Category = {
  id: string
  name: string
  slug: string
  description: string
  parent_id: string | null
  level: number
  image_url: string
  created_at: string
  updated_at: string
}

export type Attribute = {
  id: string
  code: string
  category_id: string | null
  kind: "number" | "enumeration" | "boolean" | "text"
  name: string
  unit: string | null
  options: {
    value: string
    title: string
  }[]
  facet: boolean
  position: number
  created_at: string
  updated_at: string
}

export type Image = {
  lg_path: string
  md_path: string
  sm_path: string
}

export type Money = {
  /** In the smallest unit of the currency: tiyin, cents. */
  amount: number
  currency: string
}

export type PromotionEvent = {
  /** A UUID. */
  id: string
  title: string
  title_uz: string
  title_en: string
  slug: string
}

export type Product = {
  id: string
  name: string
  slug: string
  category_id: string
  category: {
    id: string
    name: string
    slug: string
  }
  brand_id: string | null
  brand: {
    id: string
    name: string
    slug: string
  } | null
  images: Image[]
  price: Money | null
  old_price: Money | null
  discount: number | null
  events: PromotionEvent[]
  in_stock: boolean
  rating: number | null
  offers_count: number
  best_offer_id: string | null
  created_at: string
  updated_at: string
}

export type FacetValue = {
  id: string
  name: string
  slug: string
  count: number
}

export type AttributeFacet = {
  code: string
  name: string
  kind: "number" | "enumeration" | "boolean" | "text"
  unit: string | null
  min: number | null
  max: number | null
  values: {
    /** As the filter takes it. */
    value: string
    title: string
    count: number
  }[]
}

export type Facets = {
  brands: FacetValue[]
  partners: FacetValue[]
  categories: FacetValue[]
  price: {
    min: Money | null
    max: Money | null
    ranges: {
      from: Money
      to: Money
      count: number
    }[]
  }
  rating: {
    from: number
    count: number
  }[]
  in_stock: {
    yes: number
    no: number
  }
  attributes: AttributeFacet[]
}

export type ProductVariant = {
  id: string
  product_id: string
  name: string
  attributes: Record<string, string>
  images: Image[]
  created_at: string
  updated_at: string
}

export type OfferPartner = {
  id: string
  name: string
  slug: string
  rating: number
  is_recommended: boolean
  credit_active: boolean
  /** URL of the logo; a generated one when there is none. */
  logo_path: string
}

export type LoanTerms = {
  id: string
  duration: number
  commission: number
  monthly_repayment: Money
  /** The promotion that gives this condition. */
  event_id: string | null
}

export type Offer = {
  id: string
  product_id: string
  variant_id: string | null
  name: string
  slug: string
  path: string
  partner: OfferPartner
  price: Money
  old_price: Money | null
  /** Percent, negative. */
  discount: number | null
  usual_price: Money
  events: PromotionEvent[]
  quantity: number
  in_stock: boolean
  is_visible: boolean
  is_active: boolean
  regions: ("home" | "global")[]
  rating: number
  bnpl_details: {
    has_daily_payment: boolean
    prepayment_amount: Money | null
  }
  loan_conditions: LoanTerms[]
  reservation_minutes: number | null
  created_at: string
  updated_at: string
}

export type ProductDetail = {
  id: string
  name: string
  slug: string
  category_id: string
  category: {
    id: string
    name: string
    slug: string
  }
  brand_id: string | null
  brand: {
    id: string
    name: string
    slug: string
  } | null
  images: Image[]
  price: Money | null
  old_price: Money | null
  discount: number | null
  events: PromotionEvent[]
  in_stock: boolean
  rating: number | null
  offers_count: number
  best_offer_id: string | null
  created_at: string
  updated_at: string
  description: string
  attributes: ({
    code: string
    name: string
    kind: "number" | "enumeration" | "boolean" | "text"
    value: string | number | boolean
    /** As buyers read it. */
    text: string
  })[]
  variants: ProductVariant[]
  offers: Offer[]
  best_offer: Offer | null
}

export type Suggestion = {
  /** A phrase is searched for; the others have an id and a slug. */
  kind: "phrase" | "category" | "brand" | "product"
  text: string
  id: string | null
  slug: string | null
}

export type Brand = {
  id: string
  name: string
  slug: string
  created_at: string
  updated_at: string
}

export type Partner = {
  id: string
  name: string
  slug: string
  rating: number
  is_recommended: boolean
  credit_active: boolean
  /** URL of the logo; a generated one when there is none. */
  logo_path: string
  created_at: string
  updated_at: string
}

export type LoanCondition = {
  id: string
  partner_id: string
  /** Months. */
  duration: number
  /** Percent of the price. */
  commission: number
  early_commission_percent: number
  active: boolean
  promotion_id: string | null
  created_at: string
  updated_at: string
}

export type Variant = {
  id: string
  product_id: string
  name: string
  attributes: Record<string, string>
  created_at: string
  updated_at: string
}

export type ModeratedOffer = {
  uuid: string
  status: "draft" | "pending" | "approved" | "rejected"
  reason: string | null
  id: string
  product_id: string
  variant_id: string | null
  name: string
  slug: string
  path: string
  partner: OfferPartner
  price: Money
  old_price: Money | null
  /** Percent, negative. */
  discount: number | null
  usual_price: Money
  events: PromotionEvent[]
  quantity: number
  in_stock: boolean
  is_visible: boolean
  is_active: boolean
  regions: ("home" | "global")[]
  rating: number
  bnpl_details: {
    has_daily_payment: boolean
    prepayment_amount: Money | null
  }
  loan_conditions: LoanTerms[]
  reservation_minutes: number | null
  created_at: string
  updated_at: string
}

export type PickupPoint = {
  id: string
  name: string
  region: string
  region_name: string
  city: string
  address: string
  hours: string | null
  latitude: number | null
  longitude: number | null
}

export type DeliveryMethod = {
  id: string
  partner_id: string
  kind: "courier" | "pickup" | "post"
  name: string
  regions: string[]
  price: Money
  free_from: Money | null
  days_min: number
  days_max: number
  pickup_points: PickupPoint[]
  active: boolean
  created_at: string
  updated_at: string
}

export type PickupPointInput = {
  id: string
  name: {
    ru?: string
    uz?: string
    en?: string
  }
  /** ISO 3166-2 code; `/v1/catalog/regions` lists those of Uzbekistan. */
  region: string
  city: string
  address: string
  hours?: string | null
  latitude?: number | null
  longitude?: number | null
}

export type StockMovement = {
  id: string
  change: number
  /** After the movement. */
  on_hand: number
  cause: "stocked" | "adjusted" | "ordered" | "cancelled" | "returned" | "removed"
  /** The order id, or the given reason. Null without `catalog:write` and `admin:read`. */
  reference: string | null
  at: string
}

export type ExchangeRate = {
  currency: string
  /** The price of one unit of the currency, in tiyin. */
  tiyin: number
  created_at: string
  updated_at: string
}

export type SearchLearning = {
  /** Whether operators allow any of it. */
  enabled: boolean
  /** Whether searches use predicted categories: they are enabled and won on the held-out days. */
  active: boolean
  /** Mean of 1 / place of what buyers chose on the held-out days, without and with it. */
  comparison: {
    /** Weight of the interactions that were compared. */
    weight: number
    plain: number
    learned: number
  } | null
  predictions: {
    query: string
    category_id: string
    share: number
    weight: number
  }[]
  /** Whether operators allow predicted categories. */
  predictions_enabled: boolean
  /** Queries that mean another query: both led to the same products, and only the other one finds them. */
  synonyms: {
    /** Whether operators allow it. */
    enabled: boolean
    /** Whether searches use it: it is enabled and won on the held-out days. */
    active: boolean
    /** Mean of 1 / place of what buyers chose on the held-out days, without and with it. */
    comparison: {
      /** Weight of the interactions that were compared. */
      weight: number
      plain: number
      learned: number
    } | null
    lines: {
      query: string
      meant: string
      /** Cosine of what both queries led to. */
      similarity: number
      weight: number
    }[]
  }
  /** Trees that order products that match nearly alike; `features` says how much each input changes the order. */
  ranker: {
    /** Whether operators allow it. */
    enabled: boolean
    /** Whether searches use it: it is enabled and won on the held-out days. */
    active: boolean
    /** Mean of 1 / place of what buyers chose on the held-out days, without and with it. */
    comparison: {
      /** Weight of the interactions that were compared. */
      weight: number
      plain: number
      learned: number
    } | null
    /** How many queries it knows choices of. */
    queries: number
    features: {
      name: string
      share: number
    }[]
  }
  version: number
  learned_at: string | null
}

export type ShopProfile = {
  name: string | null
  logo_path: string | null
  colour: string | null
  languages: ("ru" | "uz" | "en")[]
  default_language: "ru" | "uz" | "en"
  version: number
}

export type Promotion = {
  id: string
  uuid: string
  slug: string
  /** In Russian. */
  title: string
  title_uz: string
  title_en: string
  status: "scheduled" | "running" | "ended"
  starts_at: string
  ends_at: string | null
  offer_ids: string[]
  moderated_offer_ids: string[]
  category_ids: string[]
  brand_ids: string[]
  partner_ids: string[]
  discount_percent: number | null
  price: Money | null
  loan_condition_ids: string[]
  created_at: string
  updated_at: string
}

export type PromotionConflict = {
  promotion_ids: string[]
  /** When both run. */
  starts_at: string
  ends_at: string | null
  /** How many offers are members of both. */
  offers: number
  sample_offer_ids: string[]
  /** The promotion whose price holds for all shared offers. Null when it depends on the usual price of the offer. */
  winner_id: string | null
}

export type CartEvent = {
  /** A UUID. */
  Id: string
  Title: string
  TitleUz: string
  TitleEn: string
  Slug: string
}

export type CartImage = {
  LgPath: string
  MdPath: string
  SmPath: string
}

export type CartLoanCondition = {
  Id: number
  Duration: number
  Commission: number
  /** How much of the commission is charged for instalments that are repaid before they are due. */
  EarlyCommissionPercent: number
  /** For all units of the line, of what their down payment (`PrepaymentAmount`) leaves. */
  MonthlyRepayment: number
  /** The promotion that gives it. */
  EventId: number | null
}

export type CartMessage = {
  Code: "price_changed" | "stock_lowered" | "loan_condition_cleared" | "out_of_stock" | "back_in_stock" | "price_lowered" | "price_raised" | "stock_exceeded" | "purchase_limit_exceeded" | "product_limit_exceeded" | "credit_limit_exceeded" | "guest_limit_exceeded" | "authorization_required" | "loan_condition_required" | "loan_condition_unavailable" | "partner_credit_inactive" | "payment_method_not_allowed" | "offer_unavailable" | "moderation_pending" | "delivery_method_required" | "delivery_unavailable" | "amount_too_large" | "mandate_required" | "mandate_invalid" | "mandate_category_not_allowed" | "mandate_budget_exceeded" | "confirmation_required" | "cart_empty" | "nothing_orderable" | "cart_full" | "wishlist_full" | "coupon_unknown" | "coupon_inactive" | "coupon_expired" | "coupon_used_up" | "coupon_already_used" | "coupon_sign_in_required" | "coupon_not_applicable" | "coupon_amount_too_low" | "shared_cart_closed"
  Message: string
  Severity: "info" | "warning"
}

export type PurchaseRestrictions = {
  IsAvailable: boolean
  Reason: "offer_unavailable" | "moderation_pending" | "out_of_stock" | null
  AvailableQuantity: number
  MaxQuantity: number
  ReservedUntil: string | null
  Messages: CartMessage[]
}

export type CartItem = {
  OfferId: number
  Title: string
  Price: number
  OldPrice: number | null
  Events: CartEvent[]
  Quantity: number
  Images: CartImage[]
  BnplDetails: {
    HasDailyPayment: boolean
    /** The down payment of one unit. */
    PrepaymentAmount: number | null
  }
  LoanCondition: CartLoanCondition | null
  /** The conditions that can be chosen for the line; empty when it cannot be paid in instalments. */
  LoanConditions: CartLoanCondition[]
  PurchaseRestrictions: PurchaseRestrictions
  PriceAtAdd: number
  /** What the coupon takes off the whole line. */
  DiscountAmount: number
}

export type ModeratedCartItem = {
  ModeratedOfferId: number
  ModeratedOfferUuid: string | null
  ModerationStatus: "draft" | "pending" | "approved" | "rejected" | null
  Title: string
  Price: number
  OldPrice: number | null
  Events: CartEvent[]
  Quantity: number
  Images: CartImage[]
  BnplDetails: {
    HasDailyPayment: boolean
    /** The down payment of one unit. */
    PrepaymentAmount: number | null
  }
  LoanCondition: CartLoanCondition | null
  /** The conditions that can be chosen for the line; empty when it cannot be paid in instalments. */
  LoanConditions: CartLoanCondition[]
  PurchaseRestrictions: PurchaseRestrictions
  PriceAtAdd: number
  /** What the coupon takes off the whole line. */
  DiscountAmount: number
}

export type CartCoupon = {
  Code: string
  /** When false, the cart cannot be ordered with it. */
  IsApplied: boolean
  Reason: "coupon_inactive" | "coupon_expired" | "coupon_used_up" | "coupon_already_used" | "coupon_sign_in_required" | "coupon_not_applicable" | "coupon_amount_too_low" | null
  Message: string | null
  EndsAt: string | null
}

export type CartPaymentMethod = {
  Id: number
  Code: "card" | "installment" | "cash_on_delivery" | "daily_payment"
  Name: string
  IsInstallment: boolean
  IsAvailable: boolean
  Reason: "stock_exceeded" | "purchase_limit_exceeded" | "product_limit_exceeded" | "credit_limit_exceeded" | "guest_limit_exceeded" | "authorization_required" | "loan_condition_required" | "loan_condition_unavailable" | "partner_credit_inactive" | "payment_method_not_allowed" | "offer_unavailable" | "moderation_pending" | "delivery_method_required" | "delivery_unavailable" | "amount_too_large" | "mandate_required" | "mandate_invalid" | "mandate_category_not_allowed" | "mandate_budget_exceeded" | "confirmation_required" | "cart_empty" | "nothing_orderable" | "cart_full" | "wishlist_full" | "coupon_unknown" | "coupon_inactive" | "coupon_expired" | "coupon_used_up" | "coupon_already_used" | "coupon_sign_in_required" | "coupon_not_applicable" | "coupon_amount_too_low" | "shared_cart_closed" | null
}

export type Cart = {
  /** Null before the first item. */
  CartId: string | null
  /** For `If-Match`: another one after every change of the cart, and of a price, a promotion or the availability of a line. */
  Version: number
  Currency: string
  Items: CartItem[]
  ModeratedItems: ModeratedCartItem[]
  /** After the discount. */
  TotalAmount: number
  /** What the coupon takes off. */
  DiscountAmount: number
  Coupon: CartCoupon | null
  /** Units that can be bought now. */
  TotalItemsCount: number
  /** Whether the cart can be ordered now by at least one payment method. Lines that cannot be bought now stay in the cart. An order charges `TotalAmount` and the delivery. */
  CanOrder: boolean
  AvailablePaymentMethods: CartPaymentMethod[]
  Messages: CartMessage[]
  CreatedAt: string | null
  UpdatedAt: string | null
  ExpiresAt: string | null
}

export type MiniAppCart = {
  Items: ({
    OfferId: number
    Title: string
    Price: number
    Quantity: number
    ImageUrl: string
    IsAvailable: boolean
    Reason: "offer_unavailable" | "moderation_pending" | "out_of_stock" | null
  })[]
  ModeratedItems: ({
    ModeratedOfferId: number
    Title: string
    Price: number
    Quantity: number
    ImageUrl: string
    IsAvailable: boolean
    Reason: "offer_unavailable" | "moderation_pending" | "out_of_stock" | null
  })[]
  TotalAmount: number
  /** What the coupon takes off. */
  DiscountAmount: number
  Coupon: CartCoupon | null
  TotalItemsCount: number
}

export type CartV1 = {
  id: string
  customer_id: string
  items: ({
    offer_id: string
    product_id: string | null
    variant_id: string | null
    quantity: number
    unit_price: {
      amount: number
      currency: string
    }
    total: {
      amount: number
      currency: string
    }
    is_available: boolean
    reason: "offer_unavailable" | "moderation_pending" | "out_of_stock" | null
  })[]
  moderated_items: ({
    moderated_offer_id: string
    product_id: string | null
    variant_id: string | null
    quantity: number
    unit_price: {
      amount: number
      currency: string
    }
    total: {
      amount: number
      currency: string
    }
    is_available: boolean
    reason: "offer_unavailable" | "moderation_pending" | "out_of_stock" | null
  })[]
  total: {
    amount: number
    currency: string
  }
  discount: {
    amount: number
    currency: string
  }
  coupon: {
    code: string
    is_applied: boolean
    reason: "coupon_inactive" | "coupon_expired" | "coupon_used_up" | "coupon_already_used" | "coupon_sign_in_required" | "coupon_not_applicable" | "coupon_amount_too_low" | null
    message: string | null
  } | null
  items_count: number
  created_at: string
  updated_at: string
}

export type WishedOffer = {
  OfferId: number
  Title: string
  Price: number
  OldPrice: number | null
  Events: CartEvent[]
  Images: CartImage[]
  BnplDetails: {
    HasDailyPayment: boolean
    /** The down payment of one unit. */
    PrepaymentAmount: number | null
  }
  LoanCondition: CartLoanCondition | null
  /** The conditions that can be chosen for the line; empty when it cannot be paid in instalments. */
  LoanConditions: CartLoanCondition[]
  PurchaseRestrictions: PurchaseRestrictions
  PriceAtAdd: number
  IsAvailable: boolean
  AddedAt: string
}

export type WishedModeratedOffer = {
  ModeratedOfferId: number
  ModeratedOfferUuid: string | null
  ModerationStatus: "draft" | "pending" | "approved" | "rejected" | null
  Title: string
  Price: number
  OldPrice: number | null
  Events: CartEvent[]
  Images: CartImage[]
  BnplDetails: {
    HasDailyPayment: boolean
    /** The down payment of one unit. */
    PrepaymentAmount: number | null
  }
  LoanCondition: CartLoanCondition | null
  /** The conditions that can be chosen for the line; empty when it cannot be paid in instalments. */
  LoanConditions: CartLoanCondition[]
  PurchaseRestrictions: PurchaseRestrictions
  PriceAtAdd: number
  IsAvailable: boolean
  AddedAt: string
}

export type Wishlist = {
  /** Null before the first offer is added. */
  WishlistId: string | null
  Currency: string
  Offers: WishedOffer[]
  ModeratedOffers: WishedModeratedOffer[]
  CreatedAt: string | null
  UpdatedAt: string | null
}

export type SharedCartItem = {
  OfferId: number
  Title: string
  Price: number
  OldPrice: number | null
  Events: CartEvent[]
  Quantity: number
  Images: CartImage[]
  BnplDetails: {
    HasDailyPayment: boolean
    /** The down payment of one unit. */
    PrepaymentAmount: number | null
  }
  LoanCondition: CartLoanCondition | null
  /** The conditions that can be chosen for the line; empty when it cannot be paid in instalments. */
  LoanConditions: CartLoanCondition[]
  PurchaseRestrictions: PurchaseRestrictions
  PriceAtAdd: number
  /** What the coupon takes off the whole line. */
  DiscountAmount: number
  /** Client id, or `guest-1` for a guest. */
  AddedBy: number | string
  AddedAt: string
}

export type SharedModeratedItem = {
  ModeratedOfferId: number
  ModeratedOfferUuid: string | null
  ModerationStatus: "draft" | "pending" | "approved" | "rejected" | null
  Title: string
  Price: number
  OldPrice: number | null
  Events: CartEvent[]
  Quantity: number
  Images: CartImage[]
  BnplDetails: {
    HasDailyPayment: boolean
    /** The down payment of one unit. */
    PrepaymentAmount: number | null
  }
  LoanCondition: CartLoanCondition | null
  /** The conditions that can be chosen for the line; empty when it cannot be paid in instalments. */
  LoanConditions: CartLoanCondition[]
  PurchaseRestrictions: PurchaseRestrictions
  PriceAtAdd: number
  /** What the coupon takes off the whole line. */
  DiscountAmount: number
  /** Client id, or `guest-1` for a guest. */
  AddedBy: number | string
  AddedAt: string
}

export type SharedCart = {
  Id: string
  Title: string | null
  /** Client id, or `guest-1` for a guest. */
  CreatorId: number | string
  ParticipantIds: (number | string)[]
  /** Client id, or `guest-1` for a guest. */
  RequesterId: number | string
  IsOpen: boolean
  /** The member who moved it into their own cart. */
  TakenBy: number | string | null
  Version: number
  Currency: string
  Items: SharedCartItem[]
  ModeratedItems: SharedModeratedItem[]
  TotalAmount: number
  TotalItemsCount: number
  ExpiresAt: string
  CreatedAt: string
  UpdatedAt: string
  /** Gives the right to join. Only the creator of an open shared cart sees it, and a replay with the same `Idempotency-Key` has null; a new one can be created at any time. */
  JoinToken: string | null
}

export type Coupon = {
  id: string
  code: string
  percent: number | null
  amount_tiyin: number | null
  max_discount_tiyin: number | null
  min_amount_tiyin: number
  promotion_id: string | null
  starts_at: string
  ends_at: string | null
  max_uses: number | null
  uses_per_buyer: number | null
  /** Uses that were not given back. */
  used: number
  active: boolean
  created_at: string
  updated_at: string
}

export type Limits = {
  /** What a client may buy for on a business day, in tiyin. */
  daily_amount_tiyin: number
  /** Units of one product in one order. */
  product_units_per_order: number
  /** Units of one product that a client may order in thirty days. */
  product_units_per_30_days: number
  /** What a client may owe, in tiyin. */
  credit_tiyin: number
  /** Units of one product in the cart of a guest. */
  guest_units_per_product: number
  /** What the cart of a guest may cost, in tiyin. */
  guest_amount_tiyin: number
  /** Above it, a guest must sign in to order, in tiyin. */
  guest_authorization_tiyin: number
  updated_at: string
}

export type Stock = {
  /** Units not sold yet. */
  on_hand: number
  /** Units of them that carts have reserved. */
  reserved: number
  /** Units that any buyer may buy. */
  available: number
}

export type IntegrationEvent = {
  specversion: "1.0"
  id: string
  source: string
  type: string
  /** When the value changed (RFC 3339); at most five minutes ahead. */
  time: string
  subject?: string
  /** Grows per subject. */
  sequence?: number
  datacontenttype?: string
  dataschema?: string
  data: unknown
}

export type CartAddressInput = {
  /** ISO 3166-2 code; `/v1/catalog/regions` lists those of Uzbekistan. */
  Region: string
  City: string
  Street: string
  House: string
  Apartment?: string | null
  Landmark?: string | null
  PostalCode?: string | null
  Latitude?: number | null
  Longitude?: number | null
}

export type CartAddress = {
  Region: string
  RegionName: string
  City: string
  Street: string
  House: string
  Apartment: string | null
  Landmark: string | null
  PostalCode: string | null
  Latitude: number | null
  Longitude: number | null
}

export type CartDeliveryPoint = {
  Id: string
  Name: string
  Region: string
  RegionName: string
  City: string
  Address: string
  Hours: string | null
  Latitude: number | null
  Longitude: number | null
}

export type CartOrderDelivery = {
  DeliveryMethodId: number | null
  Kind: "courier" | "pickup" | "post"
  Name: string
  Price: number
  PromisedOn: string | null
  Address: CartAddress | null
  PickupPoint: CartDeliveryPoint | null
}

export type OrderResult = {
  OrderIds: number[]
  Orders: ({
    OrderId: number
    PartnerId: number
    /** With delivery. */
    Amount: number
    /** In one line. */
    Address: string
    Delivery: CartOrderDelivery | null
    Items: {
      OfferId?: number
      ModeratedOfferId?: number
      Title: string
      Quantity: number
      Price: number
      DiscountAmount: number
      Amount: number
    }[]
  })[]
  Skipped: ({
    OfferId?: number
    ModeratedOfferId?: number
    Quantity: number
    Reason: "offer_unavailable" | "moderation_pending" | "out_of_stock"
  })[]
  DiscountAmount: number
  TotalAmount: number
  PaymentMethodId: number
  Status: "awaiting_payment" | "confirmed" | "delivered" | "completed" | "cancelled"
  CreatedAt: string
}

export type AddressInput = {
  /** ISO 3166-2 code; `/v1/catalog/regions` lists those of Uzbekistan. */
  region: string
  city: string
  street: string
  house: string
  apartment?: string | null
  landmark?: string | null
  postal_code?: string | null
  latitude?: number | null
  longitude?: number | null
}

export type Address = {
  region: string
  region_name: string
  city: string
  street: string
  house: string
  apartment: string | null
  landmark: string | null
  postal_code: string | null
  latitude: number | null
  longitude: number | null
}

export type DeliveryPoint = {
  id: string
  name: string
  region: string
  region_name: string
  city: string
  address: string
  hours: string | null
  latitude: number | null
  longitude: number | null
}

export type OrderDelivery = {
  delivery_method_id: string | null
  kind: "courier" | "pickup" | "post"
  name: string
  price: Money
  promised_on: string | null
  address: Address | null
  pickup_point: DeliveryPoint | null
}

export type OrderLine = {
  line: number
  offer_id: string | null
  moderated_offer_id: string | null
  product_id: string
  title: string
  quantity: number
  unit_price: Money
  discount: Money
  total: Money
  image: {
    lg_path: string
    md_path: string
    sm_path: string
  } | null
  loan_condition: {
    id: string
    duration: number
    commission: number
    early_commission_percent: number
  } | null
}

export type OrderSummary = {
  id: string
  checkout_id: string
  /** The client; null for guests. */
  customer_id: string | null
  partner_id: string
  partner_name: string | null
  status: "awaiting_payment" | "confirmed" | "delivered" | "completed" | "cancelled"
  payment_status: "unpaid" | "pending" | "authorised" | "partially_paid" | "paid" | "failed" | "voided" | "partially_refunded" | "refunded"
  fulfilment_status: "unfulfilled" | "preparing" | "partially_shipped" | "shipped" | "partially_delivered" | "delivered" | "partially_returned" | "returned" | "cancelled"
  /** The mandate under which an application ordered. */
  mandate_id: string | null
  payment_method: {
    id: string
    code: "card" | "installment" | "cash_on_delivery" | "daily_payment"
    name: string
  }
  /** While the order awaits payment: it is cancelled at this time. */
  pay_until: string | null
  contact: {
    name: string
    phone: string | null
    email: string | null
  } | null
  /** Where the order goes, in one line. */
  delivery_address: string
  delivery: OrderDelivery | null
  discount: Money
  coupon_code: string | null
  total: Money
  items_count: number
  lines: OrderLine[]
  created_at: string
  updated_at: string
}

export type CartDeliveryOption = {
  DeliveryMethodId: number | null
  Kind: "courier" | "pickup" | "post"
  Name: string
  Price: number
  PromisedOn: string | null
  FreeFrom: number | null
  DaysMin: number | null
  DaysMax: number | null
  PickupPoints: CartDeliveryPoint[]
}

export type CartPartnerDelivery = {
  PartnerId: number
  PartnerName: string
  Amount: number
  Methods: CartDeliveryOption[]
}

export type DeliveryOption = {
  delivery_method_id: string | null
  kind: "courier" | "pickup" | "post"
  name: string
  price: Money
  promised_on: string | null
  free_from: Money | null
  days_min: number | null
  days_max: number | null
  pickup_points: DeliveryPoint[]
}

export type PartnerDelivery = {
  partner_id: string
  partner_name: string
  amount: Money
  methods: DeliveryOption[]
}

export type SavedAddress = {
  id: string
  title: string | null
  /** The address in one line. */
  text: string
  address: Address
  created_at: string
  updated_at: string
}

export type Review = {
  id: string
  product_id: string
  /** The first name of the author. */
  author: string
  stars: number
  text: string | null
  /** The author has received the product. */
  is_verified: boolean
  created_at: string
  updated_at: string
}

export type OwnReview = {
  id: string
  product_id: string
  /** The first name of the author. */
  author: string
  stars: number
  text: string | null
  /** The author has received the product. */
  is_verified: boolean
  created_at: string
  updated_at: string
  status: "pending" | "approved" | "rejected"
  reason: string | null
}

export type ModeratedReview = {
  id: string
  product_id: string
  /** The first name of the author. */
  author: string
  stars: number
  text: string | null
  /** The author has received the product. */
  is_verified: boolean
  created_at: string
  updated_at: string
  status: "pending" | "approved" | "rejected"
  reason: string | null
  customer_id: string
}

export type Mandate = {
  id: string
  customer_id: string
  /** The application that may order. */
  application_id: string
  name: string | null
  status: "active" | "expired" | "revoked"
  budget: Money
  spent: Money
  left: Money
  /** Products of these categories and of all below them; empty allows every category. */
  category_ids: string[]
  /** The client confirms each order. */
  needs_confirmation: boolean
  created_at: string
  expires_at: string
  revoked_at: string | null
}

export type MandateConfirmation = {
  id: string
  mandate_id: string
  /** `Version` of the cart that the client has seen. */
  cart_version: number
  total: Money
  created_at: string
  expires_at: string
}

export type Payment = {
  id: string
  kind: "card" | "cash" | "external" | "instalment"
  status: "pending" | "failed" | "authorised" | "captured" | "voided"
  amount: Money
  card: {
    brand: string
    last_digits: string
  } | null
  reference: string | null
  /** Page where the buyer approves the payment. */
  action_url: string | null
  failure: string | null
  refunds: ({
    id: string
    amount: Money
    status: "pending" | "refunded" | "failed"
    reason: string
    created_at: string
  })[]
  allowed: ("capture" | "void" | "refund")[]
  created_at: string
}

export type Fulfilment = {
  id: string
  status: "created" | "shipped" | "delivered" | "cancelled"
  lines: {
    line: number
    quantity: number
  }[]
  carrier: string | null
  tracking_number: string | null
  allowed: ("ship" | "deliver" | "cancel")[]
  created_at: string
  shipped_at: string | null
  delivered_at: string | null
}

export type Return = {
  id: string
  status: "requested" | "received" | "rejected"
  lines: {
    line: number
    quantity: number
  }[]
  reason: string
  amount: Money
  restocked: boolean
  /** The paid commission for the returned units. It is kept after 14 days from delivery. */
  commission: {
    amount: Money
    refunded: boolean
  } | null
  requested_at: string
  decided_at: string | null
}

export type Order = {
  id: string
  checkout_id: string
  /** The client; null for guests. */
  customer_id: string | null
  partner_id: string
  partner_name: string | null
  status: "awaiting_payment" | "confirmed" | "delivered" | "completed" | "cancelled"
  payment_status: "unpaid" | "pending" | "authorised" | "partially_paid" | "paid" | "failed" | "voided" | "partially_refunded" | "refunded"
  fulfilment_status: "unfulfilled" | "preparing" | "partially_shipped" | "shipped" | "partially_delivered" | "delivered" | "partially_returned" | "returned" | "cancelled"
  /** The mandate under which an application ordered. */
  mandate_id: string | null
  payment_method: {
    id: string
    code: "card" | "installment" | "cash_on_delivery" | "daily_payment"
    name: string
  }
  /** While the order awaits payment: it is cancelled at this time. */
  pay_until: string | null
  contact: {
    name: string
    phone: string | null
    email: string | null
  } | null
  /** Where the order goes, in one line. */
  delivery_address: string
  delivery: OrderDelivery | null
  discount: Money
  coupon_code: string | null
  total: Money
  items_count: number
  lines: OrderLine[]
  created_at: string
  updated_at: string
  cancellation: {
    reason: string
    at: string
  } | null
  payments: Payment[]
  fulfilments: Fulfilment[]
  returns: Return[]
  instalments: ({
    number: number
    due_on: string
    amount: Money
    commission: Money
    delivery: Money
    paid: boolean
    status: "paid" | "due" | "overdue"
    paid_at: string | null
  })[]
  early_repayment: Money | null
  total_to_repay: Money | null
  /** What the shop keeps and what is still open, each with its reason. */
  amounts: {
    paid: Money
    refunded: Money
    kept: ({
      reason: "products" | "delivery" | "commission" | "late_return_commission" | "refund_failed" | "excess"
      amount: Money
    })[]
    open: ({
      reason: "unpaid" | "overdue" | "not_due"
      amount: Money
    })[]
  }
  allowed: ("pay" | "cancel" | "fulfil" | "return" | "to_cart")[]
}

export type OrderStanding = {
  id: string
  status: "awaiting_payment" | "confirmed" | "delivered" | "completed" | "cancelled"
  payment_status: "unpaid" | "pending" | "authorised" | "partially_paid" | "paid" | "failed" | "voided" | "partially_refunded" | "refunded"
  fulfilment_status: "unfulfilled" | "preparing" | "partially_shipped" | "shipped" | "partially_delivered" | "delivered" | "partially_returned" | "returned" | "cancelled"
  allowed: ("pay" | "cancel" | "fulfil" | "return" | "to_cart")[]
}

export type RecommendedPartner = {
  id: number
  name: string
  logo_path: string
  slug: string
  rating: number
  is_recommended: boolean
}

export type OfferPromotion = {
  id: string
  title: string
  title_uz: string
  slug: string
}

export type GeneralOffer = {
  offer_id: string
  name: string
  slug: string
  quantity: number
  /** In whole sums, half a sum rounded up. */
  price: number
  /** In whole sums, half a sum rounded up. */
  raw_old_price: number | null
  /** In whole sums, half a sum rounded up. */
  old_price: number | null
  is_visible: boolean
  rating: number
  path: string
  /** In percent, negative. */
  discount: number | null
  image_path: string
  bnpl_details: {
    has_daily_payment: boolean
    /** In whole sums, half a sum rounded up. */
    prepayment_amount: number | null
  }
  partner: RecommendedPartner
  events: OfferPromotion[]
}

export type ClassicOffer = {
  id: number
  name: string
  slug: string
  quantity: number
  /** In whole sums, half a sum rounded up. */
  price: number
  /** In whole sums, half a sum rounded up. */
  old_price: number | null
  is_visible: boolean
  rating: number
  path: string
  /** In percent, negative. */
  discount: number
  product: {
    id: number
    name: string
    title_image: {
      lg_path: string
      md_path: string
      sm_path: string
    }
  }
  bnpl_details: {
    has_daily_payment: boolean
    /** In whole sums, half a sum rounded up. */
    prepayment_amount: number | null
  }
  partner: RecommendedPartner
}

export type MobileOffer = {
  offer_id: string
  name: string
  slug: string
  quantity: number
  /** In whole sums, half a sum rounded up. */
  price: number
  /** In whole sums, half a sum rounded up. */
  old_price: number | null
  rating: number
  image_path: string
  partner: {
    id: number
    name: string
    slug: string
  }
}

export type CfOffer = {
  id: number
  name: string
  slug: string
  /** In whole sums, half a sum rounded up. */
  price: number
  /** In whole sums, half a sum rounded up. */
  old_price: number | null
  rating: number
  product: {
    id: number
    title_image: {
      lg_path: string
    }
  }
  partner: {
    id: number
    name: string
  }
}

export type CategoryPageOffer = {
  id: number
  name: string
  /** In whole sums, half a sum rounded up. */
  price: number
  product: {
    id: number
    title_image: {
      lg_path: string
    }
  }
  partner: {
    id: number
    name: string
  }
}

export type WebOffer = {
  offer_id: number | null
  moderated_offer_id: string | null
  name: string
  slug: string
  quantity: number
  /** In tiyin: hundredths of a sum. */
  price: number
  /** In tiyin: hundredths of a sum. */
  raw_old_price: number | null
  /** In tiyin: hundredths of a sum. */
  old_price?: number
  is_visible: boolean
  rating: number
  /** In percent, negative. */
  discount: number | null
  image_path: string
  bnpl_details: {
    has_daily_payment: boolean
    /** In tiyin: hundredths of a sum. */
    prepayment_amount: number | null
  }
  partner: RecommendedPartner
  events: OfferPromotion[]
  condition: {
    id: number
    duration: number
    commission: number
    event_id: number | null
  } | null
  /** In tiyin: hundredths of a sum. */
  monthly_loan_repayment?: number
  product_id: number | null
}

export type MiniAppOffer = {
  offer_id: number | null
  moderated_offer_id: string | null
  name: string
  slug: string
  quantity: number
  /** In tiyin: hundredths of a sum. */
  price: number
  /** In tiyin: hundredths of a sum. */
  raw_old_price: number | null
  /** In tiyin: hundredths of a sum. */
  old_price?: number
  is_visible: boolean
  rating: number
  /** In percent, negative. */
  discount: number | null
  image_path: string
  bnpl_details: {
    has_daily_payment: boolean
    /** In tiyin: hundredths of a sum. */
    prepayment_amount: number | null
  }
  partner: RecommendedPartner
  events: OfferPromotion[]
  condition: {
    duration: number
    commission: number
  } | null
  conditions: {
    duration: number
    commission: number
  }[]
  /** In tiyin: hundredths of a sum. */
  monthly_loan_repayment?: number
  product_id: number | null
}

export type ExternalModel = {
  kind: "neighbours" | "factors"
  /** How many of the model’s products it covers. */
  products: number
  trained_until: string
  /** For factors. */
  dimensions: number | null
}

export type RankingFigures = {
  ndcg10: number
  hit10: number
  recall30: number
}

export type ModelMetrics = {
  cases: number
  ranker: RankingFigures | null
  candidates: RankingFigures
  popularity: RankingFigures
}

export type Model = {
  id: string
  /** Trained here; the previous model with an uploaded ranker; or the previous model with, or without, an external model. */
  origin: "trained" | "uploaded" | "imported"
  created_at: string
  trained_until: string
  /** SHA-256 of the file. */
  checksum: string
  size_bytes: number
  products: number
  has_ranker: boolean
  ranker_origin: "trained" | "uploaded" | null
  external: ExternalModel | null
  is_active: boolean
  metrics: ModelMetrics
}

export type Training = {
  id: string
  started_at: string
  finished_at: string | null
  outcome: "running" | "activated" | "rejected" | "skipped" | "failed"
  note: string
  model_id: string | null
}

export type TrainingMeasurement = {
  stage: "read" | "search" | "weights" | "ranker" | "held_out" | "compared" | "final" | "done"
  /** Since the training began. */
  seconds: number
  /** On held-out cases, from 0 to 1; null at the start of a stage. In the search the geometric mean of NDCG@10 and Recall@20, otherwise NDCG@10. */
  score: number | null
  /** The page whose cases were held out for the search. */
  page: string | null
  /** A candidate source, a ranker by its loss, `ranker`, `candidates`, `popularity`, `new_model` or `serving_model`. */
  source: string | null
  /** The family of the search. */
  family: string | null
  /** The number of trees that the ranker had. */
  trees: number | null
}

export type ViewedProduct = {
  product_id: string
  /** Digits, or the UUID of a moderated offer. */
  offer_id: string
  viewed_at: string
}

export type ExperimentGroup = {
  name: string
  share: number
  method: "ranker" | "cf" | "popular" | null
  model_id: string | null
  exploration_share: number | null
  shuffled_share: number | null
}

export type Experiment = {
  id: string
  slug: string
  name: string
  status: "draft" | "running" | "stopped"
  layers: ("main_page" | "offer_page" | "cart_page" | "categories_page")[]
  groups: ExperimentGroup[]
  max_harm: number | null
  /** `harm`: a group lost more purchases than `max_harm`. */
  stop_reason: "operator" | "harm" | null
  harmed_groups: string[]
  created_at: string
  updated_at: string
  started_at: string | null
  stopped_at: string | null
}

export type ExperimentGroupInput = {
  name: string
  /** The share of all buyers. Buyers outside all shares do not take part. */
  share: number
  /** How lists are ranked; null keeps the default. */
  method?: "ranker" | "cf" | "popular" | null
  model_id?: string | null
  exploration_share?: number | null
  /** The share of lists whose first six places are in a random order. Off-policy estimates need such lists. */
  shuffled_share?: number | null
}

export type Estimate = {
  value: number
  low: number
  high: number
}

export type Difference = {
  difference: number
  low: number
  high: number
  p_value: number
}

export type Webhook = {
  id: string
  url: string
  description: string
  filters: string[]
  enabled: boolean
  /** `gone`: it answered 410; `failing`: for five days. */
  disabled_reason: "by_hand" | "gone" | "failing" | null
  /** Deliveries in the queue. */
  waiting: number
  failing_since: string | null
  created_at: string
  updated_at: string
}

export type WebhookDelivery = {
  id: string
  webhook_id: string
  event_id: string
  type: string
  subject: string
  sequence: number
  status: "waiting" | "succeeded" | "failed" | "cancelled"
  attempts: number
  next_attempt_at: string | null
  created_at: string
  ended_at: string | null
}

export type WebhookDeliveryWithAttempts = {
  id: string
  webhook_id: string
  event_id: string
  type: string
  subject: string
  sequence: number
  status: "waiting" | "succeeded" | "failed" | "cancelled"
  attempts: number
  next_attempt_at: string | null
  created_at: string
  ended_at: string | null
  log: ({
    number: number
    at: string
    duration_ms: number
    request: {
      url: string
      headers: Record<string, unknown>
      /** Null after the event has been purged. */
      body: string | null
    }
    /** The reply with up to 3 kB of its body; null when there was none. */
    reply: {
      status?: number
      headers?: Record<string, unknown>
      body?: string
    } | null
    error: string | null
  })[]
}

export type CampaignTrigger = {
  /** Once, at this instant. */
  at?: string
  /** At every due time of a Quartz cron expression in the time zone of the shop: second, minute, hour, day, month, weekday (Sunday is 1). At most once an hour. */
  cron?: string
  /** When a cart has not changed for this long. Once each time it is abandoned. */
  cart_abandoned?: {
    days?: number
    hours?: number
  }
  /** When an offer on the wishlist costs this many percent less than when it was added. Once per wishlist item. */
  wishlist_cheaper?: {
    percent: number
  }
  /** When an offer on the wishlist that was out of stock is available again. Once per wishlist item. */
  wishlist_back_in_stock?: {}
  /** This many days after an order, or its first parcel, was delivered. Once per order. */
  order_delivered?: {
    /** 0 means at once. */
    days: number
  }
  /** When a promotion starts: any promotion, or the given one. Addresses the whole audience. */
  promotion_started?: {
    promotion?: string
  }
}

export type BoughtCondition = {
  product?: string
  category?: string
  brand?: string
  partner?: string
  /** In the last so many days. */
  days: number
}

export type AudienceCondition = {
  /** The client is one of these. */
  clients?: {
    ids: string[]
  }
  /** The client is written to in one of these languages. */
  language?: {
    is: ("ru" | "uz" | "en")[]
  }
  /** The cart is not empty and has not changed for this long. */
  cart_abandoned?: {
    days?: number
    hours?: number
  }
  /** An offer on the wishlist costs this many percent less than when it was added. */
  wishlist_cheaper?: {
    percent: number
  }
  /** An offer on the wishlist that was out of stock is available again. */
  wishlist_back_in_stock?: {}
  /** The client has placed at least this many orders. */
  ordered?: {
    times: number
    /** In the last so many days. */
    days: number
  }
  /** The orders of the client total at least this amount. */
  spent?: {
    tiyin: number
    /** In the last so many days. */
    days: number
  }
  bought?: BoughtCondition
  /** An order was delivered to an address that contains these words, such as a city or a street. */
  sent_to?: {
    words: string
    /** In the last so many days. */
    days: number
  }
  /** For this many days the client has not ordered, changed the cart or wishlist, signed in, or viewed products. */
  inactive?: {
    /** In the last so many days. */
    days: number
  }
}

export type AudienceClause = {
  /** The client is one of these. */
  clients?: {
    ids: string[]
  }
  /** The client is written to in one of these languages. */
  language?: {
    is: ("ru" | "uz" | "en")[]
  }
  /** The cart is not empty and has not changed for this long. */
  cart_abandoned?: {
    days?: number
    hours?: number
  }
  /** An offer on the wishlist costs this many percent less than when it was added. */
  wishlist_cheaper?: {
    percent: number
  }
  /** An offer on the wishlist that was out of stock is available again. */
  wishlist_back_in_stock?: {}
  /** The client has placed at least this many orders. */
  ordered?: {
    times: number
    /** In the last so many days. */
    days: number
  }
  /** The orders of the client total at least this amount. */
  spent?: {
    tiyin: number
    /** In the last so many days. */
    days: number
  }
  bought?: BoughtCondition
  /** An order was delivered to an address that contains these words, such as a city or a street. */
  sent_to?: {
    words: string
    /** In the last so many days. */
    days: number
  }
  /** For this many days the client has not ordered, changed the cart or wishlist, signed in, or viewed products. */
  inactive?: {
    /** In the last so many days. */
    days: number
  }
  not?: AudienceCondition
}

export type Campaign = {
  id: string
  state: "draft" | "running" | "paused" | "finished"
  allowed: string[]
  name: string
  channel: "email" | "sms" | "push"
  /** The slug of a template for the channel. */
  template: string
  when: CampaignTrigger
  /** Your own texts; the template shows them as `{{custom.name}}`. */
  variables: Record<string, unknown>
  /** Conditions by name; all must hold. Only clients who consented to marketing over the channel are addressed; without conditions, all of them. */
  audience: AudienceClause[]
  /** In the time zone of the shop. Null: the quiet hours of all campaigns. Equal `from` and `to`: none. */
  quiet_hours: {
    from: string
    to: string
  } | null
  /** Days until a client may get another message; null: never. */
  repeat_days: number | null
  /** Percentage of clients in the control group, which never gets a message. The assignment is stable. */
  holdout_percent: number
  budget_messages: number | null
  budget_tiyin: number | null
  /** Cost of one message. */
  price_tiyin: number
  /** Orders within this many days after a message are attributed to it. */
  attribution_days: number
  ends_at: string | null
  sent: number
  cost_tiyin: number
  pause_reason: "by_hand" | "template_unusable" | null
  finish_reason: "by_hand" | "ended" | "budget_reached" | "done" | null
  started_at: string | null
  finished_at: string | null
  created_at: string
  updated_at: string
}

export type AudiencePreview = {
  size: number
  /** False when counting stopped at the limit: the audience is at least this large. */
  is_exact: boolean
  sample: string[]
}

export type CampaignDraftPreview = {
  audience: AudiencePreview
  messages: ({
    language: "ru" | "uz" | "en"
    subject: string | null
    text: string
    html: string | null
    /** False when some of the values are samples. */
    is_real: boolean
  })[]
  missing_variables: string[]
}

export type CampaignPreview = {
  audience: AudiencePreview
  /** The message that one client would get now. Without an occasion, samples are shown and `is_real` is false. */
  message: {
    client_id: string | null
    language: "ru" | "uz" | "en"
    subject: string | null
    text: string
    html: string | null
    is_real: boolean
  } | null
}

export type CampaignGroupResults = {
  clients: number
  buyers: number
  orders: number
  revenue: Money
  /** Share of buyers among the clients, between 0 and 1. */
  conversion: number
}

export type CampaignResults = {
  waiting: number
  /** Messages created for sending. */
  sent: number
  /** Of these, failed. */
  failed: number
  /** Of these, known to be opened; many mail programs do not report it. */
  opened: number
  /** Of these, with a clicked link. */
  clicked: number
  held_out: number
  /** Targets without a message, by reason. */
  suppressed: Record<string, unknown>
  cost: Money
  attribution_days: number
  reached: CampaignGroupResults
  holdout: CampaignGroupResults
  /** Conversion of the reached group minus that of the holdout group, with a 95 % interval (Newcombe). Null while a group is empty. */
  uplift: {
    difference: number
    low: number
    high: number
    confidence: number
  } | null
}

export type CampaignRules = {
  quiet_hours: {
    from: string
    to: string
  }
  /** Maximum messages of all campaigns to one client in any 24 hours. */
  messages_per_day: number
  /** Maximum messages of all campaigns to one client in any seven days. */
  messages_per_week: number
}

export type MessageText = {
  subject: string | null
  text: string
  html: string | null
}

export type MessageTexts = {
  ru?: MessageText
  uz?: MessageText
  en?: MessageText
}

export type NotificationTemplate = {
  id: string
  slug: string
  channel: "email" | "sms" | "push"
  description: string
  is_active: boolean
  version: number
  texts: MessageTexts
  variables: string[]
  created_at: string
  updated_at: string
}

export type TemplateVariable = {
  path: string
  kind: "text" | "number" | "money" | "url" | "list"
  description: string
  sample: unknown
  items: string[]
}

export type MessageContent = {
  language: "ru" | "uz" | "en"
  subject: string | null
  text: string
  html: string | null
}

export type Notification = {
  id: string
  /** Idempotency key: one notification per key. */
  key: string
  category: "transactional" | "marketing"
  channel: "email" | "sms" | "push"
  client_id: string | null
  to: string | null
  template: string
  template_id: string
  template_version: number
  language: "ru" | "uz" | "en"
  campaign_id: string | null
  status: "queued" | "sending" | "retrying" | "held" | "sent" | "dead" | "suppressed" | "cancelled"
  reason: "no_consent" | "no_address" | "expired" | "no_provider" | "refused" | "too_many_attempts" | "by_hand" | "erased" | null
  attempts: number
  next_attempt_at: string | null
  provider_id: string | null
  created_at: string
  ended_at: string | null
  delivered_at: string | null
  opened_at: string | null
  clicked_at: string | null
}

export type NotificationWithLog = {
  id: string
  /** Idempotency key: one notification per key. */
  key: string
  category: "transactional" | "marketing"
  channel: "email" | "sms" | "push"
  client_id: string | null
  to: string | null
  template: string
  template_id: string
  template_version: number
  language: "ru" | "uz" | "en"
  campaign_id: string | null
  status: "queued" | "sending" | "retrying" | "held" | "sent" | "dead" | "suppressed" | "cancelled"
  reason: "no_consent" | "no_address" | "expired" | "no_provider" | "refused" | "too_many_attempts" | "by_hand" | "erased" | null
  attempts: number
  next_attempt_at: string | null
  provider_id: string | null
  created_at: string
  ended_at: string | null
  delivered_at: string | null
  opened_at: string | null
  clicked_at: string | null
  content: MessageContent
  log: ({
    number: number
    at: string
    duration_ms: number
    outcome: "sent" | "failed" | "refused"
    /** The SMTP or HTTP status. */
    status: number | null
    reply: string | null
    error: string | null
  })[]
}

export type Consent = {
  id: string
  client_id: string | null
  address: string | null
  channel: "email" | "sms" | "push"
  category: "marketing"
  granted: boolean
  source: string
  at: string
}

export type ConsentWithHistory = {
  id: string
  client_id: string | null
  address: string | null
  channel: "email" | "sms" | "push"
  category: "marketing"
  granted: boolean
  source: string
  at: string
  history: {
    granted: boolean
    source: string
    at: string
  }[]
}

export type Subscriptions = {
  /** The chosen language; null means the default of the shop. */
  language: "ru" | "uz" | "en" | null
  channels: ({
    channel: "email" | "sms" | "push"
    category: "marketing"
    granted: boolean
    source: string | null
    at: string | null
  })[]
}

export type Device = {
  id: string
  platform: "ios" | "android" | "web"
  created_at: string
  seen_at: string
}

export type BuyerId = number | string

export interface Operations {
  /** List applications */
  'applications.list': {
    input: {
      page?: number
      per_page?: number
      sort?: "created_at" | "-created_at" | "name" | "-name"
      cursor?: string
    }
    reply: {
      applications: Application[]
      pagination: Pagination
    }
    item: Application
  }
  /** Register an application */
  'applications.create': {
    input: {
      name: string
      scopes: ("catalog:read" | "catalog:write" | "cart:read" | "cart:write" | "orders:read" | "orders:write" | "marketing:read" | "marketing:write" | "admin:read" | "admin:write" | "profile:read" | "profile:write")[]
      redirect_urls?: string[]
      rate_limit?: string | null
      /** The names of SPEC-1 are accepted too; replies have the short ones. */
      type: "web" | "mobile" | "server" | "Web" | "Mobile" | "Server-to-Server"
    }
    reply: {
      application: Application
      key: ApiKey
      /** Shown once: null in a replay with the same `Idempotency-Key`. */
      client_secret: string | null
      /** Shown once: null in a replay with the same `Idempotency-Key`. */
      api_key: string | null
    }
  }
  /** Get an application with its keys and secrets */
  'applications.get': {
    input: {
      client_id: string | number
    }
    reply: {
      application: Application
      keys: ApiKey[]
      secrets: ClientSecret[]
    }
  }
  /** Change an application */
  'applications.update': {
    input: {
      client_id: string | number
    } & {
      name?: string
      scopes?: ("catalog:read" | "catalog:write" | "cart:read" | "cart:write" | "orders:read" | "orders:write" | "marketing:read" | "marketing:write" | "admin:read" | "admin:write" | "profile:read" | "profile:write")[]
      redirect_urls?: string[]
      rate_limit?: string | null
    }
    reply: {
      application: Application
    }
  }
  /** Delete an application and revoke its keys */
  'applications.delete': {
    input: {
      client_id: string | number
    }
    reply: {
      application: Application
    }
  }
  /** List the keys of all applications */
  'keys.list': {
    input: {
      page?: number
      per_page?: number
      sort?: "created_at" | "-created_at" | "last_used_at" | "-last_used_at" | "name" | "-name"
      cursor?: string
      client_id?: string
      state?: "active" | "expired" | "revoked"
      due_for_rotation?: boolean
    }
    reply: {
      keys: ApiKey[]
      pagination: Pagination
    }
    item: ApiKey
  }
  /** Create a key */
  'applications.createKey': {
    input: {
      client_id: string | number
    } & {
      name: string
      scopes?: ("catalog:read" | "catalog:write" | "cart:read" | "cart:write" | "orders:read" | "orders:write" | "marketing:read" | "marketing:write" | "admin:read" | "admin:write" | "profile:read" | "profile:write")[]
      rate_limit?: string | null
      expires_at?: string | null
    }
    reply: {
      key: ApiKey
      /** Shown once: null in a replay with the same `Idempotency-Key`. */
      api_key: string | null
    }
  }
  /** Rotate a key */
  'applications.rotateKey': {
    input: {
      client_id: string | number
      key_id: string | number
    } & {
      overlap_seconds?: number
    }
    reply: {
      key: ApiKey
      replaced: ApiKey
      /** Shown once: null in a replay with the same `Idempotency-Key`. */
      api_key: string | null
    }
  }
  /** Revoke a key */
  'applications.revokeKey': {
    input: {
      client_id: string | number
      key_id: string | number
    }
    reply: {
      key: ApiKey
    }
  }
  /** Rotate the client secret */
  'applications.rotateSecret': {
    input: {
      client_id: string | number
    } & {
      overlap_seconds?: number
    }
    reply: {
      secret: ClientSecret
      replaced: ClientSecret[]
      /** Shown once: null in a replay with the same `Idempotency-Key`. */
      client_secret: string | null
    }
  }
  /** Revoke a client secret */
  'applications.revokeSecret': {
    input: {
      client_id: string | number
      secret_id: string | number
    }
    reply: {
      secret: ClientSecret
    }
  }
  /** Get the usage of an application by day */
  'applications.getUsage': {
    input: {
      client_id: string | number
      from?: string
      to?: string
    }
    reply: {
      from: string
      to: string
      usage: {
        day: string
        calls: number
        refused: number
      }[]
    }
  }
  /** Get the usage of a key by day */
  'applications.getKeyUsage': {
    input: {
      client_id: string | number
      key_id: string | number
      from?: string
      to?: string
    }
    reply: {
      from: string
      to: string
      usage: {
        day: string
        calls: number
        refused: number
      }[]
    }
  }
  /** Get the usage of all applications by hour */
  'applications.getHourlyUsage': {
    input: {
      hours?: number
    }
    reply: {
      from: string
      to: string
      applications: ApplicationUsage[]
    }
  }
  /** List audit entries */
  'auditLog.list': {
    input: {
      page?: number
      per_page?: number
      sort?: "at" | "-at"
      cursor?: string
      actor?: string
      actor_kind?: "member" | "application" | "client" | "command_line" | "anonymous"
      subject?: string
      path?: string
      from?: string
      to?: string
    }
    reply: {
      records: ({
        id: string
        at: string
        actor: {
          /** `command_line` is an operator at the server; `anonymous` had no credential. */
          kind: "member" | "application" | "client" | "command_line" | "anonymous"
          id: string | null
          /** The name at that time. */
          name: string | null
          /** The key or session. */
          credential: string | null
        }
        method: string
        path: string
        request_id: string | null
        environment: "live" | "test"
        status: number | null
        /** What was changed. */
        subject: string | null
        events: string[]
        changes: ({
          field: string
          before: string | null
          after: string | null
        })[]
      })[]
      pagination: Pagination
    }
    item: {
      id: string
      at: string
      actor: {
        /** `command_line` is an operator at the server; `anonymous` had no credential. */
        kind: "member" | "application" | "client" | "command_line" | "anonymous"
        id: string | null
        /** The name at that time. */
        name: string | null
        /** The key or session. */
        credential: string | null
      }
      method: string
      path: string
      request_id: string | null
      environment: "live" | "test"
      status: number | null
      /** What was changed. */
      subject: string | null
      events: string[]
      changes: ({
        field: string
        before: string | null
        after: string | null
      })[]
    }
  }
  /** List calls */
  'requestLog.list': {
    input: {
      page?: number
      per_page?: number
      sort?: "at" | "-at"
      cursor?: string
      q?: string
      request_id?: string
      path?: string
      method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE"
      status?: string
      key?: string
      client_id?: string
      from?: string
      to?: string
    }
    reply: {
      calls: ({
        id: string
        at: string
        request_id: string
        method: string
        /** Path and query; secrets are masked. */
        path: string
        /** The declared path; null for an unknown one. */
        route: string | null
        status: number
        error_code: string | null
        milliseconds: number
        /** The id of the key, token or session; of a refused one only its kind. */
        credential: string | null
        application: {
          client_id: string
          name: string | null
        } | null
        user_agent: string | null
        /** Calls of the same kind (served or failed) before this one that were not kept, because the server was busy. */
        skipped: number
      })[]
      pagination: Pagination
    }
    item: {
      id: string
      at: string
      request_id: string
      method: string
      /** Path and query; secrets are masked. */
      path: string
      /** The declared path; null for an unknown one. */
      route: string | null
      status: number
      error_code: string | null
      milliseconds: number
      /** The id of the key, token or session; of a refused one only its kind. */
      credential: string | null
      application: {
        client_id: string
        name: string | null
      } | null
      user_agent: string | null
      /** Calls of the same kind (served or failed) before this one that were not kept, because the server was busy. */
      skipped: number
    }
  }
  /** Show a call */
  'requestLog.get': {
    input: {
      call_id: string | number
    }
    reply: {
      call: {
        id: string
        at: string
        request_id: string
        method: string
        /** Path and query; secrets are masked. */
        path: string
        /** The declared path; null for an unknown one. */
        route: string | null
        status: number
        error_code: string | null
        milliseconds: number
        /** The id of the key, token or session; of a refused one only its kind. */
        credential: string | null
        application: {
          client_id: string
          name: string | null
        } | null
        user_agent: string | null
        /** Calls of the same kind (served or failed) before this one that were not kept, because the server was busy. */
        skipped: number
        /** The JSON of the request with masked secrets; null for served calls. */
        request_body: string | null
        /** The JSON of the reply with masked secrets; null for served calls. */
        reply_body: string | null
      }
    }
  }
  /** Get the rules for all members */
  'members.getRules': {
    input: Record<string, never>
    reply: {
      rules: {
        two_step_for_owners: boolean
      }
    }
  }
  /** Change the rules for all members */
  'members.updateRules': {
    input: {
      two_step_for_owners: boolean
    }
    reply: {
      rules: {
        two_step_for_owners: boolean
      }
    }
  }
  /** List members */
  'members.list': {
    input: {
      page?: number
      per_page?: number
      sort?: "created_at" | "-created_at" | "name" | "-name" | "email" | "-email"
      cursor?: string
      role?: "owner" | "developer" | "operator" | "analyst"
      state?: "active" | "deactivated"
    }
    reply: {
      members: Member[]
      pagination: Pagination
    }
    item: Member
  }
  /** Get a member */
  'members.get': {
    input: {
      member_id: string | number
    }
    reply: {
      member: Member
    }
  }
  /** Change the name or the role of a member */
  'members.update': {
    input: {
      member_id: string | number
    } & {
      name?: string
      role?: "owner" | "developer" | "operator" | "analyst"
    }
    reply: {
      member: Member
    }
  }
  /** List invitations */
  'members.listInvitations': {
    input: {
      page?: number
      per_page?: number
      sort?: "created_at" | "-created_at" | "email" | "-email"
      cursor?: string
    }
    reply: {
      invitations: Invitation[]
      pagination: Pagination
    }
    item: Invitation
  }
  /** Invite a member */
  'members.createInvitation': {
    input: {
      email: string
      role: "owner" | "developer" | "operator" | "analyst"
    }
    reply: {
      invitation: Invitation
      /** The secret of the link. Shown once: null in a replay with the same `Idempotency-Key`. */
      token: string | null
      /** The page that accepts the invitation. Shown once: null in a replay with the same `Idempotency-Key`. */
      link: string | null
    }
  }
  /** Deactivate a member */
  'members.deactivate': {
    input: {
      member_id: string | number
    }
    reply: {
      member: Member
    }
  }
  /** Reactivate a member */
  'members.reactivate': {
    input: {
      member_id: string | number
    }
    reply: {
      member: Member
    }
  }
  /** Resend an invitation */
  'members.resendInvitation': {
    input: {
      invitation_id: string | number
    }
    reply: {
      invitation: Invitation
      /** The secret of the link. Shown once: null in a replay with the same `Idempotency-Key`. */
      token: string | null
      /** The page that accepts the invitation. Shown once: null in a replay with the same `Idempotency-Key`. */
      link: string | null
    }
  }
  /** Revoke an invitation */
  'members.revokeInvitation': {
    input: {
      invitation_id: string | number
    }
    reply: {
      invitation: Invitation
    }
  }
  /** List my consents */
  'auth.listConsents': {
    input: Record<string, never>
    reply: {
      consents: ApplicationConsent[]
    }
  }
  /** Withdraw a consent */
  'auth.deleteConsent': {
    input: {
      client_id: string | number
    }
    reply: {
      consents: ApplicationConsent[]
    }
  }
  /** Register a client */
  'auth.register': {
    input: {
      /** Up to 200 characters. */
      name: string
      phone?: string | null
      email?: string | null
      /** From 8 to 200 characters, not easy to guess. */
      password: string
      /** The guest session id used so far. Its interactions count as the client’s for recommendations; carts and wishlists are merged by their own calls. */
      guest_session_id?: string
      external_ids?: string[]
    }
    reply: {
      client: Profile
      session: ClientSession
      /** Goes as `X-CSRF-Token` with writes from another origin. Shown once: null in a replay with the same `Idempotency-Key`. */
      csrf_token: string | null
    }
  }
  /** Sign in */
  'auth.login': {
    input: {
      /** A phone number or an e-mail. */
      login: string
      password: string
      /** The guest session id used so far. Its interactions count as the client’s for recommendations; carts and wishlists are merged by their own calls. */
      guest_session_id?: string
      external_ids?: string[]
    }
    reply: {
      client: Profile
      session: ClientSession
      /** Goes as `X-CSRF-Token` with writes from another origin. Shown once: null in a replay with the same `Idempotency-Key`. */
      csrf_token: string | null
    }
  }
  /** Get a session id for a guest */
  'auth.createGuestSession': {
    input: Record<string, never>
    reply: {
      /** It opens the guest’s cart. Shown once: null in a replay with the same `Idempotency-Key`. */
      session_id: string | null
    }
  }
  /** Get my profile */
  'auth.getProfile': {
    input: Record<string, never>
    reply: {
      client: Profile
    }
  }
  /** Change my profile */
  'auth.updateProfile': {
    input: {
      /** Up to 200 characters. */
      name?: string
      phone?: string | null
      email?: string | null
      current_password?: string
    }
    reply: {
      client: Profile
    }
  }
  /** Sign out */
  'auth.logout': {
    input: {
      everywhere?: boolean
    }
    reply: {
      ended: number
    }
  }
  /** List my sessions */
  'auth.listSessions': {
    input: Record<string, never>
    reply: {
      sessions: ClientSession[]
    }
  }
  /** End one of my sessions */
  'auth.deleteSession': {
    input: {
      session_id: string | number
    }
    reply: {
      ended: number
    }
  }
  /** Change my password */
  'auth.changePassword': {
    input: {
      current_password: string
      /** From 8 to 200 characters, not easy to guess. */
      new_password: string
    }
    reply: {
      client: Profile
    }
  }
  /** Request a password reset */
  'auth.requestPasswordReset': {
    input: {
      /** A phone number or an e-mail. */
      login: string
    }
    reply: {
      requested: boolean
    }
  }
  /** Complete a password reset */
  'auth.completePasswordReset': {
    input: {
      token: string
      /** From 8 to 200 characters, not easy to guess. */
      password: string
    }
    reply: {
      changed: boolean
    }
  }
  /** Create the token of a password reset */
  'passwordResets.createToken': {
    input: {
      reset_id: string | number
    }
    reply: {
      /** Shown once: null in a replay with the same `Idempotency-Key`. */
      token: string | null
      client: Profile
      expires_at: string
    }
  }
  /** Search clients */
  'clients.list': {
    input: {
      page?: number
      per_page?: number
      sort?: "created_at" | "-created_at" | "id" | "-id" | "name" | "-name"
      cursor?: string
      q?: string
    }
    reply: {
      clients: Client[]
      pagination: Pagination
    }
    item: Client
  }
  /** Get a client with orders, cart and limits */
  'clients.get': {
    input: {
      client_id: string | number
    }
    reply: {
      client: Client
      orders: {
        count: number
        recent: ({
          id: string
          status: "awaiting_payment" | "confirmed" | "delivered" | "completed" | "cancelled"
          amount: {
            amount: number
            currency: "UZS"
          }
          created_at: string
        })[]
      }
      cart: {
        id: string
        units: number
        updated_at: string
      } | null
      limits: {
        ordered_today: {
          amount: number
          currency: "UZS"
        }
        credit_outstanding: {
          amount: number
          currency: "UZS"
        }
      }
    }
  }
  /** Change a client */
  'clients.update': {
    input: {
      client_id: string | number
    } & {
      /** Up to 200 characters. */
      name?: string
      phone?: string | null
      email?: string | null
    }
    reply: {
      client: Client
    }
  }
  /** Merge a duplicate into another client */
  'clients.merge': {
    input: {
      client_id: string | number
    } & {
      into: number | string
    }
    reply: {
      client: Client
    }
  }
  /** Erase a client */
  'clients.erase': {
    input: {
      client_id: string | number
    }
    reply: {
      client: Client
    }
  }
  /** List the sessions of a client */
  'clients.listSessions': {
    input: {
      client_id: string | number
    }
    reply: {
      sessions: ClientSession[]
    }
  }
  /** End all sessions of a client */
  'clients.deleteSessions': {
    input: {
      client_id: string | number
    }
    reply: {
      ended: number
    }
  }
  /** End a session of a client */
  'clients.deleteSession': {
    input: {
      client_id: string | number
      session_id: string | number
    }
    reply: {
      ended: number
    }
  }
  /** Get the state of your two-step sign-in */
  'members.getTwoStep': {
    input: Record<string, never>
    reply: {
      enabled: boolean
      recovery_codes_left: number
    }
  }
  /** Begin two-step sign-in */
  'members.beginTwoStep': {
    input: {
      password: string
    }
    reply: {
      /** Shown once: null in a replay with the same `Idempotency-Key`. */
      secret: string | null
      /** For a QR code. Shown once: null in a replay with the same `Idempotency-Key`. */
      uri: string | null
    }
  }
  /** Turn two-step sign-in off */
  'members.disableTwoStep': {
    input: {
      /** Six digits of the authenticator application, or a recovery code. */
      code: string
    }
    reply: {
      enabled: boolean
    }
  }
  /** Turn two-step sign-in on */
  'members.confirmTwoStep': {
    input: {
      /** Six digits of the authenticator application, or a recovery code. */
      code: string
    }
    reply: {
      /** Each replaces a code once. Shown once: null in a replay with the same `Idempotency-Key`. */
      recovery_codes: string[] | null
    }
  }
  /** Replace your recovery codes */
  'members.renewRecoveryCodes': {
    input: {
      /** Six digits of the authenticator application, or a recovery code. */
      code: string
    }
    reply: {
      /** Each replaces a code once. Shown once: null in a replay with the same `Idempotency-Key`. */
      recovery_codes: string[] | null
    }
  }
  /** Turn two-step sign-in of a member off */
  'members.removeTwoStep': {
    input: {
      member_id: string | number
    }
    reply: {
      enabled: boolean
    }
  }
  /** Sign in as a member */
  'memberSessions.create': {
    input: {
      email: string
      password: string
      /** Default `live`. */
      environment?: "live" | "test"
      /** Six digits of the authenticator application, or a recovery code. */
      code?: string
    }
    reply: {
      member: Member
      environment: "live" | "test"
      scopes: ("catalog:read" | "catalog:write" | "cart:read" | "cart:write" | "orders:read" | "orders:write" | "marketing:read" | "marketing:write" | "admin:read" | "admin:write" | "profile:read" | "profile:write")[]
      session: MemberSession
      /** Shown once: null in a replay with the same `Idempotency-Key`. */
      csrf_token: string | null
    }
  }
  /** List your own sessions */
  'memberSessions.list': {
    input: Record<string, never>
    reply: {
      sessions: MemberSession[]
    }
  }
  /** End all your other sessions */
  'memberSessions.deleteAll': {
    input: Record<string, never>
    reply: {
      ended: number
    }
  }
  /** Accept an invitation */
  'members.acceptInvitation': {
    input: {
      token: string
      name: string
      password: string
    }
    reply: {
      member: Member
    }
  }
  /** Request a password reset as a member */
  'memberSessions.requestPasswordReset': {
    input: {
      email: string
    }
    reply: {
      requested: boolean
    }
  }
  /** Complete a password reset as a member */
  'memberSessions.completePasswordReset': {
    input: {
      token: string
      password: string
    }
    reply: {
      changed: boolean
    }
  }
  /** Sign out */
  'memberSessions.deleteCurrent': {
    input: Record<string, never>
    reply: {
      ended: number
    }
  }
  /** End one of your own sessions */
  'memberSessions.delete': {
    input: {
      session_id: string | number
    }
    reply: {
      ended: number
    }
  }
  /** Get your profile, scopes and environment */
  'members.getMe': {
    input: Record<string, never>
    reply: {
      member: Member
      environment: "live" | "test"
      scopes: ("catalog:read" | "catalog:write" | "cart:read" | "cart:write" | "orders:read" | "orders:write" | "marketing:read" | "marketing:write" | "admin:read" | "admin:write" | "profile:read" | "profile:write")[]
      session_id: string
      /** The member has no scopes until two-step sign-in is on. */
      must_turn_on_two_step: boolean
    }
  }
  /** Change your own name */
  'members.updateMe': {
    input: {
      name: string
    }
    reply: {
      member: Member
    }
  }
  /** Change your own password */
  'members.changeMyPassword': {
    input: {
      current_password: string
      new_password: string
    }
    reply: {
      changed: boolean
    }
  }
  /** List categories */
  'categories.list': {
    input: {
      page?: number
      per_page?: number
      sort?: "id" | "-id" | "name" | "-name" | "level" | "-level" | "created_at" | "-created_at"
      cursor?: string
      parent_id?: string
      level?: number
      slug?: string
    }
    reply: {
      categories: Category[]
      pagination: Pagination
    }
    item: Category
  }
  /** Create a category */
  'categories.create': {
    input: {
      id?: number | string
      parent_id?: number | string | null
      slug: string
      name: {
        ru?: string
        uz?: string
        en?: string
      }
      description?: {
        ru?: string
        uz?: string
        en?: string
      }
      image_url?: string | null
    }
    reply: {
      category: Category
    }
  }
  /** Get a category */
  'categories.get': {
    input: {
      category_id: string | number
    }
    reply: {
      category: Category
    }
  }
  /** Replace a category */
  'categories.replace': {
    input: {
      category_id: string | number
    } & {
      parent_id?: number | string | null
      slug: string
      name: {
        ru?: string
        uz?: string
        en?: string
      }
      description?: {
        ru?: string
        uz?: string
        en?: string
      }
      image_url?: string | null
    }
    reply: {
      category: Category
    }
  }
  /** Change a category */
  'categories.update': {
    input: {
      category_id: string | number
    } & {
      parent_id?: number | string | null
      slug?: string
      name?: {
        ru?: string
        uz?: string
        en?: string
      }
      description?: {
        ru?: string
        uz?: string
        en?: string
      }
      image_url?: string | null
    }
    reply: {
      category: Category
    }
  }
  /** Delete a category */
  'categories.delete': {
    input: {
      category_id: string | number
    }
    reply: {
      category: Category
    }
  }
  /** Get a category by its slug */
  'categories.getBySlug': {
    input: {
      slug: string | number
    }
    reply: {
      category: Category
      moved_from: string | null
    }
  }
  /** List attributes */
  'attributes.list': {
    input: {
      page?: number
      per_page?: number
      sort?: "position" | "-position" | "id" | "-id" | "code" | "-code" | "created_at" | "-created_at"
      cursor?: string
      code?: string
      category_id?: string
      kind?: "number" | "enumeration" | "boolean" | "text"
    }
    reply: {
      attributes: Attribute[]
      pagination: Pagination
    }
    item: Attribute
  }
  /** Create an attribute */
  'attributes.create': {
    input: {
      id?: number | string
      /** The name in records and filters; unique. */
      code: string
      kind: "number" | "enumeration" | "boolean" | "text"
      name: {
        ru?: string
        uz?: string
        en?: string
      }
      /** Applies to this category and those below it; to all products when it is null. */
      category_id?: number | string | null
      unit?: {
        ru?: string
        uz?: string
        en?: string
      } | null
      options?: {
        /** What filters and records contain. */
        value: string
        title: {
          ru?: string
          uz?: string
          en?: string
        }
      }[]
      /** Count its values in lists and searches. Texts are never counted. */
      facet?: boolean
      /** Lower ones are shown first. */
      position?: number
    }
    reply: {
      attribute: Attribute
    }
  }
  /** Get an attribute */
  'attributes.get': {
    input: {
      attribute_id: string | number
    }
    reply: {
      attribute: Attribute
    }
  }
  /** Replace an attribute */
  'attributes.replace': {
    input: {
      attribute_id: string | number
    } & {
      /** The name in records and filters; unique. */
      code: string
      kind: "number" | "enumeration" | "boolean" | "text"
      name: {
        ru?: string
        uz?: string
        en?: string
      }
      /** Applies to this category and those below it; to all products when it is null. */
      category_id?: number | string | null
      unit?: {
        ru?: string
        uz?: string
        en?: string
      } | null
      options?: {
        /** What filters and records contain. */
        value: string
        title: {
          ru?: string
          uz?: string
          en?: string
        }
      }[]
      /** Count its values in lists and searches. Texts are never counted. */
      facet?: boolean
      /** Lower ones are shown first. */
      position?: number
    }
    reply: {
      attribute: Attribute
    }
  }
  /** Change an attribute */
  'attributes.update': {
    input: {
      attribute_id: string | number
    } & {
      /** The name in records and filters; unique. */
      code?: string
      kind?: "number" | "enumeration" | "boolean" | "text"
      name?: {
        ru?: string
        uz?: string
        en?: string
      }
      /** Applies to this category and those below it; to all products when it is null. */
      category_id?: number | string | null
      unit?: {
        ru?: string
        uz?: string
        en?: string
      } | null
      options?: {
        /** What filters and records contain. */
        value: string
        title: {
          ru?: string
          uz?: string
          en?: string
        }
      }[]
      /** Count its values in lists and searches. Texts are never counted. */
      facet?: boolean
      /** Lower ones are shown first. */
      position?: number
    }
    reply: {
      attribute: Attribute
    }
  }
  /** Delete an attribute */
  'attributes.delete': {
    input: {
      attribute_id: string | number
    }
    reply: {
      attribute: Attribute
    }
  }
  /** List products */
  'products.list': {
    input: {
      page?: number
      per_page?: number
      sort?: "id" | "-id" | "name" | "-name" | "price" | "-price" | "popularity" | "-popularity" | "rating" | "-rating" | "discount" | "-discount" | "created_at" | "-created_at"
      cursor?: string
      facets?: boolean
      category?: string
      category_id?: string
      brand?: string
      partner?: string
      price_min?: number
      price_max?: number
      rating_min?: number
      in_stock?: boolean
      discounted?: boolean
      attributes?: string
    }
    reply: {
      products: Product[]
      pagination: Pagination
      facets: Facets | null
    }
    item: Product
  }
  /** Create a product */
  'products.create': {
    input: {
      id?: number | string
      category_id: number | string
      slug: string
      name: {
        ru?: string
        uz?: string
        en?: string
      }
      brand_id?: number | string | null
      description?: {
        ru?: string
        uz?: string
        en?: string
      }
      images?: {
        lg_path: string
        md_path?: string
        sm_path?: string
      }[]
      /** Values of attributes by code; `/v1/catalog/attributes` has the definitions. */
      attributes?: Record<string, string | number | boolean>
    }
    reply: {
      product: ProductDetail
    }
  }
  /** Search products */
  'products.search': {
    input: {
      page?: number
      per_page?: number
      sort?: "relevance" | "-relevance" | "id" | "-id" | "name" | "-name" | "price" | "-price" | "popularity" | "-popularity" | "rating" | "-rating" | "discount" | "-discount" | "created_at" | "-created_at"
      cursor?: string
      q?: string
      exact?: boolean
      explain?: boolean
      category?: string
      category_id?: string
      brand?: string
      partner?: string
      price_min?: number
      price_max?: number
      rating_min?: number
      in_stock?: boolean
      discounted?: boolean
      attributes?: string
    }
    reply: {
      products: Product[]
      pagination: Pagination
      facets: Facets
      /** Identifies the query; interactions that the results lead to carry it. Null when the query is not kept: empty, very long, or with an address or a long number in it. */
      search_id: string | null
      /** The same as `corrected`; kept for older programs. */
      did_you_mean: string | null
      /** The query that was searched, when keyboard layout, script or typos were changed. Send `exact=true` to insist on the typed words. */
      corrected: string | null
      /** No product has all words; some were left out. */
      relaxed: boolean
      left_out: string[]
      /** When nothing was found: categories that may help, and popular products. */
      alternatives: {
        categories: {
          id: string
          name: string
          slug: string
        }[]
        products: Product[]
      } | null
      explanation: ({
        step: "price" | "layout" | "join" | "split" | "filler" | "diminutive" | "sound" | "typo" | "meaning" | "prefix"
        from: string
        to: string
      })[] | null
    }
    item: Product
  }
  /** Suggest completions while typing */
  'products.suggest': {
    input: {
      q: string
      limit?: number
    }
    reply: {
      suggestions: Suggestion[]
    }
  }
  /** Get a product with its variants and offers */
  'products.get': {
    input: {
      product_id: string | number
    }
    reply: {
      product: ProductDetail
    }
  }
  /** Replace a product */
  'products.replace': {
    input: {
      product_id: string | number
    } & {
      category_id: number | string
      slug: string
      name: {
        ru?: string
        uz?: string
        en?: string
      }
      brand_id?: number | string | null
      description?: {
        ru?: string
        uz?: string
        en?: string
      }
      images?: {
        lg_path: string
        md_path?: string
        sm_path?: string
      }[]
      /** Values of attributes by code; `/v1/catalog/attributes` has the definitions. */
      attributes?: Record<string, string | number | boolean>
    }
    reply: {
      product: ProductDetail
    }
  }
  /** Change a product */
  'products.update': {
    input: {
      product_id: string | number
    } & {
      category_id?: number | string
      slug?: string
      name?: {
        ru?: string
        uz?: string
        en?: string
      }
      brand_id?: number | string | null
      description?: {
        ru?: string
        uz?: string
        en?: string
      }
      images?: {
        lg_path: string
        md_path?: string
        sm_path?: string
      }[]
      /** Values of attributes by code; `/v1/catalog/attributes` has the definitions. */
      attributes?: Record<string, string | number | boolean>
    }
    reply: {
      product: ProductDetail
    }
  }
  /** Delete a product */
  'products.delete': {
    input: {
      product_id: string | number
    }
    reply: {
      product: ProductDetail
    }
  }
  /** Get a product by its slug */
  'products.getBySlug': {
    input: {
      slug: string | number
    }
    reply: {
      product: ProductDetail
      moved_from: string | null
    }
  }
  /** List brands */
  'brands.list': {
    input: {
      page?: number
      per_page?: number
      sort?: "name" | "-name" | "created_at" | "-created_at" | "id" | "-id"
      cursor?: string
      slug?: string
    }
    reply: {
      brands: Brand[]
      pagination: Pagination
    }
    item: Brand
  }
  /** Create a brand */
  'brands.create': {
    input: {
      id?: number | string
      slug: string
      name: string
    }
    reply: {
      brand: Brand
    }
  }
  /** Get a brand */
  'brands.get': {
    input: {
      brand_id: string | number
    }
    reply: {
      brand: Brand
    }
  }
  /** Replace a brand */
  'brands.replace': {
    input: {
      brand_id: string | number
    } & {
      slug: string
      name: string
    }
    reply: {
      brand: Brand
    }
  }
  /** Change a brand */
  'brands.update': {
    input: {
      brand_id: string | number
    } & {
      slug?: string
      name?: string
    }
    reply: {
      brand: Brand
    }
  }
  /** Delete a brand */
  'brands.delete': {
    input: {
      brand_id: string | number
    }
    reply: {
      brand: Brand
    }
  }
  /** List partners */
  'partners.list': {
    input: {
      page?: number
      per_page?: number
      sort?: "name" | "-name" | "rating" | "-rating" | "created_at" | "-created_at" | "id" | "-id"
      cursor?: string
      slug?: string
      is_recommended?: boolean
      credit_active?: boolean
    }
    reply: {
      partners: Partner[]
      pagination: Pagination
    }
    item: Partner
  }
  /** Create a partner */
  'partners.create': {
    input: {
      id?: number | string
      slug: string
      name: string
      rating?: number
      is_recommended?: boolean
      credit_active?: boolean
      logo_path?: string | null
    }
    reply: {
      partner: Partner
    }
  }
  /** Get a partner */
  'partners.get': {
    input: {
      partner_id: string | number
    }
    reply: {
      partner: Partner
    }
  }
  /** Replace a partner */
  'partners.replace': {
    input: {
      partner_id: string | number
    } & {
      slug: string
      name: string
      rating?: number
      is_recommended?: boolean
      credit_active?: boolean
      logo_path?: string | null
    }
    reply: {
      partner: Partner
    }
  }
  /** Change a partner */
  'partners.update': {
    input: {
      partner_id: string | number
    } & {
      slug?: string
      name?: string
      rating?: number
      is_recommended?: boolean
      credit_active?: boolean
      logo_path?: string | null
    }
    reply: {
      partner: Partner
    }
  }
  /** Delete a partner */
  'partners.delete': {
    input: {
      partner_id: string | number
    }
    reply: {
      partner: Partner
    }
  }
  /** List loan conditions */
  'loanConditions.list': {
    input: {
      page?: number
      per_page?: number
      sort?: "id" | "-id" | "duration" | "-duration" | "created_at" | "-created_at"
      cursor?: string
      partner_id?: string
      active?: boolean
    }
    reply: {
      loan_conditions: LoanCondition[]
      pagination: Pagination
    }
    item: LoanCondition
  }
  /** Create a loan condition */
  'loanConditions.create': {
    input: {
      id?: number | string
      partner_id: number | string
      /** Months. */
      duration: number
      /** Percent of the price. */
      commission?: number
      /** How much of the commission is charged for instalments that are not due yet when everything is repaid early. */
      early_commission_percent?: number
      active?: boolean
      promotion_id?: number | string | null
    }
    reply: {
      loan_condition: LoanCondition
    }
  }
  /** Get a loan condition */
  'loanConditions.get': {
    input: {
      loan_condition_id: string | number
    }
    reply: {
      loan_condition: LoanCondition
    }
  }
  /** Replace a loan condition */
  'loanConditions.replace': {
    input: {
      loan_condition_id: string | number
    } & {
      partner_id: number | string
      /** Months. */
      duration: number
      /** Percent of the price. */
      commission?: number
      /** How much of the commission is charged for instalments that are not due yet when everything is repaid early. */
      early_commission_percent?: number
      active?: boolean
      promotion_id?: number | string | null
    }
    reply: {
      loan_condition: LoanCondition
    }
  }
  /** Change a loan condition */
  'loanConditions.update': {
    input: {
      loan_condition_id: string | number
    } & {
      partner_id?: number | string
      /** Months. */
      duration?: number
      /** Percent of the price. */
      commission?: number
      /** How much of the commission is charged for instalments that are not due yet when everything is repaid early. */
      early_commission_percent?: number
      active?: boolean
      promotion_id?: number | string | null
    }
    reply: {
      loan_condition: LoanCondition
    }
  }
  /** Delete a loan condition */
  'loanConditions.delete': {
    input: {
      loan_condition_id: string | number
    }
    reply: {
      loan_condition: LoanCondition
    }
  }
  /** List variants */
  'variants.list': {
    input: {
      page?: number
      per_page?: number
      sort?: "id" | "-id" | "created_at" | "-created_at"
      cursor?: string
      product_id?: string
    }
    reply: {
      variants: Variant[]
      pagination: Pagination
    }
    item: Variant
  }
  /** Create a variant */
  'variants.create': {
    input: {
      id?: number | string
      product_id: number | string
      name: {
        ru?: string
        uz?: string
        en?: string
      }
      attributes?: Record<string, string>
    }
    reply: {
      variant: Variant
    }
  }
  /** Get a variant */
  'variants.get': {
    input: {
      variant_id: string | number
    }
    reply: {
      variant: Variant
    }
  }
  /** Replace a variant */
  'variants.replace': {
    input: {
      variant_id: string | number
    } & {
      product_id: number | string
      name: {
        ru?: string
        uz?: string
        en?: string
      }
      attributes?: Record<string, string>
    }
    reply: {
      variant: Variant
    }
  }
  /** Change a variant */
  'variants.update': {
    input: {
      variant_id: string | number
    } & {
      product_id?: number | string
      name?: {
        ru?: string
        uz?: string
        en?: string
      }
      attributes?: Record<string, string>
    }
    reply: {
      variant: Variant
    }
  }
  /** Delete a variant */
  'variants.delete': {
    input: {
      variant_id: string | number
    }
    reply: {
      variant: Variant
    }
  }
  /** List offers */
  'offers.list': {
    input: {
      page?: number
      per_page?: number
      sort?: "id" | "-id" | "price" | "-price" | "quantity" | "-quantity" | "created_at" | "-created_at"
      cursor?: string
      product_id?: string
      variant_id?: string
      partner_id?: string
      is_active?: boolean
      is_visible?: boolean
      in_stock?: boolean
      low_stock?: boolean
      price_min?: number
      price_max?: number
    }
    reply: {
      offers: Offer[]
      pagination: Pagination
    }
    item: Offer
  }
  /** Create an offer */
  'offers.create': {
    input: {
      id?: number | string
      product_id: number | string
      partner_id: number | string
      /** In tiyin; 100 tiyin are one sum. */
      price_tiyin: number
      quantity: number
      variant_id?: number | string | null
      /** In tiyin; 100 tiyin are one sum. */
      old_price_tiyin?: number | null
      is_visible?: boolean
      is_active?: boolean
      regions?: ("home" | "global")[]
      loan_condition_ids?: (number | string)[]
      bnpl?: {
        has_daily_payment?: boolean
        prepayment_tiyin?: number | null
      }
      reservation_minutes?: number | null
      rating?: number | null
    }
    reply: {
      offer: Offer
    }
  }
  /** Get an offer */
  'offers.get': {
    input: {
      offer_id: string | number
    }
    reply: {
      offer: Offer
    }
  }
  /** Replace an offer */
  'offers.replace': {
    input: {
      offer_id: string | number
    } & {
      product_id: number | string
      partner_id: number | string
      /** In tiyin; 100 tiyin are one sum. */
      price_tiyin: number
      quantity: number
      variant_id?: number | string | null
      /** In tiyin; 100 tiyin are one sum. */
      old_price_tiyin?: number | null
      is_visible?: boolean
      is_active?: boolean
      regions?: ("home" | "global")[]
      loan_condition_ids?: (number | string)[]
      bnpl?: {
        has_daily_payment?: boolean
        prepayment_tiyin?: number | null
      }
      reservation_minutes?: number | null
      rating?: number | null
    }
    reply: {
      offer: Offer
    }
  }
  /** Change an offer */
  'offers.update': {
    input: {
      offer_id: string | number
    } & {
      product_id?: number | string
      partner_id?: number | string
      /** In tiyin; 100 tiyin are one sum. */
      price_tiyin?: number
      quantity?: number
      variant_id?: number | string | null
      /** In tiyin; 100 tiyin are one sum. */
      old_price_tiyin?: number | null
      is_visible?: boolean
      is_active?: boolean
      regions?: ("home" | "global")[]
      loan_condition_ids?: (number | string)[]
      bnpl?: {
        has_daily_payment?: boolean
        prepayment_tiyin?: number | null
      }
      reservation_minutes?: number | null
      rating?: number | null
    }
    reply: {
      offer: Offer
    }
  }
  /** Delete an offer */
  'offers.delete': {
    input: {
      offer_id: string | number
    }
    reply: {
      offer: Offer
    }
  }
  /** List moderated offers */
  'moderatedOffers.list': {
    input: {
      page?: number
      per_page?: number
      sort?: "id" | "-id" | "price" | "-price" | "quantity" | "-quantity" | "created_at" | "-created_at"
      cursor?: string
      status?: "draft" | "pending" | "approved" | "rejected"
      uuid?: string
      product_id?: string
      variant_id?: string
      partner_id?: string
      is_active?: boolean
      is_visible?: boolean
      in_stock?: boolean
      low_stock?: boolean
      price_min?: number
      price_max?: number
    }
    reply: {
      moderated_offers: ModeratedOffer[]
      pagination: Pagination
    }
    item: ModeratedOffer
  }
  /** Create a moderated offer */
  'moderatedOffers.create': {
    input: {
      id?: number | string
      product_id: number | string
      partner_id: number | string
      /** In tiyin; 100 tiyin are one sum. */
      price_tiyin: number
      quantity: number
      uuid?: string
      status?: "draft" | "pending" | "approved" | "rejected"
      reason?: string | null
      variant_id?: number | string | null
      /** In tiyin; 100 tiyin are one sum. */
      old_price_tiyin?: number | null
      is_visible?: boolean
      is_active?: boolean
      regions?: ("home" | "global")[]
      loan_condition_ids?: (number | string)[]
      bnpl?: {
        has_daily_payment?: boolean
        prepayment_tiyin?: number | null
      }
      reservation_minutes?: number | null
      rating?: number | null
    }
    reply: {
      moderated_offer: ModeratedOffer
    }
  }
  /** Get a moderated offer */
  'moderatedOffers.get': {
    input: {
      moderated_offer_id: string | number
    }
    reply: {
      moderated_offer: ModeratedOffer
    }
  }
  /** Replace a moderated offer */
  'moderatedOffers.replace': {
    input: {
      moderated_offer_id: string | number
    } & {
      product_id: number | string
      partner_id: number | string
      /** In tiyin; 100 tiyin are one sum. */
      price_tiyin: number
      quantity: number
      uuid?: string
      status?: "draft" | "pending" | "approved" | "rejected"
      reason?: string | null
      variant_id?: number | string | null
      /** In tiyin; 100 tiyin are one sum. */
      old_price_tiyin?: number | null
      is_visible?: boolean
      is_active?: boolean
      regions?: ("home" | "global")[]
      loan_condition_ids?: (number | string)[]
      bnpl?: {
        has_daily_payment?: boolean
        prepayment_tiyin?: number | null
      }
      reservation_minutes?: number | null
      rating?: number | null
    }
    reply: {
      moderated_offer: ModeratedOffer
    }
  }
  /** Change a moderated offer */
  'moderatedOffers.update': {
    input: {
      moderated_offer_id: string | number
    } & {
      product_id?: number | string
      partner_id?: number | string
      /** In tiyin; 100 tiyin are one sum. */
      price_tiyin?: number
      quantity?: number
      uuid?: string
      status?: "draft" | "pending" | "approved" | "rejected"
      reason?: string | null
      variant_id?: number | string | null
      /** In tiyin; 100 tiyin are one sum. */
      old_price_tiyin?: number | null
      is_visible?: boolean
      is_active?: boolean
      regions?: ("home" | "global")[]
      loan_condition_ids?: (number | string)[]
      bnpl?: {
        has_daily_payment?: boolean
        prepayment_tiyin?: number | null
      }
      reservation_minutes?: number | null
      rating?: number | null
    }
    reply: {
      moderated_offer: ModeratedOffer
    }
  }
  /** Delete a moderated offer */
  'moderatedOffers.delete': {
    input: {
      moderated_offer_id: string | number
    }
    reply: {
      moderated_offer: ModeratedOffer
    }
  }
  /** List regions */
  'regions.list': {
    input: Record<string, never>
    reply: {
      regions: {
        code: string
        name: string
      }[]
    }
  }
  /** List delivery methods */
  'deliveryMethods.list': {
    input: {
      page?: number
      per_page?: number
      sort?: "id" | "-id" | "created_at" | "-created_at"
      cursor?: string
      partner_id?: string
      kind?: "courier" | "pickup" | "post"
      active?: boolean
    }
    reply: {
      delivery_methods: DeliveryMethod[]
      pagination: Pagination
    }
    item: DeliveryMethod
  }
  /** Create a delivery method */
  'deliveryMethods.create': {
    input: {
      id?: number | string
      partner_id: number | string
      kind: "courier" | "pickup" | "post"
      name: {
        ru?: string
        uz?: string
        en?: string
      }
      /** In tiyin; 0 is free of charge. */
      price_tiyin: number
      /** ISO 3166 codes: `UZ-TK` is a region, `UZ` a whole country. Everywhere when it is empty. */
      regions?: string[]
      /** Orders at the partner of at least this amount are delivered free of charge. */
      free_from_tiyin?: number | null
      days_min?: number
      /** The promised day of delivery. */
      days_max?: number
      pickup_points?: PickupPointInput[]
      active?: boolean
    }
    reply: {
      delivery_method: DeliveryMethod
    }
  }
  /** Get a delivery method */
  'deliveryMethods.get': {
    input: {
      delivery_method_id: string | number
    }
    reply: {
      delivery_method: DeliveryMethod
    }
  }
  /** Replace a delivery method */
  'deliveryMethods.replace': {
    input: {
      delivery_method_id: string | number
    } & {
      partner_id: number | string
      kind: "courier" | "pickup" | "post"
      name: {
        ru?: string
        uz?: string
        en?: string
      }
      /** In tiyin; 0 is free of charge. */
      price_tiyin: number
      /** ISO 3166 codes: `UZ-TK` is a region, `UZ` a whole country. Everywhere when it is empty. */
      regions?: string[]
      /** Orders at the partner of at least this amount are delivered free of charge. */
      free_from_tiyin?: number | null
      days_min?: number
      /** The promised day of delivery. */
      days_max?: number
      pickup_points?: PickupPointInput[]
      active?: boolean
    }
    reply: {
      delivery_method: DeliveryMethod
    }
  }
  /** Change a delivery method */
  'deliveryMethods.update': {
    input: {
      delivery_method_id: string | number
    } & {
      partner_id?: number | string
      kind?: "courier" | "pickup" | "post"
      name?: {
        ru?: string
        uz?: string
        en?: string
      }
      /** In tiyin; 0 is free of charge. */
      price_tiyin?: number
      /** ISO 3166 codes: `UZ-TK` is a region, `UZ` a whole country. Everywhere when it is empty. */
      regions?: string[]
      /** Orders at the partner of at least this amount are delivered free of charge. */
      free_from_tiyin?: number | null
      days_min?: number
      /** The promised day of delivery. */
      days_max?: number
      pickup_points?: PickupPointInput[]
      active?: boolean
    }
    reply: {
      delivery_method: DeliveryMethod
    }
  }
  /** Delete a delivery method */
  'deliveryMethods.delete': {
    input: {
      delivery_method_id: string | number
    }
    reply: {
      delivery_method: DeliveryMethod
    }
  }
  /** Submit a moderated offer for approval */
  'moderatedOffers.submit': {
    input: {
      moderated_offer_id: string | number
    } & {}
    reply: {
      moderated_offer: ModeratedOffer
    }
  }
  /** Approve a moderated offer */
  'moderatedOffers.approve': {
    input: {
      moderated_offer_id: string | number
    } & {}
    reply: {
      moderated_offer: ModeratedOffer
    }
  }
  /** Reject a moderated offer */
  'moderatedOffers.reject': {
    input: {
      moderated_offer_id: string | number
    } & {
      reason: string
    }
    reply: {
      moderated_offer: ModeratedOffer
    }
  }
  /** List the moderation steps of a moderated offer */
  'moderatedOffers.getHistory': {
    input: {
      moderated_offer_id: string | number
    }
    reply: {
      history: ({
        status_before: "draft" | "pending" | "approved" | "rejected"
        status_after: "draft" | "pending" | "approved" | "rejected"
        reason: string | null
        decided_by: string
        at: string
      })[]
    }
  }
  /** List stock movements of an offer */
  'offers.listStockMovements': {
    input: {
      offer_id: string | number
      page?: number
      per_page?: number
      sort?: "id" | "-id"
      cursor?: string
    }
    reply: {
      movements: StockMovement[]
      pagination: Pagination
    }
    item: StockMovement
  }
  /** Adjust the stock of an offer */
  'offers.createStockAdjustment': {
    input: {
      offer_id: string | number
    } & {
      change: number
      reason: string
    }
    reply: {
      on_hand: number
    }
  }
  /** List stock movements of an offer */
  'moderatedOffers.listStockMovements': {
    input: {
      moderated_offer_id: string | number
      page?: number
      per_page?: number
      sort?: "id" | "-id"
      cursor?: string
    }
    reply: {
      movements: StockMovement[]
      pagination: Pagination
    }
    item: StockMovement
  }
  /** Adjust the stock of an offer */
  'moderatedOffers.createStockAdjustment': {
    input: {
      moderated_offer_id: string | number
    } & {
      change: number
      reason: string
    }
    reply: {
      on_hand: number
    }
  }
  /** List exchange rates */
  'exchangeRates.list': {
    input: Record<string, never>
    reply: {
      exchange_rates: ExchangeRate[]
    }
  }
  /** Get an exchange rate */
  'exchangeRates.get': {
    input: {
      currency: string | number
    }
    reply: {
      exchange_rate: ExchangeRate
    }
  }
  /** Set an exchange rate */
  'exchangeRates.set': {
    input: {
      currency: string | number
    } & {
      /** The price of one unit of the currency, in tiyin. */
      tiyin: number
    }
    reply: {
      exchange_rate: ExchangeRate
    }
  }
  /** Delete an exchange rate */
  'exchangeRates.delete': {
    input: {
      currency: string | number
    }
    reply: {
      exchange_rate: ExchangeRate
    }
  }
  /** Get the search synonyms of the shop */
  'search.getSynonyms': {
    input: Record<string, never>
    reply: {
      synonyms: {
        /** One meaning per line: "a, b, c" lists forms of one meaning in any language; "a > b, c" says that who types a wants b or c. Lines that begin with # are comments. */
        text: string
        version: number
        updated_at: string | null
      }
    }
  }
  /** Replace the search synonyms of the shop */
  'search.replaceSynonyms': {
    input: {
      /** One meaning per line: "a, b, c" lists forms of one meaning in any language; "a > b, c" says that who types a wants b or c. Lines that begin with # are comments. */
      text: string
    }
    reply: {
      synonyms: {
        /** One meaning per line: "a, b, c" lists forms of one meaning in any language; "a > b, c" says that who types a wants b or c. Lines that begin with # are comments. */
        text: string
        version: number
        updated_at: string | null
      }
    }
  }
  /** List what buyers search for */
  'search.listQueries': {
    input: {
      page?: number
      per_page?: number
      sort?: "searches" | "-searches" | "last_at" | "-last_at"
      cursor?: string
      without_results?: boolean
    }
    reply: {
      queries: {
        search_id: string
        query: string
        searches: number
        /** How many products the last search found. */
        results: number
        interactions: number
        purchases: number
        last_at: string
      }[]
      pagination: Pagination
    }
    item: {
      search_id: string
      query: string
      searches: number
      /** How many products the last search found. */
      results: number
      interactions: number
      purchases: number
      last_at: string
    }
  }
  /** Get what was learned from searches */
  'search.getLearning': {
    input: Record<string, never>
    reply: {
      learning: SearchLearning
    }
  }
  /** Switch learning from searches on or off */
  'search.updateLearning': {
    input: {
      enabled?: boolean
      predictions_enabled?: boolean
      synonyms_enabled?: boolean
      ranker_enabled?: boolean
    }
    reply: {
      learning: SearchLearning
    }
  }
  /** Explain a search */
  'search.preview': {
    input: {
      q: string
      exact?: boolean
      per_page?: number
    }
    reply: {
      corrected: string | null
      left_out: string[]
      steps: ({
        step: "price" | "layout" | "join" | "split" | "filler" | "diminutive" | "sound" | "typo" | "meaning" | "prefix"
        from: string
        to: string
      })[]
      units: ({
        typed: string
        /** After layout, spelling and script were corrected. */
        searched: string
        role: "thing" | "brand" | "number" | "modifier" | "unknown"
        /** A product without it is not found. */
        required: boolean
        /** No product has all words; this one was ignored. */
        left_out: boolean
      })[]
      total: number
      results: ({
        product: Product
        place: number
        matches: ({
          typed: string
          searched: string
          role: "thing" | "brand" | "number" | "modifier" | "unknown"
          /** The word or the words that the product has. */
          found: string
          /** How the found word stands for the searched one: the word itself, a spelling in another script, another form, a synonym, a narrower word, an equal amount, a part of a number, a word that begins with it, or the brand. */
          kind: "word" | "spelling" | "form" | "synonym" | "narrower" | "amount" | "part" | "prefix" | "brand"
          /** Where it counts most: `head` is the noun of the name, `leaf` that of the category, `upper` that of an upper category. */
          field: "head" | "name" | "brand" | "variant" | "leaf" | "upper" | "category" | "description"
          points: number
        })[]
        missing: string[]
        /** The points of all matches, with `accessory_factor`. */
        text_score: number
        /** Below 1 for a part or an accessory, when the query names no thing. */
        accessory_factor: number
        availability: "in_stock" | "out_of_stock" | "not_offered"
        popularity: number
        /** Of availability, popularity, the length of the name and the price together. */
        boost_factor: number
        /** Above 1 in the category that buyers chose after this query. */
        predicted_factor: number
        /** The text score with both factors. */
        score: number
        /** The place without the learned ranker; null when it is not among the first 100. */
        place_before_learning: number | null
      })[]
    }
  }
  /** Get the name, logo, colour and languages of the shop */
  'shop.get': {
    input: Record<string, never>
    reply: {
      shop: ShopProfile
    }
  }
  /** Change the name, logo, colour and languages of the shop */
  'shop.update': {
    input: {
      name?: string | null
      /** A path of an uploaded picture. */
      logo_path?: string | null
      /** A colour that white text is readable on, as six lower-case hexadecimal digits. */
      colour?: string | null
      /** The languages that the storefront and messages offer. Uzbek is in both scripts. */
      languages?: ("ru" | "uz" | "en")[]
      /** One of `languages`: for buyers who prefer none of them. */
      default_language?: "ru" | "uz" | "en"
    }
    reply: {
      shop: ShopProfile
    }
  }
  /** List promotions */
  'promotions.list': {
    input: {
      page?: number
      per_page?: number
      sort?: "id" | "-id" | "starts_at" | "-starts_at" | "ends_at" | "-ends_at" | "created_at" | "-created_at"
      cursor?: string
      running?: boolean
      slug?: string
      from?: string
      to?: string
    }
    reply: {
      promotions: Promotion[]
      pagination: Pagination
    }
    item: Promotion
  }
  /** Create a promotion */
  'promotions.create': {
    input: {
      id?: number | string
      slug: string
      title: string
      uuid?: string
      title_uz?: string
      title_en?: string
      starts_at?: string
      ends_at?: string | null
      offer_ids?: (number | string)[]
      moderated_offer_ids?: (number | string)[]
      category_ids?: (number | string)[]
      brand_ids?: (number | string)[]
      partner_ids?: (number | string)[]
      discount_percent?: number | null
      /** In tiyin; 100 tiyin are one sum. */
      price_tiyin?: number | null
      loan_condition_ids?: (number | string)[]
    }
    reply: {
      promotion: Promotion
    }
  }
  /** List conflicts of promotions */
  'promotions.listConflicts': {
    input: Record<string, never>
    reply: {
      conflicts: PromotionConflict[]
      /** False when there are more conflicts than are listed, or too many offers to compare all. */
      is_complete: boolean
    }
  }
  /** Get a promotion */
  'promotions.get': {
    input: {
      promotion_id: string | number
    }
    reply: {
      promotion: Promotion
    }
  }
  /** Replace a promotion */
  'promotions.replace': {
    input: {
      promotion_id: string | number
    } & {
      slug: string
      title: string
      uuid?: string
      title_uz?: string
      title_en?: string
      starts_at?: string
      ends_at?: string | null
      offer_ids?: (number | string)[]
      moderated_offer_ids?: (number | string)[]
      category_ids?: (number | string)[]
      brand_ids?: (number | string)[]
      partner_ids?: (number | string)[]
      discount_percent?: number | null
      /** In tiyin; 100 tiyin are one sum. */
      price_tiyin?: number | null
      loan_condition_ids?: (number | string)[]
    }
    reply: {
      promotion: Promotion
    }
  }
  /** Change a promotion */
  'promotions.update': {
    input: {
      promotion_id: string | number
    } & {
      slug?: string
      title?: string
      uuid?: string
      title_uz?: string
      title_en?: string
      starts_at?: string
      ends_at?: string | null
      offer_ids?: (number | string)[]
      moderated_offer_ids?: (number | string)[]
      category_ids?: (number | string)[]
      brand_ids?: (number | string)[]
      partner_ids?: (number | string)[]
      discount_percent?: number | null
      /** In tiyin; 100 tiyin are one sum. */
      price_tiyin?: number | null
      loan_condition_ids?: (number | string)[]
    }
    reply: {
      promotion: Promotion
    }
  }
  /** Delete a promotion */
  'promotions.delete': {
    input: {
      promotion_id: string | number
    }
    reply: {
      promotion: Promotion
    }
  }
  /** End a running promotion */
  'promotions.end': {
    input: {
      promotion_id: string | number
    }
    reply: {
      promotion: Promotion
    }
  }
  /** Upload a picture */
  'pictures.create': {
    input: {
      body: string | Uint8Array
    }
    reply: {
      picture: {
        lg_path: string
        md_path: string
        sm_path: string
        /** Of the uploaded picture, in pixels. */
        width: number
        height: number
      }
    }
  }
  /** View the cart */
  'cart.get': {
    input: {
      ClientId?: number
      SessionId?: string
    }
    reply: Cart
  }
  /** Add an item */
  'cart.addItem': {
    input: {
      OfferId: number
      Quantity: number
      LoanConditionId?: number
      /** Identifies a client. */
      ClientId?: number
      /** Identifies a guest: 8 to 128 visible characters. It is a secret: it gives access to the cart. */
      SessionId?: string
    }
    reply: Cart
  }
  /** Clear the cart */
  'cart.clear': {
    input: {
      /** Identifies a client. */
      ClientId?: number
      /** Identifies a guest: 8 to 128 visible characters. It is a secret: it gives access to the cart. */
      SessionId?: string
    }
    reply: Cart
  }
  /** Remove an item */
  'cart.removeItem': {
    input: {
      offerId: string | number
    } & {
      /** Identifies a client. */
      ClientId?: number
      /** Identifies a guest: 8 to 128 visible characters. It is a secret: it gives access to the cart. */
      SessionId?: string
    }
    reply: Cart
  }
  /** Change the quantity of an item */
  'cart.setQuantity': {
    input: {
      OfferId: number
      NewQuantity: number
      /** Identifies a client. */
      ClientId?: number
      /** Identifies a guest: 8 to 128 visible characters. It is a secret: it gives access to the cart. */
      SessionId?: string
    }
    reply: Cart
  }
  /** Change the loan condition of an item */
  'cart.setLoanCondition': {
    input: {
      OfferId: number
      LoanConditionId: number | null
      /** Identifies a client. */
      ClientId?: number
      /** Identifies a guest: 8 to 128 visible characters. It is a secret: it gives access to the cart. */
      SessionId?: string
    }
    reply: Cart
  }
  /** Add a moderated item */
  'cart.addModeratedItem': {
    input: {
      /** Numeric id or UUID. */
      ModeratedOfferId: number | string
      Quantity: number
      LoanConditionId?: number
      /** Identifies a client. */
      ClientId?: number
      /** Identifies a guest: 8 to 128 visible characters. It is a secret: it gives access to the cart. */
      SessionId?: string
    }
    reply: Cart
  }
  /** Remove a moderated item */
  'cart.removeModeratedItem': {
    input: {
      moderatedOfferId: string | number
    } & {
      /** Identifies a client. */
      ClientId?: number
      /** Identifies a guest: 8 to 128 visible characters. It is a secret: it gives access to the cart. */
      SessionId?: string
    }
    reply: Cart
  }
  /** Change the quantity of a moderated item */
  'cart.setModeratedQuantity': {
    input: {
      /** Numeric id or UUID. */
      ModeratedOfferId: number | string
      NewQuantity: number
      /** Identifies a client. */
      ClientId?: number
      /** Identifies a guest: 8 to 128 visible characters. It is a secret: it gives access to the cart. */
      SessionId?: string
    }
    reply: Cart
  }
  /** Change the loan condition of a moderated item */
  'cart.setModeratedLoanCondition': {
    input: {
      /** Numeric id or UUID. */
      ModeratedOfferId: number | string
      LoanConditionId: number | null
      /** Identifies a client. */
      ClientId?: number
      /** Identifies a guest: 8 to 128 visible characters. It is a secret: it gives access to the cart. */
      SessionId?: string
    }
    reply: Cart
  }
  /** Remove selected items */
  'cart.removeItems': {
    input: {
      /** Identifies a client. */
      ClientId?: number
      /** Identifies a guest: 8 to 128 visible characters. It is a secret: it gives access to the cart. */
      SessionId?: string
      OfferIds?: number[]
      ModeratedOfferIds?: (number | string)[]
    }
    reply: Cart
  }
  /** Merge a guest's cart into a client's */
  'cart.merge': {
    input: {
      /** Identifies a client. */
      ClientId?: number
      /** Identifies a guest: 8 to 128 visible characters. It is a secret: it gives access to the cart. */
      SessionId?: string
      /** For offers in both carts: the larger quantity, their sum, the guest’s, or the client’s. */
      Strategy?: "max" | "sum" | "guest" | "client"
    }
    reply: {
      /** Null before the first item. */
      CartId: string | null
      /** For `If-Match`: another one after every change of the cart, and of a price, a promotion or the availability of a line. */
      Version: number
      Currency: string
      Items: CartItem[]
      ModeratedItems: ModeratedCartItem[]
      /** After the discount. */
      TotalAmount: number
      /** What the coupon takes off. */
      DiscountAmount: number
      Coupon: CartCoupon | null
      /** Units that can be bought now. */
      TotalItemsCount: number
      /** Whether the cart can be ordered now by at least one payment method. Lines that cannot be bought now stay in the cart. An order charges `TotalAmount` and the delivery. */
      CanOrder: boolean
      AvailablePaymentMethods: CartPaymentMethod[]
      Messages: CartMessage[]
      CreatedAt: string | null
      UpdatedAt: string | null
      ExpiresAt: string | null
      Merge: ({
        OfferId?: number
        ModeratedOfferId?: number
        /** Which carts held the line. */
        From: "guest" | "both"
        /** Units that the line has now. */
        Kept: number
        /** Units of the strategy that stock or limits did not allow. */
        Dropped: number
        /** Why they were dropped. */
        Reason: "stock_exceeded" | "purchase_limit_exceeded" | "product_limit_exceeded" | "credit_limit_exceeded" | "guest_limit_exceeded" | "authorization_required" | "loan_condition_required" | "loan_condition_unavailable" | "partner_credit_inactive" | "payment_method_not_allowed" | "offer_unavailable" | "moderation_pending" | "delivery_method_required" | "delivery_unavailable" | "amount_too_large" | "mandate_required" | "mandate_invalid" | "mandate_category_not_allowed" | "mandate_budget_exceeded" | "confirmation_required" | "cart_empty" | "nothing_orderable" | "cart_full" | "wishlist_full" | "coupon_unknown" | "coupon_inactive" | "coupon_expired" | "coupon_used_up" | "coupon_already_used" | "coupon_sign_in_required" | "coupon_not_applicable" | "coupon_amount_too_low" | "shared_cart_closed" | null
        Messages: CartMessage[]
      })[]
    }
  }
  /** Add an item */
  'miniAppCart.addItem': {
    input: {
      OfferId: number
      Quantity: number
      LoanConditionId?: number
      /** Identifies a client. */
      ClientId?: number
      /** Identifies a guest: 8 to 128 visible characters. It is a secret: it gives access to the cart. */
      SessionId?: string
    }
    reply: MiniAppCart
  }
  /** View the cart */
  'miniAppCart.get': {
    input: {
      ClientId?: number
      SessionId?: string
    }
    reply: MiniAppCart
  }
  /** Remove an item */
  'miniAppCart.removeItem': {
    input: {
      offerId: string | number
    } & {
      /** Identifies a client. */
      ClientId?: number
      /** Identifies a guest: 8 to 128 visible characters. It is a secret: it gives access to the cart. */
      SessionId?: string
    }
    reply: MiniAppCart
  }
  /** Open a cart, or add to the one that the customer has */
  'carts.create': {
    input: {
      /** Digits are a client id, anything else is a session id. */
      customer_id: string
      items?: ({
        product_id: string
        variant_id?: string | null
        quantity: number
      })[]
    }
    reply: {
      cart: CartV1
    }
  }
  /** Get a cart */
  'carts.get': {
    input: {
      cart_id: string | number
    }
    reply: {
      cart: CartV1
    }
  }
  /** Add an item to a cart */
  'carts.addItem': {
    input: {
      cart_id: string | number
    } & {
      product_id: string
      variant_id?: string | null
      quantity: number
    }
    reply: {
      cart: CartV1
    }
  }
  /** View the wishlist */
  'wishlist.get': {
    input: {
      ClientId?: number
      SessionId?: string
    }
    reply: Wishlist
  }
  /** Add an offer to the wishlist */
  'wishlist.addOffer': {
    input: {
      OfferId?: number
      /** Numeric id or UUID. */
      ModeratedOfferId?: number | string
      /** Identifies a client. */
      ClientId?: number
      /** Identifies a guest: 8 to 128 visible characters. It is a secret: it gives access to the cart. */
      SessionId?: string
    }
    reply: Wishlist
  }
  /** Remove an offer of either kind from the wishlist */
  'wishlist.removeAnyOffer': {
    input: {
      OfferId?: number
      /** Numeric id or UUID. */
      ModeratedOfferId?: number | string
      /** Identifies a client. */
      ClientId?: number
      /** Identifies a guest: 8 to 128 visible characters. It is a secret: it gives access to the cart. */
      SessionId?: string
    }
    reply: Wishlist
  }
  /** Remove an offer from the wishlist */
  'wishlist.removeOffer': {
    input: {
      offerId: string | number
    } & {
      /** Identifies a client. */
      ClientId?: number
      /** Identifies a guest: 8 to 128 visible characters. It is a secret: it gives access to the cart. */
      SessionId?: string
    }
    reply: Wishlist
  }
  /** Merge a guest's wishlist into a client's */
  'wishlist.merge': {
    input: {
      /** Identifies a client. */
      ClientId?: number
      /** Identifies a guest: 8 to 128 visible characters. It is a secret: it gives access to the cart. */
      SessionId?: string
    }
    reply: {
      /** Null before the first offer is added. */
      WishlistId: string | null
      Currency: string
      Offers: WishedOffer[]
      ModeratedOffers: WishedModeratedOffer[]
      CreatedAt: string | null
      UpdatedAt: string | null
      Merge: {
        /** Offers of the guest that the client did not have. */
        Added: number
        Dropped: {
          OfferId?: number
          ModeratedOfferId?: number
          Reason: "wishlist_full"
        }[]
      }
    }
  }
  /** Count the shared carts of a buyer */
  'sharedCarts.count': {
    input: {
      ClientId?: number
      SessionId?: string
      RequesterId?: number | string
    }
    reply: {
      Count: number
    }
  }
  /** Get a shared cart */
  'sharedCarts.get': {
    input: {
      id: string | number
      ClientId?: number
      SessionId?: string
      RequesterId?: number | string
    }
    reply: SharedCart
  }
  /** Close a shared cart */
  'sharedCarts.delete': {
    input: {
      id: string | number
    } & {
      /** Identifies a client. */
      ClientId?: number
      /** Identifies a guest: 8 to 128 visible characters. It is a secret: it gives access to the cart. */
      SessionId?: string
      /** Client id, or `guest-1` for a guest. */
      RequesterId?: number | string
    }
    reply: SharedCart
  }
  /** Create a shared cart */
  'sharedCarts.create': {
    input: {
      /** Identifies a client. */
      ClientId?: number
      /** Identifies a guest: 8 to 128 visible characters. It is a secret: it gives access to the cart. */
      SessionId?: string
      /** Client id, or `guest-1` for a guest. */
      RequesterId?: number | string
      Items?: ({
        OfferId?: number
        /** Numeric id or UUID. */
        ModeratedOfferId?: number | string
        Quantity: number
      })[]
      ParticipantIds?: number[]
      ExpiresInHours?: number
      Title?: string
    }
    reply: SharedCart
  }
  /** Make a new join token */
  'sharedCarts.createJoinToken': {
    input: {
      id: string | number
    } & {
      /** Identifies a client. */
      ClientId?: number
      /** Identifies a guest: 8 to 128 visible characters. It is a secret: it gives access to the cart. */
      SessionId?: string
      /** Client id, or `guest-1` for a guest. */
      RequesterId?: number | string
    }
    reply: SharedCart
  }
  /** Join a shared cart */
  'sharedCarts.join': {
    input: {
      id: string | number
    } & {
      /** Identifies a client. */
      ClientId?: number
      /** Identifies a guest: 8 to 128 visible characters. It is a secret: it gives access to the cart. */
      SessionId?: string
      /** Client id, or `guest-1` for a guest. */
      RequesterId?: number | string
      Token?: string
    }
    reply: SharedCart
  }
  /** Move a shared cart into the own cart */
  'sharedCarts.copyToCart': {
    input: {
      id: string | number
    } & {
      /** Identifies a client. */
      ClientId?: number
      /** Identifies a guest: 8 to 128 visible characters. It is a secret: it gives access to the cart. */
      SessionId?: string
      /** Client id, or `guest-1` for a guest. */
      RequesterId?: number | string
    }
    reply: {
      /** Null before the first item. */
      CartId: string | null
      /** For `If-Match`: another one after every change of the cart, and of a price, a promotion or the availability of a line. */
      Version: number
      Currency: string
      Items: CartItem[]
      ModeratedItems: ModeratedCartItem[]
      /** After the discount. */
      TotalAmount: number
      /** What the coupon takes off. */
      DiscountAmount: number
      Coupon: CartCoupon | null
      /** Units that can be bought now. */
      TotalItemsCount: number
      /** Whether the cart can be ordered now by at least one payment method. Lines that cannot be bought now stay in the cart. An order charges `TotalAmount` and the delivery. */
      CanOrder: boolean
      AvailablePaymentMethods: CartPaymentMethod[]
      Messages: CartMessage[]
      CreatedAt: string | null
      UpdatedAt: string | null
      ExpiresAt: string | null
      Skipped: ({
        OfferId?: number
        ModeratedOfferId?: number
        Quantity: number
        Reason: "offer_unavailable" | "moderation_pending" | "out_of_stock"
      })[]
    }
  }
  /** Add an item to a shared cart */
  'sharedCarts.addItem': {
    input: {
      id: string | number
    } & {
      /** Identifies a client. */
      ClientId?: number
      /** Identifies a guest: 8 to 128 visible characters. It is a secret: it gives access to the cart. */
      SessionId?: string
      /** Client id, or `guest-1` for a guest. */
      RequesterId?: number | string
      OfferId?: number
      /** Numeric id or UUID. */
      ModeratedOfferId?: number | string
      Quantity: number
    }
    reply: SharedCart
  }
  /** Remove an item of either kind from a shared cart */
  'sharedCarts.removeAnyItem': {
    input: {
      id: string | number
    } & {
      /** Identifies a client. */
      ClientId?: number
      /** Identifies a guest: 8 to 128 visible characters. It is a secret: it gives access to the cart. */
      SessionId?: string
      /** Client id, or `guest-1` for a guest. */
      RequesterId?: number | string
      /** Owner of the line; the caller when omitted. The creator may name any member. */
      AddedBy?: number | string
      OfferId?: number
      /** Numeric id or UUID. */
      ModeratedOfferId?: number | string
    }
    reply: SharedCart
  }
  /** Change the quantity of an item of a shared cart */
  'sharedCarts.setQuantity': {
    input: {
      id: string | number
    } & {
      /** Identifies a client. */
      ClientId?: number
      /** Identifies a guest: 8 to 128 visible characters. It is a secret: it gives access to the cart. */
      SessionId?: string
      /** Client id, or `guest-1` for a guest. */
      RequesterId?: number | string
      OfferId?: number
      /** Numeric id or UUID. */
      ModeratedOfferId?: number | string
      NewQuantity: number
      /** Owner of the line; the caller when omitted. The creator may name any member. */
      AddedBy?: number | string
    }
    reply: SharedCart
  }
  /** Remove an item from a shared cart */
  'sharedCarts.removeItem': {
    input: {
      id: string | number
      offerId: string | number
    } & {
      /** Identifies a client. */
      ClientId?: number
      /** Identifies a guest: 8 to 128 visible characters. It is a secret: it gives access to the cart. */
      SessionId?: string
      /** Client id, or `guest-1` for a guest. */
      RequesterId?: number | string
      /** Owner of the line; the caller when omitted. The creator may name any member. */
      AddedBy?: number | string
    }
    reply: SharedCart
  }
  /** Apply a coupon */
  'cart.applyCoupon': {
    input: {
      Code: string
      /** Identifies a client. */
      ClientId?: number
      /** Identifies a guest: 8 to 128 visible characters. It is a secret: it gives access to the cart. */
      SessionId?: string
    }
    reply: Cart
  }
  /** Remove the coupon */
  'cart.removeCoupon': {
    input: {
      /** Identifies a client. */
      ClientId?: number
      /** Identifies a guest: 8 to 128 visible characters. It is a secret: it gives access to the cart. */
      SessionId?: string
    }
    reply: Cart
  }
  /** Apply a coupon */
  'miniAppCart.applyCoupon': {
    input: {
      Code: string
      /** Identifies a client. */
      ClientId?: number
      /** Identifies a guest: 8 to 128 visible characters. It is a secret: it gives access to the cart. */
      SessionId?: string
    }
    reply: MiniAppCart
  }
  /** Remove the coupon */
  'miniAppCart.removeCoupon': {
    input: {
      /** Identifies a client. */
      ClientId?: number
      /** Identifies a guest: 8 to 128 visible characters. It is a secret: it gives access to the cart. */
      SessionId?: string
    }
    reply: MiniAppCart
  }
  /** Apply a coupon */
  'carts.applyCoupon': {
    input: {
      cart_id: string | number
    } & {
      code: string
    }
    reply: {
      cart: CartV1
    }
  }
  /** Remove the coupon */
  'carts.removeCoupon': {
    input: {
      cart_id: string | number
    }
    reply: {
      cart: CartV1
    }
  }
  /** List carts with what they hold */
  'carts.list': {
    input: {
      page?: number
      per_page?: number
      sort?: "created_at" | "-created_at" | "updated_at" | "-updated_at"
      cursor?: string
      buyer?: "client" | "guest"
      unchanged_hours?: number
    }
    reply: {
      carts: ({
        id: string
        client_id: string | null
        /** Names the guest without the session id. */
        guest: string | null
        lines: number
        units: number
        value: {
          /** In tiyin. */
          amount: number
          currency: string
        }
        created_at: string
        updated_at: string
      })[]
      pagination: Pagination
    }
    item: {
      id: string
      client_id: string | null
      /** Names the guest without the session id. */
      guest: string | null
      lines: number
      units: number
      value: {
        /** In tiyin. */
        amount: number
        currency: string
      }
      created_at: string
      updated_at: string
    }
  }
  /** List coupons */
  'coupons.list': {
    input: {
      page?: number
      per_page?: number
      sort?: "id" | "-id" | "code" | "-code"
      cursor?: string
      code?: string
    }
    reply: {
      coupons: Coupon[]
      pagination: Pagination
    }
    item: Coupon
  }
  /** Create a coupon */
  'coupons.create': {
    input: {
      code: string
      /** Either this or `amount_tiyin`. */
      percent?: number | null
      amount_tiyin?: number | null
      /** The largest discount of a coupon in percent. */
      max_discount_tiyin?: number | null
      /** What the lines that it applies to must cost at least. */
      min_amount_tiyin?: number
      /** It then applies only to offers of this promotion, while the promotion runs. */
      promotion_id?: string | null
      starts_at?: string
      ends_at?: string | null
      /** By all buyers together; null for no limit. */
      max_uses?: number | null
      /** Default 1. With a limit, only clients can use it. Null for no limit. */
      uses_per_buyer?: number | null
      active?: boolean
    }
    reply: {
      coupon: Coupon
    }
  }
  /** Read a coupon */
  'coupons.get': {
    input: {
      coupon_id: string | number
    }
    reply: {
      coupon: Coupon
    }
  }
  /** Change a coupon */
  'coupons.update': {
    input: {
      coupon_id: string | number
    } & {
      /** Either this or `amount_tiyin`. */
      percent?: number | null
      amount_tiyin?: number | null
      /** The largest discount of a coupon in percent. */
      max_discount_tiyin?: number | null
      /** What the lines that it applies to must cost at least. */
      min_amount_tiyin?: number
      /** It then applies only to offers of this promotion, while the promotion runs. */
      promotion_id?: string | null
      starts_at?: string
      ends_at?: string | null
      /** By all buyers together; null for no limit. */
      max_uses?: number | null
      /** Default 1. With a limit, only clients can use it. Null for no limit. */
      uses_per_buyer?: number | null
      active?: boolean
    }
    reply: {
      coupon: Coupon
    }
  }
  /** Read the purchase limits */
  'limits.get': {
    input: Record<string, never>
    reply: {
      limits: Limits
    }
  }
  /** Set all purchase limits */
  'limits.replace': {
    input: {
      /** What a client may buy for on a business day, in tiyin. */
      daily_amount_tiyin: number
      /** Units of one product in one order. */
      product_units_per_order: number
      /** Units of one product that a client may order in thirty days. */
      product_units_per_30_days: number
      /** What a client may owe, in tiyin. */
      credit_tiyin: number
      /** Units of one product in the cart of a guest. */
      guest_units_per_product: number
      /** What the cart of a guest may cost, in tiyin. */
      guest_amount_tiyin: number
      /** Above it, a guest must sign in to order, in tiyin. */
      guest_authorization_tiyin: number
    }
    reply: {
      limits: Limits
    }
  }
  /** Change some purchase limits */
  'limits.update': {
    input: {
      /** What a client may buy for on a business day, in tiyin. */
      daily_amount_tiyin?: number
      /** Units of one product in one order. */
      product_units_per_order?: number
      /** Units of one product that a client may order in thirty days. */
      product_units_per_30_days?: number
      /** What a client may owe, in tiyin. */
      credit_tiyin?: number
      /** Units of one product in the cart of a guest. */
      guest_units_per_product?: number
      /** What the cart of a guest may cost, in tiyin. */
      guest_amount_tiyin?: number
      /** Above it, a guest must sign in to order, in tiyin. */
      guest_authorization_tiyin?: number
    }
    reply: {
      limits: Limits
    }
  }
  /** Read an offer’s stock */
  'offers.getStock': {
    input: {
      offer_id: string | number
    }
    reply: {
      stock: Stock
    }
  }
  /** Read an offer’s stock */
  'moderatedOffers.getStock': {
    input: {
      moderated_offer_id: string | number
    }
    reply: {
      stock: Stock
    }
  }
  /** Send an event of an external system */
  'integrationEvents.receive': {
    input: {
      specversion: "1.0"
      id: string
      source: string
      type: string
      /** When the value changed (RFC 3339); at most five minutes ahead. */
      time: string
      subject?: string
      /** Grows per subject. */
      sequence?: number
      datacontenttype?: string
      dataschema?: string
      data: unknown
    } | IntegrationEvent[]
    reply: {
      event?: {
        id: string
        source: string
        status: "accepted" | "repeated"
      }
      events?: ({
        id: string
        source: string
        status: "accepted" | "repeated"
      })[]
    }
  }
  /** Order the whole cart */
  'cart.order': {
    input: {
      /** Identifies a client. */
      ClientId?: number
      /** Identifies a guest: 8 to 128 visible characters. It is a secret: it gives access to the cart. */
      SessionId?: string
      PaymentMethodId: number
      /** The total that the buyer has seen, with delivery, in the currency of the request. If the order would charge another one, nothing is ordered: 409 `price_changed` with `expected`, `actual` and the changed lines. */
      ExpectedTotalAmount?: number
      /** The address in one line. A structured address in the delivery replaces it. */
      DeliveryAddress?: string
      /** Where to and how. One method per partner; a partner without a choice delivers by a method that costs nothing for the order, if there is one. An order that the buyer collects needs no address. */
      Delivery?: {
        Address?: CartAddressInput
        /** A saved address of the client. */
        AddressId?: string
        Methods?: {
          PartnerId: number
          DeliveryMethodId: number
          PickupPointId?: string
        }[]
      }
      /** Required for guests. For clients it replaces the contact of the profile in this order. */
      Contact?: {
        Name: string
        Phone: string
        Email?: string
      }
      /** The mandate under which an application orders for a client. Required once the client has granted one to the application. */
      MandateId?: string
    }
    reply: OrderResult
  }
  /** Order selected items of the cart */
  'cart.orderItems': {
    input: {
      /** Identifies a client. */
      ClientId?: number
      /** Identifies a guest: 8 to 128 visible characters. It is a secret: it gives access to the cart. */
      SessionId?: string
      PaymentMethodId: number
      /** The total that the buyer has seen, with delivery, in the currency of the request. If the order would charge another one, nothing is ordered: 409 `price_changed` with `expected`, `actual` and the changed lines. */
      ExpectedTotalAmount?: number
      /** The address in one line. A structured address in the delivery replaces it. */
      DeliveryAddress?: string
      /** Where to and how. One method per partner; a partner without a choice delivers by a method that costs nothing for the order, if there is one. An order that the buyer collects needs no address. */
      Delivery?: {
        Address?: CartAddressInput
        /** A saved address of the client. */
        AddressId?: string
        Methods?: {
          PartnerId: number
          DeliveryMethodId: number
          PickupPointId?: string
        }[]
      }
      /** Required for guests. For clients it replaces the contact of the profile in this order. */
      Contact?: {
        Name: string
        Phone: string
        Email?: string
      }
      /** The mandate under which an application orders for a client. Required once the client has granted one to the application. */
      MandateId?: string
      OfferIds?: number[]
      ModeratedOfferIds?: (number | string)[]
    }
    reply: OrderResult
  }
  /** Order the cart or selected items of it */
  'miniAppCart.order': {
    input: {
      /** Identifies a client. */
      ClientId?: number
      /** Identifies a guest: 8 to 128 visible characters. It is a secret: it gives access to the cart. */
      SessionId?: string
      PaymentMethodId: number
      /** The total that the buyer has seen, with delivery, in the currency of the request. If the order would charge another one, nothing is ordered: 409 `price_changed` with `expected`, `actual` and the changed lines. */
      ExpectedTotalAmount?: number
      /** The address in one line. A structured address in the delivery replaces it. */
      DeliveryAddress?: string
      /** Where to and how. One method per partner; a partner without a choice delivers by a method that costs nothing for the order, if there is one. An order that the buyer collects needs no address. */
      Delivery?: {
        Address?: CartAddressInput
        /** A saved address of the client. */
        AddressId?: string
        Methods?: {
          PartnerId: number
          DeliveryMethodId: number
          PickupPointId?: string
        }[]
      }
      /** Required for guests. For clients it replaces the contact of the profile in this order. */
      Contact?: {
        Name: string
        Phone: string
        Email?: string
      }
      /** The mandate under which an application orders for a client. Required once the client has granted one to the application. */
      MandateId?: string
      OfferIds?: number[]
      ModeratedOfferIds?: (number | string)[]
    }
    reply: OrderResult
  }
  /** Order a cart or selected items of it */
  'orders.create': {
    input: {
      cart_id: string
      payment_method_id: number | string
      /** The total that the buyer has seen, with delivery. If the order would charge another one, nothing is ordered: 409 `price_changed` with `actual_total`. */
      expected_total?: {
        amount: number
        currency: string
      }
      offer_ids?: (number | string)[]
      moderated_offer_ids?: (number | string)[]
      /** Required for guests. For clients it replaces the contact of the profile in this order. */
      contact?: {
        name: string
        phone: string
        email?: string
      }
      /** The address in one line. A structured address in the delivery replaces it. */
      delivery_address?: string
      /** Where to and how. One method per partner; a partner without a choice delivers by a method that costs nothing for the order, if there is one. An order that the buyer collects needs no address. */
      delivery?: {
        address?: AddressInput
        /** A saved address of the client. */
        address_id?: string
        methods?: ({
          partner_id: number | string
          delivery_method_id: number | string
          pickup_point_id?: string
        })[]
      }
      /** The mandate under which an application orders for a client. Required once the client has granted one to the application. */
      mandate_id?: string
    }
    reply: {
      orders: OrderSummary[]
      skipped: ({
        offer_id: string | null
        moderated_offer_id: string | null
        quantity: number
        reason: "offer_unavailable" | "moderation_pending" | "out_of_stock"
      })[]
      total: Money
    }
  }
  /** List orders */
  'orders.list': {
    input: {
      page?: number
      per_page?: number
      sort?: "created_at" | "-created_at" | "id" | "-id"
      cursor?: string
      session_id?: string
      customer_id?: string
      partner_id?: string
      payment_method_id?: "1" | "2" | "3" | "4"
      checkout_id?: string
      status?: "awaiting_payment" | "confirmed" | "delivered" | "completed" | "cancelled"
      payment_status?: "unpaid" | "pending" | "authorised" | "partially_paid" | "paid" | "failed" | "voided" | "partially_refunded" | "refunded"
      fulfilment_status?: "unfulfilled" | "preparing" | "partially_shipped" | "shipped" | "partially_delivered" | "delivered" | "partially_returned" | "returned" | "cancelled"
      created_from?: string
      created_until?: string
    }
    reply: {
      orders: OrderSummary[]
      pagination: Pagination
    }
    item: OrderSummary
  }
  /** List delivery methods for the cart */
  'cart.listDeliveryMethods': {
    input: {
      ClientId?: number
      SessionId?: string
      Region?: string
      OfferIds?: string[]
      ModeratedOfferIds?: string[]
    }
    reply: {
      Region: string | null
      /** What the coupon of the cart takes off these lines. */
      Discount: number
      Deliveries: CartPartnerDelivery[]
    }
  }
  /** List delivery methods for the cart */
  'miniAppCart.listDeliveryMethods': {
    input: {
      ClientId?: number
      SessionId?: string
      Region?: string
      OfferIds?: string[]
      ModeratedOfferIds?: string[]
    }
    reply: {
      Region: string | null
      /** What the coupon of the cart takes off these lines. */
      Discount: number
      Deliveries: CartPartnerDelivery[]
    }
  }
  /** List delivery methods for a cart */
  'carts.listDeliveryMethods': {
    input: {
      cart_id: string | number
      region?: string
      offer_ids?: string[]
      moderated_offer_ids?: string[]
    }
    reply: {
      region: string | null
      discount: Money
      deliveries: PartnerDelivery[]
    }
  }
  /** List my addresses */
  'auth.listAddresses': {
    input: Record<string, never>
    reply: {
      addresses: SavedAddress[]
    }
  }
  /** Save an address */
  'auth.createAddress': {
    input: {
      title?: string | null
      address: AddressInput
    }
    reply: {
      address: SavedAddress
    }
  }
  /** Replace an address */
  'auth.replaceAddress': {
    input: {
      address_id: string | number
    } & {
      title?: string | null
      address: AddressInput
    }
    reply: {
      address: SavedAddress
    }
  }
  /** Delete an address */
  'auth.deleteAddress': {
    input: {
      address_id: string | number
    }
    reply: {
      address: SavedAddress
    }
  }
  /** Get sales by day */
  'orders.getMetrics': {
    input: {
      from?: string
      to?: string
    }
    reply: {
      from: string
      to: string
      days: {
        day: string
        orders: number
        cancelled: number
        buyers: number
        revenue_tiyin: number
      }[]
    }
  }
  /** List approved reviews of a product */
  'products.listReviews': {
    input: {
      product_id: string | number
      page?: number
      per_page?: number
      sort?: "id" | "-id" | "stars" | "-stars"
      cursor?: string
    }
    reply: {
      rating: {
        average: number | null
        count: number
        /** From five stars to one. */
        by_stars: {
          stars: number
          count: number
        }[]
      }
      reviews: Review[]
      pagination: Pagination
    }
    item: Review
  }
  /** List my reviews */
  'auth.listReviews': {
    input: {
      page?: number
      per_page?: number
      sort?: "id" | "-id" | "stars" | "-stars"
      cursor?: string
    }
    reply: {
      reviews: OwnReview[]
      pagination: Pagination
    }
    item: OwnReview
  }
  /** Review a product */
  'auth.replaceReview': {
    input: {
      product_id: string | number
    } & {
      stars: number
      text?: string | null
    }
    reply: {
      review: OwnReview
    }
  }
  /** Delete my review of a product */
  'auth.deleteReview': {
    input: {
      product_id: string | number
    }
    reply: {
      review: OwnReview
    }
  }
  /** List reviews for moderation */
  'reviews.list': {
    input: {
      page?: number
      per_page?: number
      sort?: "id" | "-id" | "stars" | "-stars"
      cursor?: string
      status?: "pending" | "approved" | "rejected"
      product_id?: string
    }
    reply: {
      reviews: ModeratedReview[]
      pagination: Pagination
    }
    item: ModeratedReview
  }
  /** Approve or reject a review */
  'reviews.decide': {
    input: {
      review_id: string | number
    } & {
      approved: boolean
      reason?: string
    }
    reply: {
      review: ModeratedReview
    }
  }
  /** List mandates */
  'mandates.list': {
    input: {
      page?: number
      per_page?: number
      sort?: "created_at" | "-created_at"
      cursor?: string
      customer_id?: string
      status?: "active" | "expired" | "revoked"
    }
    reply: {
      mandates: Mandate[]
      pagination: Pagination
    }
    item: Mandate
  }
  /** Grant a mandate */
  'mandates.create': {
    input: {
      /** The application that may order: its `client_id`. */
      application_id: string
      name?: string | null
      /** The most that all orders may cost together, with delivery. */
      budget: {
        /** In tiyin. */
        amount: number
        currency: "UZS"
      }
      /** Products of these categories and of all below them; all categories when left out. */
      category_ids?: (number | string)[]
      expires_at: string
      /** The client confirms each order; true when left out. */
      needs_confirmation?: boolean
    }
    reply: {
      mandate: Mandate
    }
  }
  /** Get a mandate */
  'mandates.get': {
    input: {
      mandate_id: string | number
    }
    reply: {
      mandate: Mandate
    }
  }
  /** Revoke a mandate */
  'mandates.revoke': {
    input: {
      mandate_id: string | number
    }
    reply: {
      mandate: Mandate
    }
  }
  /** Confirm an order under a mandate */
  'mandates.confirmOrder': {
    input: {
      mandate_id: string | number
    } & {
      /** `Version` of the cart that the client has seen. */
      cart_version: number
      /** The most that the order may cost, with delivery. */
      total: {
        /** In tiyin. */
        amount: number
        currency: "UZS"
      }
    }
    reply: {
      confirmation: MandateConfirmation
    }
  }
  /** List the mandates of all clients */
  'mandates.listAll': {
    input: {
      page?: number
      per_page?: number
      sort?: "created_at" | "-created_at"
      cursor?: string
      customer_id?: string
      application_id?: string
    }
    reply: {
      mandates: Mandate[]
      pagination: Pagination
    }
    item: Mandate
  }
  /** Grant a mandate for a client */
  'mandates.createForClient': {
    input: {
      customer_id: number | string
      /** The application that may order: its `client_id`. */
      application_id: string
      name?: string | null
      /** The most that all orders may cost together, with delivery. */
      budget: {
        /** In tiyin. */
        amount: number
        currency: "UZS"
      }
      /** Products of these categories and of all below them; all categories when left out. */
      category_ids?: (number | string)[]
      expires_at: string
      /** The client confirms each order; true when left out. */
      needs_confirmation?: boolean
    }
    reply: {
      mandate: Mandate
    }
  }
  /** Revoke a mandate of any client */
  'mandates.revokeForClient': {
    input: {
      mandate_id: string | number
    }
    reply: {
      mandate: Mandate
    }
  }
  /** Read what a client may still buy */
  'orders.getAllowance': {
    input: {
      customer_id?: string
    }
    reply: {
      allowance: {
        /** The business day, in the zone of the shop. */
        day: string
        daily_amount: {
          limit: Money
          used: Money
          left: Money
        }
        credit: {
          limit: Money
          used: Money
          left: Money
        }
        product_units: {
          per_order: number
          per_30_days: number
          used: {
            product_id: string
            used: number
            left: number
          }[]
        }
      }
    }
  }
  /** Get an order */
  'orders.get': {
    input: {
      id: string | number
      session_id?: string
    }
    reply: {
      order: Order
    }
  }
  /** List the events of an order */
  'orders.listEvents': {
    input: {
      id: string | number
      session_id?: string
    }
    reply: {
      events: ({
        number: number
        type: "Placed" | "Cancelled" | "PutBackIntoCart" | "PaymentStarted" | "PaymentActionRequired" | "PaymentAuthorised" | "PaymentCaptured" | "PaymentFailed" | "PaymentVoided" | "CaptureRequested" | "VoidRequested" | "RefundRequested" | "PaymentRefunded" | "RefundFailed" | "InstalmentsPaid" | "InstalmentsOverdue" | "FulfilmentCreated" | "FulfilmentShipped" | "FulfilmentDelivered" | "FulfilmentCancelled" | "ReturnRequested" | "ReturnReceived" | "ReturnRejected"
        at: string
        data: unknown
      })[]
    }
  }
  /** Cancel an order */
  'orders.cancel': {
    input: {
      id: string | number
      session_id?: string
    } & {
      reason?: string
    }
    reply: {
      order: Order
    }
  }
  /** Put a cancelled order back into the cart */
  'orders.toCart': {
    input: {
      id: string | number
      session_id?: string
    }
    reply: {
      order: OrderStanding
      skipped: ({
        line: number
        offer_id: string | null
        moderated_offer_id: string | null
        quantity: number
        reason: "offer_unavailable" | "moderation_pending" | "out_of_stock"
      })[]
    }
  }
  /** List the payments of an order */
  'orders.listPayments': {
    input: {
      id: string | number
      session_id?: string
    }
    reply: {
      payments: Payment[]
    }
  }
  /** Pay for an order */
  'orders.createPayment': {
    input: {
      id: string | number
      session_id?: string
    } & {
      kind: "card" | "cash" | "external" | "instalment"
      card?: {
        number: string
        expiry_month: number
        expiry_year: number
        cvc?: string
      }
      /** For cards, from staff only; default `CARD_CAPTURE`. With `manual` the card is charged by the capture, and units are shipped after it. */
      capture?: "automatic" | "manual"
      /** In tiyin; defaults to everything that is due. */
      amount?: number
      /** The number of an open instalment, or `all`; default the first open one. */
      instalment?: number | string
      /** Number of instalments, from the first open one; default one. */
      count?: number
      /** Its id in your accounting system. */
      reference?: string
    }
    reply: {
      payment: Payment
      order: OrderStanding
    }
  }
  /** Capture an authorised payment */
  'orders.capturePayment': {
    input: {
      id: string | number
      paymentId: string | number
      session_id?: string
    }
    reply: {
      payment: Payment
      order: OrderStanding
    }
  }
  /** Void an authorised payment */
  'orders.voidPayment': {
    input: {
      id: string | number
      paymentId: string | number
      session_id?: string
    }
    reply: {
      payment: Payment
      order: OrderStanding
    }
  }
  /** Refund a payment */
  'orders.createPaymentRefund': {
    input: {
      id: string | number
      paymentId: string | number
      session_id?: string
    } & {
      /** In tiyin; defaults to everything that is due. */
      amount?: number
      reason?: string
    }
    reply: {
      payment: Payment
      order: OrderStanding
    }
  }
  /** Receive a callback of an acquirer */
  'orders.receiveCallback': {
    input: {
      acquirer: string | number
    } & Record<string, unknown>
    reply: {
      accepted: boolean
    }
  }
  /** List the fulfilments of an order */
  'orders.listFulfilments': {
    input: {
      id: string | number
      session_id?: string
    }
    reply: {
      fulfilments: Fulfilment[]
    }
  }
  /** Create a fulfilment of an order */
  'orders.createFulfilment': {
    input: {
      id: string | number
      session_id?: string
    } & {
      lines?: {
        line: number
        quantity: number
      }[]
    }
    reply: {
      fulfilment: Fulfilment
      order: OrderStanding
    }
  }
  /** Ship a fulfilment */
  'orders.shipFulfilment': {
    input: {
      id: string | number
      fulfilmentId: string | number
      session_id?: string
    } & {
      carrier?: string
      tracking_number?: string
    }
    reply: {
      fulfilment: Fulfilment
      order: OrderStanding
    }
  }
  /** Mark a fulfilment as delivered */
  'orders.deliverFulfilment': {
    input: {
      id: string | number
      fulfilmentId: string | number
      session_id?: string
    }
    reply: {
      fulfilment: Fulfilment
      order: OrderStanding
    }
  }
  /** Cancel a fulfilment */
  'orders.cancelFulfilment': {
    input: {
      id: string | number
      fulfilmentId: string | number
      session_id?: string
    }
    reply: {
      fulfilment: Fulfilment
      order: OrderStanding
    }
  }
  /** List the returns of an order */
  'orders.listReturns': {
    input: {
      id: string | number
      session_id?: string
    }
    reply: {
      returns: Return[]
    }
  }
  /** Request a return */
  'orders.createReturn': {
    input: {
      id: string | number
      session_id?: string
    } & {
      lines?: {
        line: number
        quantity: number
      }[]
      reason: string
    }
    reply: {
      return: Return
      order: OrderStanding
    }
  }
  /** Receive a return */
  'orders.receiveReturn': {
    input: {
      id: string | number
      returnId: string | number
      session_id?: string
    } & {
      restock?: boolean
    }
    reply: {
      return: Return
      order: OrderStanding
    }
  }
  /** Reject a return */
  'orders.rejectReturn': {
    input: {
      id: string | number
      returnId: string | number
      session_id?: string
    } & {
      reason: string
    }
    reply: {
      return: Return
      order: OrderStanding
    }
  }
  /** Recommend offers (general) */
  'recommendations.forBuyer': {
    input: {
      /** The buyer: a client id, a guest’s session id, or any external id. */
      user_id: string
      /** The calling application; web clients send `WebAndMobile`. It biases popularity. */
      from_app: string
      /** The page. */
      from_layer: "main_page" | "offer_page" | "cart_page"
      /** `prod` or `mod_offers` in any letter case; null and unknown values mean `prod`. */
      test_group_value?: string | null
      /** Offer ids, UUIDs for moderated offers: the one on the page, or all in the cart. Absent on the main page. */
      offer_ids?: string[] | null
      /** The buyer’s phone number. */
      phone?: string | null
      /** The manufacturer of the device; it biases popularity. */
      device_brand?: string | null
      /** `Android` or `iOS`; it biases popularity. */
      device_os?: string | null
      /** The buyer’s id in the mobile app. */
      mobi_user_id?: string | null
      /** A place name: it biases popularity and filters nothing. */
      region?: string | null
    }
    reply: {
      offers: GeneralOffer[]
      mini_app_id: null
      /** What ranked the list. */
      source: "catboost" | "collaborative_filtering" | "recommendation_service" | "cf"
    }
  }
  /** Recommend offers (v2) */
  'recommendations.forBuyerV2': {
    input: {
      /** The buyer: a client id, a guest’s session id, or any external id. */
      user_id: string
      /** The calling application; web clients send `WebAndMobile`. It biases popularity. */
      from_app: string
      /** The page. */
      from_layer: "main_page" | "offer_page" | "cart_page"
      /** `cf` or `prod` in any letter case; any other value means the configured default, `cf` unless changed. */
      test_group_value?: string | null
      /** The products on the page. */
      product_ids?: (number | string)[] | null
      /** The buyer’s phone number. */
      phone?: string | null
      /** The manufacturer of the device; it biases popularity. */
      device_brand?: string | null
      /** `Android` or `iOS`; it biases popularity. */
      device_os?: string | null
      /** The buyer’s id in the mobile app. */
      mobi_user_id?: string | null
      /** A place name: it biases popularity and filters nothing. */
      region?: string | null
    }
    reply: {
      offers: ClassicOffer[]
      /** Configured by the shop. */
      mini_app_id: string
      /** What ranked the list. */
      source: "catboost" | "collaborative_filtering" | "recommendation_service" | "cf"
    }
  }
  /** Recommend offers (v1) */
  'recommendations.forBuyerV1': {
    input: {
      /** The buyer’s id in the mobile app. */
      mobi_user_id: string
      /** The buyer’s phone number. */
      phone: string
      /** The buyer: a client id, a guest’s session id, or any external id. */
      user_id?: string | null
      /** The manufacturer of the device; it biases popularity. */
      device_brand?: string | null
      /** `Android` or `iOS`; it biases popularity. */
      device_os?: string | null
      /** A place name: it biases popularity and filters nothing. */
      region?: string | null
      /** The client id. */
      auth_id?: number | null
    }
    reply: {
      offers: ClassicOffer[]
      /** Configured by the shop. */
      mini_app_id: string
    }
  }
  /** Recommend offers in the mobile app */
  'recommendations.forMobile': {
    input: {
      /** The buyer: a client id, a guest’s session id, or any external id. */
      user_id: string
      /** The calling application; web clients send `WebAndMobile`. It biases popularity. */
      from_app: string
      /** The page. */
      from_layer: "main_page" | "offer_page" | "cart_page"
      /** `prod` or `mod_offers` in any letter case; null and unknown values mean `prod`. */
      test_group_value?: string | null
      /** Offer ids, UUIDs for moderated offers: the one on the page, or all in the cart. Absent on the main page. */
      offer_ids?: string[] | null
      /** The buyer’s phone number. */
      phone?: string | null
      /** The manufacturer of the device; it biases popularity. */
      device_brand?: string | null
      /** `Android` or `iOS`; it biases popularity. */
      device_os?: string | null
      /** A place name: it biases popularity and filters nothing. */
      region?: string | null
    }
    reply: {
      offers: MobileOffer[]
      /** What ranked the list. */
      source: "catboost" | "collaborative_filtering" | "recommendation_service" | "cf"
    }
  }
  /** Recommend offers by collaborative filtering */
  'recommendations.collaborative': {
    input: {
      /** The calling application; web clients send `WebAndMobile`. It biases popularity. */
      from_app: string
      /** The page. */
      from_layer: "main_page" | "offer_page" | "cart_page"
      /** Offer ids, UUIDs for moderated offers: the one on the page, or all in the cart. Absent on the main page. */
      offer_ids?: string[] | null
      /** The buyer: a client id, a guest’s session id, or any external id. */
      user_id?: string | null
      /** `Android` or `iOS`; it biases popularity. */
      device_os?: string | null
    }
    reply: {
      offers: CfOffer[]
      /** What ranked the list. */
      source: "catboost" | "collaborative_filtering" | "recommendation_service" | "cf"
    }
  }
  /** The collaborative backend */
  'recommendations.collaborativeBackend': {
    input: {
      /** The calling application; web clients send `WebAndMobile`. It biases popularity. */
      from_app: string
      /** The page. */
      from_layer: "main_page" | "offer_page" | "cart_page"
      /** Offer ids, UUIDs for moderated offers: the one on the page, or all in the cart. Absent on the main page. */
      offer_ids?: string[] | null
      /** The buyer: a client id, a guest’s session id, or any external id. */
      user_id?: string | null
      /** `Android` or `iOS`; it biases popularity. */
      device_os?: string | null
    }
    reply: {
      offers: CfOffer[]
      /** What ranked the list. */
      source: "catboost" | "collaborative_filtering" | "recommendation_service" | "cf"
    }
  }
  /** The v2 backend */
  'recommendations.v2Backend': {
    input: {
      /** The calling application; web clients send `WebAndMobile`. It biases popularity. */
      from_app: string
      /** The page. */
      from_layer: "main_page" | "offer_page" | "cart_page"
      /** Offer ids, UUIDs for moderated offers: the one on the page, or all in the cart. Absent on the main page. */
      offer_ids?: string[] | null
      /** The buyer: a client id, a guest’s session id, or any external id. */
      user_id?: string | null
      /** `Android` or `iOS`; it biases popularity. */
      device_os?: string | null
      /** The buyer’s phone number. */
      phone?: string | null
      /** The manufacturer of the device; it biases popularity. */
      device_brand?: string | null
      /** A place name: it biases popularity and filters nothing. */
      region?: string | null
    }
    reply: {
      offers: CfOffer[]
      /** What ranked the list. */
      source: "catboost" | "collaborative_filtering" | "recommendation_service" | "cf"
    }
  }
  /** Recommend offers of a category */
  'recommendations.forCategory': {
    input: {
      /** The calling application; web clients send `WebAndMobile`. It biases popularity. */
      from_app: string
      /** The buyer: a client id, a guest’s session id, or any external id. */
      user_id?: string | null
      /** The experiment’s group: `group`, or `experiment:group`. */
      exp_id?: string | null
      /** The buyer’s phone number. */
      phone?: string | null
      /** The manufacturer of the device; it biases popularity. */
      device_brand?: string | null
      /** `Android` or `iOS`; it biases popularity. */
      device_os?: string | null
      /** A place name: it biases popularity and filters nothing. */
      region?: string | null
      /** The deepest of the three categories that exists applies. */
      category_id?: number | null
      /** A category below `category_id`. */
      sub_category_id?: number | null
      /** A category below `sub_category_id`. */
      third_category_id?: number | null
    }
    reply: CategoryPageOffer[]
  }
  /** The backend of the categories page */
  'recommendations.categoryBackend': {
    input: {
      /** The calling application; web clients send `WebAndMobile`. It biases popularity. */
      from_app: string
      /** The buyer: a client id, a guest’s session id, or any external id. */
      user_id?: string | null
      /** The experiment’s group: `group`, or `experiment:group`. */
      exp_id?: string | null
      /** The buyer’s phone number. */
      phone?: string | null
      /** The manufacturer of the device; it biases popularity. */
      device_brand?: string | null
      /** `Android` or `iOS`; it biases popularity. */
      device_os?: string | null
      /** A place name: it biases popularity and filters nothing. */
      region?: string | null
      /** The deepest of the three categories that exists applies. */
      category_id?: number | null
      /** A category below `category_id`. */
      sub_category_id?: number | null
      /** A category below `sub_category_id`. */
      third_category_id?: number | null
    }
    reply: CategoryPageOffer[]
  }
  /** Recommend offers on the web */
  'recommendations.forWeb': {
    input: {
      /** The calling application; web clients send `WebAndMobile`. It biases popularity. */
      from_app: string
      /** The page. */
      from_layer: "main_page" | "offer_page" | "cart_page"
      /** Offer ids, UUIDs for moderated offers: the one on the page, or all in the cart. Absent on the main page. */
      offer_ids?: string[] | null
      /** The buyer’s UUID. */
      user_id?: string | null
      /** The buyer’s phone number. */
      phone?: string | null
      /** The manufacturer of the device; it biases popularity. */
      device_brand?: string | null
      /** A place name: it biases popularity and filters nothing. */
      region?: string | null
    }
    reply: {
      offers: WebOffer[]
      /** What ranked the list. */
      source: "catboost" | "collaborative_filtering" | "recommendation_service" | "cf"
    }
  }
  /** Recommend offers on the web, by the client */
  'recommendations.forWebClient': {
    input: {
      /** The calling application; web clients send `WebAndMobile`. It biases popularity. */
      from_app: string
      /** The page. */
      from_layer: "main_page" | "offer_page" | "cart_page"
      /** Offer ids, UUIDs for moderated offers: the one on the page, or all in the cart. Absent on the main page. */
      offer_ids?: string[] | null
      /** The buyer’s UUID. */
      user_id?: string | null
      /** The buyer’s phone number. */
      phone?: string | null
      /** The manufacturer of the device; it biases popularity. */
      device_brand?: string | null
      /** A place name: it biases popularity and filters nothing. */
      region?: string | null
    }
    reply: {
      offers: WebOffer[]
      /** What ranked the list. */
      source: "catboost" | "collaborative_filtering" | "recommendation_service" | "cf"
    }
  }
  /** Recommend offers in a mini-app */
  'recommendations.forMiniApp': {
    input: {
      /** The buyer’s UUID. */
      user_id: string
      /** The page. */
      from_layer: "main_page" | "offer_page" | "cart_page"
      /** Offer ids, UUIDs for moderated offers: the one on the page, or all in the cart. Absent on the main page. */
      offer_ids?: string[] | null
      /** The buyer’s phone number. */
      phone?: string | null
      /** The manufacturer of the device; it biases popularity. */
      device_brand?: string | null
      /** A place name: it biases popularity and filters nothing. */
      region?: string | null
      /** The buyer’s id in the mini-app; takes precedence over `user_id`. */
      mini_app_user_id?: string | null
    }
    reply: {
      offers: MiniAppOffer[]
      /** What ranked the list. */
      source: "catboost" | "collaborative_filtering" | "recommendation_service" | "cf"
    }
  }
  /** Report interactions */
  'interactions.report': {
    input: {
      interactions: ({
        /** A client id, a session id, or an external id. */
        user_id: string
        /** Digits, or the UUID of a moderated offer. */
        offer_id: string
        kind: "view" | "click" | "wishlist" | "cart" | "purchase"
        at?: string
        /** `X-Recommendation-Id` of the list that led to it. */
        request_id?: string
        /** `search_id` of the search that led to it. It is counted by query, without the buyer. */
        search_id?: string
        source?: string
      })[]
    }
    reply: {
      accepted: number
      new: number
    }
  }
  /** List models */
  'models.list': {
    input: Record<string, never>
    reply: {
      models: Model[]
    }
  }
  /** Upload a ranker */
  'models.uploadRanker': {
    input: {
      body: string | Uint8Array
    }
    reply: {
      model: Model
    }
  }
  /** Activate a model */
  'models.activate': {
    input: {
      id: string | number
    }
    reply: {
      model: Model
    }
  }
  /** List trainings */
  'trainings.list': {
    input: Record<string, never>
    reply: {
      trainings: Training[]
    }
  }
  /** Start a training */
  'trainings.start': {
    input: {
      replaces_ranker?: boolean
    }
    reply: {
      started: boolean
      training_id: string
    }
  }
  /** Get a training */
  'trainings.get': {
    input: {
      id: string | number
    }
    reply: {
      training: Training
      progress: TrainingMeasurement[]
    }
  }
  /** Import factors or neighbours */
  'models.importExternal': {
    input: {
      trained_until?: string
      alpha?: number
      regularisation?: number
      body: string | Uint8Array
    }
    reply: {
      model: Model
      /** Non-empty lines, or rows. */
      read: number
      /** Lines or rows of products in the model. */
      known: number
      /** Lines or rows of other products. */
      unknown: number
      /** Ignored neighbours that are not in the model. */
      unknown_neighbours: number
    }
  }
  /** Remove the external model */
  'models.deleteExternal': {
    input: Record<string, never>
    reply: {
      model: Model
    }
  }
  /** Export interactions as CSV */
  'trainingData.getInteractionsCsv': {
    input: {
      from?: string
      to?: string
    }
    reply: string
  }
  /** Export features as CSV */
  'trainingData.getFeaturesCsv': {
    input: {
      days?: number
      until?: string
    }
    reply: string
  }
  /** Export interactions as NDJSON */
  'trainingData.getInteractionsNdjson': {
    input: {
      from?: string
      to?: string
    }
    reply: string
  }
  /** Export features as NDJSON */
  'trainingData.getFeaturesNdjson': {
    input: {
      days?: number
      until?: string
    }
    reply: string
  }
  /** Explain a list */
  'recommendations.explain': {
    input: {
      /** `X-Recommendation-Id` of a list that was shown; all other fields must be absent then. */
      recommendation_id?: string
      user_id?: string
      from_layer?: "main_page" | "offer_page" | "cart_page"
      offer_ids?: string[]
      /** The call to explain; it decides which test groups there are. */
      channel?: "/offers/recommended/v3" | "/offers/recommended/v2" | "/offers/recommended" | "/mobile/offers/recommended/v3" | "/mobile/cf/v1/recommended" | "/api/gateway/web/offers/recommended-cf" | "/api/gateway/web/offers/recommended-v2" | "/mobile/recommended-offers/categories-page" | "/api/gateway/categories-page/recommendations" | "/api/gateway/catalog/recommended-offers/v3/web" | "/web/client/offers/recommended-v3" | "/web/client/miniapp/offers/recommended/v3/"
      test_group_value?: "prod" | "mod_offers" | "cf"
      category_id?: number | string
      region?: string
    }
    reply: {
      source: "catboost" | "collaborative_filtering" | "recommendation_service" | "cf"
      model_id: string | null
      experiment_id: string | null
      group: string | null
      at: string
      is_reproduced: boolean | null
      offers: ({
        position: number
        offer_id: string
        product_id: string | null
        name: string | null
        /** How the offer got into the list. */
        origin: "candidate" | "exploration" | "filler"
        /** The origin as a sentence. */
        reason: string
        /** The candidate sources that proposed it, the strongest first. */
        sources: ({
          source: "ease_history" | "ease_focus" | "walk_history" | "rules_focus" | "baskets_focus" | "alike_focus" | "repeat" | "popular" | "external" | "sessions_visit" | "factors_history" | "again" | "companions_focus" | "alike_history"
          /** Relative to the best offer of the source. */
          score: number
          /** The products of the buyer’s history and of the page that gave it most of this score, the strongest first; none where the score does not depend on them. */
          because: ({
            product_id: string
            name: string | null
            /** Where the buyer met it: on this page, else by the strongest of their interactions. */
            relation: "on_page" | "view" | "click" | "wishlist" | "cart" | "purchase" | null
            /** Its part of the score of the source; the parts of all products, also of those not listed, add up to it. Negative where it speaks against the offer. */
            contribution: number
          })[]
        })[]
        rank_before: number | null
        rank_after: number | null
        score: number | null
        /** The features that changed its score most. */
        contributions: {
          feature: string
          contribution: number
        }[]
      })[]
      excluded: {
        product_id: string
        rule: string
      }[]
    }
  }
  /** Suggest completions to a buyer */
  'suggestions.list': {
    input: {
      q: string
      limit?: number
      user_id?: string
    }
    reply: {
      suggestions: Suggestion[]
    }
  }
  /** List recently viewed products */
  'recommendations.listRecentlyViewed': {
    input: {
      customer_id?: string
      limit?: number
    }
    reply: {
      products: ViewedProduct[]
    }
  }
  /** List experiments */
  'experiments.list': {
    input: {
      page?: number
      per_page?: number
      sort?: "created_at" | "-created_at" | "name" | "-name"
      cursor?: string
      status?: "draft" | "running" | "stopped"
    }
    reply: {
      experiments: Experiment[]
      pagination: Pagination
    }
    item: Experiment
  }
  /** Create an experiment */
  'experiments.create': {
    input: {
      slug: string
      name: string
      /** The pages that the experiment changes. */
      layers: ("main_page" | "offer_page" | "cart_page" | "categories_page")[]
      /** The first group is the baseline. */
      groups: ExperimentGroupInput[]
      /** The experiment stops itself when a group certainly loses more than this share of the purchasing buyers of the first group; null for no limit. 0.1 by default. */
      max_harm?: number | null
    }
    reply: {
      experiment: Experiment
    }
  }
  /** Get an experiment */
  'experiments.get': {
    input: {
      experiment_id: string | number
    }
    reply: {
      experiment: Experiment
    }
  }
  /** Change an experiment */
  'experiments.update': {
    input: {
      experiment_id: string | number
    } & {
      name?: string
      /** The pages that the experiment changes. */
      layers?: ("main_page" | "offer_page" | "cart_page" | "categories_page")[]
      /** The first group is the baseline. */
      groups?: ExperimentGroupInput[]
      /** The experiment stops itself when a group certainly loses more than this share of the purchasing buyers of the first group; null for no limit. 0.1 by default. */
      max_harm?: number | null
    }
    reply: {
      experiment: Experiment
    }
  }
  /** Delete an experiment */
  'experiments.delete': {
    input: {
      experiment_id: string | number
    }
    reply: {
      experiment: Experiment
    }
  }
  /** Start an experiment */
  'experiments.start': {
    input: {
      experiment_id: string | number
    }
    reply: {
      experiment: Experiment
    }
  }
  /** Stop an experiment */
  'experiments.stop': {
    input: {
      experiment_id: string | number
    }
    reply: {
      experiment: Experiment
    }
  }
  /** Get the results of an experiment */
  'experiments.getResults': {
    input: {
      experiment_id: string | number
    }
    reply: {
      confidence: number
      groups: ({
        group: string
        buyers: number
        lists: number
        clicks: number
        purchases: number
        purchases_after_click: number
        revenue_tiyin: number
        ctr: Estimate
        conversion: Estimate
        revenue_per_list: Estimate
        buyers_converted: Estimate
        by_source: ({
          source: "catboost" | "collaborative_filtering" | "recommendation_service" | "cf"
          buyers: number
          lists: number
          clicks: number
          purchases: number
          purchases_after_click: number
          revenue_tiyin: number
          ctr: Estimate
          conversion: Estimate
          revenue_per_list: Estimate
          buyers_converted: Estimate
        })[]
        /** The difference from the first group with its interval; null for the first group. */
        differences: {
          ctr: Difference
          conversion: Difference
          revenue_per_list: Difference
          buyers_converted: Difference
        } | null
      })[]
    }
  }
  /** Get the group of a buyer */
  'experiments.getAssignment': {
    input: {
      experiment_id: string | number
      user_id: string
    }
    reply: {
      group: string | null
    }
  }
  /** Estimate what another model would have earned */
  'experiments.getOffPolicy': {
    input: {
      experiment_id: string | number
      group: string
      model_id?: string
      method?: "ranker" | "cf" | "popular"
      reward?: "click" | "purchase"
      lists?: number
    }
    reply: {
      confidence: number
      reward: "click" | "purchase"
      lists: number
      buyers: number
      support: number
      logged: Estimate
      present: Estimate
      inverse_propensity: Estimate
      doubly_robust: Estimate
      difference: Difference
    }
  }
  /** Get recommendation metrics by day */
  'recommendations.getMetrics': {
    input: {
      from?: string
      to?: string
    }
    reply: {
      from: string
      to: string
      days: ({
        day: string
        lists: number
        buyers: number
        clicks: number
        carts: number
        purchases: number
        revenue_tiyin: number
        ctr: number
        conversion: number
        revenue_per_list: number
        /** Distinct offers shown. */
        coverage: number
        /** How many offers, each shown equally often, would be as diverse: the exponential of the Shannon entropy of the shown offers. Null for days that were stored before it was computed. */
        diversity: number | null
        duration_ms: {
          p50: number
          p90: number
          p99: number
        }
        sources: ({
          source: "catboost" | "collaborative_filtering" | "recommendation_service" | "cf"
          share: number
          lists: number
          buyers: number
          clicks: number
          carts: number
          purchases: number
          revenue_tiyin: number
          ctr: number
          conversion: number
          revenue_per_list: number
          /** Distinct offers shown. */
          coverage: number
          /** How many offers, each shown equally often, would be as diverse: the exponential of the Shannon entropy of the shown offers. Null for days that were stored before it was computed. */
          diversity: number | null
          duration_ms: {
            p50: number
            p90: number
            p99: number
          }
        })[]
      })[]
    }
  }
  /** List webhooks */
  'webhooks.list': {
    input: {
      page?: number
      per_page?: number
      sort?: "created_at" | "-created_at"
      cursor?: string
      enabled?: boolean
    }
    reply: {
      webhooks: Webhook[]
      pagination: Pagination
    }
    item: Webhook
  }
  /** Create a webhook */
  'webhooks.create': {
    input: {
      /** Where events are sent. Live: HTTPS and public addresses only. Test: also plain HTTP, and loopback addresses outside production. */
      url: string
      filters: string[]
      description?: string
    }
    reply: {
      webhook: Webhook
      /** Signs deliveries. Shown once: null in a replay with the same `Idempotency-Key`. */
      secret: string | null
    }
  }
  /** Get a webhook */
  'webhooks.get': {
    input: {
      webhook_id: string | number
    }
    reply: {
      webhook: Webhook
    }
  }
  /** Change a webhook */
  'webhooks.update': {
    input: {
      webhook_id: string | number
    } & {
      /** Where events are sent. Live: HTTPS and public addresses only. Test: also plain HTTP, and loopback addresses outside production. */
      url?: string
      filters?: string[]
      description?: string
    }
    reply: {
      webhook: Webhook
    }
  }
  /** Delete a webhook */
  'webhooks.delete': {
    input: {
      webhook_id: string | number
    }
    reply: {
      webhook: Webhook
    }
  }
  /** Rotate the secret of a webhook */
  'webhooks.rotateSecret': {
    input: {
      webhook_id: string | number
    } & {
      overlap_hours?: number
    }
    reply: {
      webhook: Webhook
      /** Signs deliveries. Shown once: null in a replay with the same `Idempotency-Key`. */
      secret: string | null
      old_secret_ends_at: string
    }
  }
  /** Test a webhook */
  'webhooks.ping': {
    input: {
      webhook_id: string | number
    }
    reply: {
      event_id: string
    }
  }
  /** Enable a webhook */
  'webhooks.enable': {
    input: {
      webhook_id: string | number
    }
    reply: {
      webhook: Webhook
    }
  }
  /** Disable a webhook */
  'webhooks.disable': {
    input: {
      webhook_id: string | number
    }
    reply: {
      webhook: Webhook
    }
  }
  /** List the deliveries of a webhook */
  'webhooks.listDeliveries': {
    input: {
      webhook_id: string | number
      page?: number
      per_page?: number
      sort?: "id" | "-id"
      cursor?: string
      status?: "waiting" | "succeeded" | "failed" | "cancelled"
      type?: string
      subject?: string
      event_id?: string
    }
    reply: {
      deliveries: WebhookDelivery[]
      pagination: Pagination
    }
    item: WebhookDelivery
  }
  /** Get a delivery with all its attempts */
  'webhooks.getDelivery': {
    input: {
      webhook_id: string | number
      delivery_id: string | number
    }
    reply: {
      delivery: WebhookDeliveryWithAttempts
    }
  }
  /** Redeliver an event */
  'webhooks.redeliverDelivery': {
    input: {
      webhook_id: string | number
      delivery_id: string | number
    }
    reply: {
      delivery: WebhookDelivery
    }
  }
  /** Redeliver the events of a period */
  'webhooks.redeliver': {
    input: {
      webhook_id: string | number
    } & {
      from: string
      to: string
      filters?: string[]
    }
    reply: {
      queued: number
    }
  }
  /** List events */
  'events.list': {
    input: {
      page?: number
      per_page?: number
      sort?: "position" | "-position"
      cursor?: string
      type?: string
      subject?: string
      from?: string
      to?: string
    }
    reply: {
      events: Event[]
      pagination: Pagination
    }
    item: Event
  }
  /** Follow events as they happen */
  'events.stream': {
    input: {
      type?: string
      subject?: string
    }
    reply: string
  }
  /** Get an event */
  'events.get': {
    input: {
      event_id: string | number
    }
    reply: {
      event: Event
    }
  }
  /** List campaigns */
  'campaigns.list': {
    input: {
      page?: number
      per_page?: number
      sort?: "created_at" | "-created_at" | "name" | "-name"
      cursor?: string
      state?: "draft" | "running" | "paused" | "finished"
      channel?: "email" | "sms" | "push"
    }
    reply: {
      campaigns: Campaign[]
      pagination: Pagination
    }
    item: Campaign
  }
  /** Draft a campaign */
  'campaigns.create': {
    input: {
      name: string
      channel: "email" | "sms" | "push"
      /** The slug of a template for the channel. */
      template: string
      when: CampaignTrigger
      /** Your own texts; the template shows them as `{{custom.name}}`. */
      variables?: Record<string, unknown>
      /** Conditions by name; all must hold. Only clients who consented to marketing over the channel are addressed; without conditions, all of them. */
      audience?: AudienceClause[]
      /** In the time zone of the shop. Null: the quiet hours of all campaigns. Equal `from` and `to`: none. */
      quiet_hours?: {
        from: string
        to: string
      } | null
      /** Days until a client may get another message; null: never. */
      repeat_days?: number | null
      /** Percentage of clients in the control group, which never gets a message. The assignment is stable. */
      holdout_percent?: number
      budget_messages?: number | null
      budget_tiyin?: number | null
      /** Cost of one message. */
      price_tiyin?: number
      /** Orders within this many days after a message are attributed to it. */
      attribution_days?: number
      ends_at?: string | null
    }
    reply: {
      campaign: Campaign
    }
  }
  /** Get a campaign */
  'campaigns.get': {
    input: {
      campaign_id: string | number
    }
    reply: {
      campaign: Campaign
    }
  }
  /** Change a campaign */
  'campaigns.update': {
    input: {
      campaign_id: string | number
    } & {
      name?: string
      channel?: "email" | "sms" | "push"
      /** The slug of a template for the channel. */
      template?: string
      when?: CampaignTrigger
      /** Your own texts; the template shows them as `{{custom.name}}`. */
      variables?: Record<string, unknown>
      /** Conditions by name; all must hold. Only clients who consented to marketing over the channel are addressed; without conditions, all of them. */
      audience?: AudienceClause[]
      /** In the time zone of the shop. Null: the quiet hours of all campaigns. Equal `from` and `to`: none. */
      quiet_hours?: {
        from: string
        to: string
      } | null
      /** Days until a client may get another message; null: never. */
      repeat_days?: number | null
      /** Percentage of clients in the control group, which never gets a message. The assignment is stable. */
      holdout_percent?: number
      budget_messages?: number | null
      budget_tiyin?: number | null
      /** Cost of one message. */
      price_tiyin?: number
      /** Orders within this many days after a message are attributed to it. */
      attribution_days?: number
      ends_at?: string | null
    }
    reply: {
      campaign: Campaign
    }
  }
  /** Delete a draft */
  'campaigns.delete': {
    input: {
      campaign_id: string | number
    }
    reply: {
      campaign: Campaign
    }
  }
  /** Start a campaign */
  'campaigns.start': {
    input: {
      campaign_id: string | number
    }
    reply: {
      campaign: Campaign
    }
  }
  /** Pause a campaign */
  'campaigns.pause': {
    input: {
      campaign_id: string | number
    }
    reply: {
      campaign: Campaign
    }
  }
  /** Resume a campaign */
  'campaigns.resume': {
    input: {
      campaign_id: string | number
    }
    reply: {
      campaign: Campaign
    }
  }
  /** Finish a campaign */
  'campaigns.finish': {
    input: {
      campaign_id: string | number
    }
    reply: {
      campaign: Campaign
    }
  }
  /** Preview a draft */
  'campaigns.preview': {
    input: {
      channel: "email" | "sms" | "push"
      /** The slug of a template for the channel. */
      template?: string
      when?: CampaignTrigger
      /** Your own texts; the template shows them as `{{custom.name}}`. */
      variables?: Record<string, unknown>
      /** Conditions by name; all must hold. Only clients who consented to marketing over the channel are addressed; without conditions, all of them. */
      audience?: AudienceClause[]
    }
    reply: {
      preview: CampaignDraftPreview
    }
  }
  /** Preview a campaign */
  'campaigns.getPreview': {
    input: {
      campaign_id: string | number
      client_id?: string
    }
    reply: {
      preview: CampaignPreview
    }
  }
  /** Get the results of a campaign */
  'campaigns.getResults': {
    input: {
      campaign_id: string | number
    }
    reply: {
      results: CampaignResults
    }
  }
  /** Get the rules for all campaigns */
  'campaignRules.get': {
    input: Record<string, never>
    reply: {
      campaign_rules: CampaignRules
    }
  }
  /** Change the rules for all campaigns */
  'campaignRules.update': {
    input: {
      quiet_hours?: {
        from: string
        to: string
      }
      /** Maximum messages of all campaigns to one client in any 24 hours. */
      messages_per_day?: number
      /** Maximum messages of all campaigns to one client in any seven days. */
      messages_per_week?: number
    }
    reply: {
      campaign_rules: CampaignRules
    }
  }
  /** List templates */
  'templates.list': {
    input: {
      page?: number
      per_page?: number
      sort?: "slug" | "-slug" | "created_at" | "-created_at"
      cursor?: string
      channel?: "email" | "sms" | "push"
      slug?: string
    }
    reply: {
      templates: NotificationTemplate[]
      pagination: Pagination
    }
    item: NotificationTemplate
  }
  /** Create a template */
  'templates.create': {
    input: {
      slug: string
      channel: "email" | "sms" | "push"
      description?: string
      is_active?: boolean
      texts: {
        ru?: {
          /** The subject of e-mails, the title of push messages. */
          subject?: string | null
          text: string
          /** E-mails only, beside the text. */
          html?: string | null
        }
        uz?: {
          /** The subject of e-mails, the title of push messages. */
          subject?: string | null
          text: string
          /** E-mails only, beside the text. */
          html?: string | null
        }
        en?: {
          /** The subject of e-mails, the title of push messages. */
          subject?: string | null
          text: string
          /** E-mails only, beside the text. */
          html?: string | null
        }
      }
    }
    reply: {
      template: NotificationTemplate
    }
  }
  /** Get a template */
  'templates.get': {
    input: {
      template_id: string | number
    }
    reply: {
      template: NotificationTemplate
    }
  }
  /** Change a template */
  'templates.update': {
    input: {
      template_id: string | number
    } & {
      description?: string
      is_active?: boolean
      texts?: {
        ru?: {
          /** The subject of e-mails, the title of push messages. */
          subject?: string | null
          text: string
          /** E-mails only, beside the text. */
          html?: string | null
        }
        uz?: {
          /** The subject of e-mails, the title of push messages. */
          subject?: string | null
          text: string
          /** E-mails only, beside the text. */
          html?: string | null
        }
        en?: {
          /** The subject of e-mails, the title of push messages. */
          subject?: string | null
          text: string
          /** E-mails only, beside the text. */
          html?: string | null
        }
      }
    }
    reply: {
      template: NotificationTemplate
    }
  }
  /** Delete a template */
  'templates.delete': {
    input: {
      template_id: string | number
    }
    reply: {
      template: NotificationTemplate
    }
  }
  /** List the versions of a template */
  'templates.listVersions': {
    input: {
      template_id: string | number
    }
    reply: {
      versions: {
        version: number
        texts: MessageTexts
        created_at: string
      }[]
    }
  }
  /** List template variables */
  'templateVariables.list': {
    input: Record<string, never>
    reply: {
      variables: TemplateVariable[]
    }
  }
  /** Preview a template */
  'templates.preview': {
    input: {
      template_id: string | number
    } & {
      language?: "ru" | "uz" | "en"
      /** Values by group and name, such as `{"order": {"id": "7"}}`. Money in tiyin; a text, or an object with a text per language; null for no value. */
      variables?: Record<string, unknown>
      texts?: {
        ru?: {
          /** The subject of e-mails, the title of push messages. */
          subject?: string | null
          text: string
          /** E-mails only, beside the text. */
          html?: string | null
        }
        uz?: {
          /** The subject of e-mails, the title of push messages. */
          subject?: string | null
          text: string
          /** E-mails only, beside the text. */
          html?: string | null
        }
        en?: {
          /** The subject of e-mails, the title of push messages. */
          subject?: string | null
          text: string
          /** E-mails only, beside the text. */
          html?: string | null
        }
      }
    }
    reply: {
      preview: MessageContent
    }
  }
  /** List notifications */
  'notifications.list': {
    input: {
      page?: number
      per_page?: number
      sort?: "created_at" | "-created_at"
      cursor?: string
      status?: "queued" | "sending" | "retrying" | "held" | "sent" | "dead" | "suppressed" | "cancelled"
      channel?: "email" | "sms" | "push"
      category?: "transactional" | "marketing"
      client_id?: string
      campaign_id?: string
      template?: string
      key?: string
    }
    reply: {
      notifications: Notification[]
      pagination: Pagination
    }
    item: Notification
  }
  /** Send a notification */
  'notifications.create': {
    input: {
      client_id?: number | string
      address?: string
      channel: "email" | "sms" | "push"
      template: string
      language?: "ru" | "uz" | "en"
      /** Values by group and name, such as `{"order": {"id": "7"}}`. Money in tiyin; a text, or an object with a text per language; null for no value. */
      variables?: Record<string, unknown>
      /** Your idempotency key. */
      key?: string
    }
    reply: {
      notification: Notification
    }
  }
  /** Get a notification with its text and all attempts */
  'notifications.get': {
    input: {
      notification_id: string | number
    }
    reply: {
      notification: NotificationWithLog
    }
  }
  /** Retry a notification */
  'notifications.retry': {
    input: {
      notification_id: string | number
    }
    reply: {
      notification: Notification
    }
  }
  /** Cancel a notification */
  'notifications.cancel': {
    input: {
      notification_id: string | number
    }
    reply: {
      notification: Notification
    }
  }
  /** Record the delivery of a notification */
  'notifications.markDelivered': {
    input: {
      notification_id: string | number
    }
    reply: {
      notification: Notification
    }
  }
  /** List consents */
  'consents.list': {
    input: {
      page?: number
      per_page?: number
      sort?: "at" | "-at"
      cursor?: string
      client_id?: string
      address?: string
      channel?: "email" | "sms" | "push"
      granted?: boolean
    }
    reply: {
      consents: Consent[]
      pagination: Pagination
    }
    item: Consent
  }
  /** Set consents */
  'consents.set': {
    input: {
      consents: ({
        client_id?: number | string
        address?: string
        channel: "email" | "sms" | "push"
        granted: boolean
        source: string
      })[]
    }
    reply: {
      consents: Consent[]
    }
  }
  /** Get a consent with its history */
  'consents.get': {
    input: {
      consent_id: string | number
    }
    reply: {
      consent: ConsentWithHistory
    }
  }
  /** Get my subscriptions */
  'auth.listSubscriptions': {
    input: Record<string, never>
    reply: {
      subscriptions: Subscriptions
    }
  }
  /** Change my subscriptions */
  'auth.updateSubscriptions': {
    input: {
      language?: "ru" | "uz" | "en"
      email?: boolean
      sms?: boolean
      push?: boolean
    }
    reply: {
      subscriptions: Subscriptions
    }
  }
  /** List my push devices */
  'auth.listDevices': {
    input: Record<string, never>
    reply: {
      devices: Device[]
    }
  }
  /** Register this device for push messages */
  'auth.createDevice': {
    input: {
      token: string
      platform: "ios" | "android" | "web"
    }
    reply: {
      device: Device
    }
  }
  /** Remove a push device */
  'auth.deleteDevice': {
    input: {
      device_id: string | number
    }
    reply: {
      device: Device
    }
  }
  /** Import records */
  'records.import': {
    input: {
      strict?: boolean
      dry_run?: boolean
      record?: "category" | "brand" | "partner" | "loan_condition" | "delivery_method" | "attribute" | "product" | "variant" | "offer" | "stock" | "moderated_offer" | "promotion" | "exchange_rate" | "search_synonym" | "client" | "limits" | "interaction"
      body: string | Uint8Array
    }
    reply: {
      /** Lines read, without empty ones. */
      read: number
      /** Records that were added or changed. */
      stored: number
      /** Records that were as given already. */
      unchanged: number
      /** All refused lines, also those that are not listed. */
      refused: number
      refusals: ({
        /** Line number from 1, empty lines included. */
        line: number
        record: string | null
        id: number | string | null
        fields: {
          path: string
          rule: string
          message: string
          /** The limit, the allowed values, or an example. */
          limit?: unknown
        }[]
      })[]
    }
  }
  /** Export records */
  'records.export': {
    input: {
      records?: ("category" | "brand" | "partner" | "loan_condition" | "delivery_method" | "attribute" | "product" | "variant" | "offer" | "stock" | "moderated_offer" | "promotion" | "exchange_rate" | "search_synonym" | "client" | "limits" | "interaction")[]
    }
    reply: string
  }
  /** List jobs and their last runs */
  'jobs.list': {
    input: Record<string, never>
    reply: {
      jobs: ({
        name: string
        cron: string
        description: string
        last_due_at: string
        next_due_at: string | null
        running: boolean
        last_run: {
          started_at: string
          finished_at: string | null
          outcome: "running" | "done" | "failed"
          note: string
        } | null
      })[]
    }
  }
  /** List recent runs of a job */
  'jobs.listRuns': {
    input: {
      name: string | number
    }
    reply: {
      runs: ({
        due_at: string
        started_at: string
        finished_at: string | null
        outcome: "running" | "done" | "failed"
        note: string
      })[]
    }
  }
  /** Run a job now */
  'jobs.run': {
    input: {
      name: string | number
    }
    reply: {
      name: string
    }
  }
  /** List events that a reaction failed to handle */
  'deadLetters.list': {
    input: Record<string, never>
    reply: {
      dead_letters: {
        sequence: string
        reaction: string
        type: string
        subject: string
        attempts: number
        error: string
        dead_at: string
      }[]
    }
  }
  /** Retry a failed reaction */
  'deadLetters.retry': {
    input: {
      sequence: string | number
      reaction: string | number
    }
    reply: {
      sequence: string
      reaction: string
    }
  }
  /** Get the health of the platform */
  'health.get': {
    input: Record<string, never>
    reply: {
      is_ready: boolean
      checks: {
        name: string
        is_ok: boolean
      }[]
      dependencies: {
        name: string
        is_ok: boolean
      }[]
      queues: {
        name: string
        waiting: number
      }[]
      dead_letters: number
      jobs: {
        total: number
        running: number
        failed: string[]
      }
      versions: {
        bozor: string
        node: string
        postgresql: string
      }
      last_backup: {
        created_at: string
      } | null
      services: ({
        name: "payments" | "email" | "sms" | "push" | "pictures"
        /** Stored: nothing is sent, as in the test environment without a provider. */
        state: "configured" | "stored" | "off"
        /** Host of the service. */
        server: string | null
        variables: string[]
      })[]
    }
  }
  /** Read the test clock */
  'testClock.get': {
    input: Record<string, never>
    reply: {
      clock: {
        now: string
        /** Seconds by which the test clock is ahead of the real clock. */
        offset_seconds: number
      }
    }
  }
  /** Move the test clock forward */
  'testClock.advance': {
    input: {
      /** An ISO 8601 duration in weeks, days, hours, minutes and seconds. */
      advance: string
    }
    reply: {
      clock: {
        now: string
        /** Seconds by which the test clock is ahead of the real clock. */
        offset_seconds: number
      }
    }
  }
  /** Reset the test clock */
  'testClock.reset': {
    input: Record<string, never>
    reply: {
      clock: {
        now: string
        /** Seconds by which the test clock is ahead of the real clock. */
        offset_seconds: number
      }
    }
  }
}
