// Generated from the OpenAPI document by `node test/generated.ts --write`. Do not edit.

/** One line per operation: name, method, path, flags, query parameters, field of the listed items. */
export const operations = `applications.list GET /v1/admin/applications es page,per_page,sort,cursor applications
applications.create POST /v1/admin/applications bek
applications.get GET /v1/admin/applications/{client_id} es
applications.update PATCH /v1/admin/applications/{client_id} bek
applications.delete DELETE /v1/admin/applications/{client_id} ek
keys.list GET /v1/admin/keys es page,per_page,sort,cursor,client_id,state,due_for_rotation keys
applications.createKey POST /v1/admin/applications/{client_id}/keys bek
applications.rotateKey POST /v1/admin/applications/{client_id}/keys/{key_id}/rotate bek
applications.revokeKey POST /v1/admin/applications/{client_id}/keys/{key_id}/revoke ek
applications.rotateSecret POST /v1/admin/applications/{client_id}/secrets/rotate bek
applications.revokeSecret POST /v1/admin/applications/{client_id}/secrets/{secret_id}/revoke ek
applications.getUsage GET /v1/admin/applications/{client_id}/usage es from,to
applications.getKeyUsage GET /v1/admin/applications/{client_id}/keys/{key_id}/usage es from,to
applications.getHourlyUsage GET /v1/admin/usage es hours
auditLog.list GET /v1/admin/audit-log es page,per_page,sort,cursor,actor,actor_kind,subject,path,from,to records
requestLog.list GET /v1/admin/request-log es page,per_page,sort,cursor,q,request_id,path,method,status,key,client_id,from,to calls
requestLog.get GET /v1/admin/request-log/{call_id} es
members.getRules GET /v1/admin/members/rules es
members.updateRules PATCH /v1/admin/members/rules bek
members.list GET /v1/admin/members es page,per_page,sort,cursor,role,state members
members.get GET /v1/admin/members/{member_id} es
members.update PATCH /v1/admin/members/{member_id} bek
members.listInvitations GET /v1/admin/members/invitations es page,per_page,sort,cursor invitations
members.createInvitation POST /v1/admin/members/invitations bek
members.deactivate POST /v1/admin/members/{member_id}/deactivate ek
members.reactivate POST /v1/admin/members/{member_id}/reactivate ek
members.resendInvitation POST /v1/admin/members/invitations/{invitation_id}/resend ek
members.revokeInvitation POST /v1/admin/members/invitations/{invitation_id}/revoke ek
auth.listConsents GET /v1/auth/consents es
auth.deleteConsent DELETE /v1/auth/consents/{client_id} ek
auth.register POST /v1/auth/register bek
auth.login POST /v1/auth/login bek
auth.createGuestSession POST /v1/auth/guest-session ek
auth.getProfile GET /v1/auth/me es
auth.updateProfile PATCH /v1/auth/me bek
auth.logout POST /v1/auth/logout bek
auth.listSessions GET /v1/auth/sessions es
auth.deleteSession DELETE /v1/auth/sessions/{session_id} ek
auth.changePassword POST /v1/auth/password bek
auth.requestPasswordReset POST /v1/auth/password-reset bek
auth.completePasswordReset POST /v1/auth/password-reset/complete bek
passwordResets.createToken POST /v1/admin/password-resets/{reset_id}/token ek
clients.list GET /v1/admin/clients es page,per_page,sort,cursor,q clients
clients.get GET /v1/admin/clients/{client_id} es
clients.update PATCH /v1/admin/clients/{client_id} bek
clients.merge POST /v1/admin/clients/{client_id}/merge bek
clients.erase POST /v1/admin/clients/{client_id}/erase ek
clients.listSessions GET /v1/admin/clients/{client_id}/sessions es
clients.deleteSessions DELETE /v1/admin/clients/{client_id}/sessions ek
clients.deleteSession DELETE /v1/admin/clients/{client_id}/sessions/{session_id} ek
members.getTwoStep GET /v1/admin/me/two-step es
members.beginTwoStep POST /v1/admin/me/two-step bek
members.disableTwoStep DELETE /v1/admin/me/two-step bek
members.confirmTwoStep POST /v1/admin/me/two-step/confirm bek
members.renewRecoveryCodes POST /v1/admin/me/two-step/recovery-codes bek
members.removeTwoStep DELETE /v1/admin/members/{member_id}/two-step ek
memberSessions.create POST /v1/admin/sessions bek
memberSessions.list GET /v1/admin/sessions es
memberSessions.deleteAll DELETE /v1/admin/sessions ek
members.acceptInvitation POST /v1/admin/members/invitations/accept bek
memberSessions.requestPasswordReset POST /v1/admin/password-reset bek
memberSessions.completePasswordReset POST /v1/admin/password-reset/complete bek
memberSessions.deleteCurrent DELETE /v1/admin/sessions/current ek
memberSessions.delete DELETE /v1/admin/sessions/{session_id} ek
members.getMe GET /v1/admin/me es
members.updateMe PATCH /v1/admin/me bek
members.changeMyPassword POST /v1/admin/me/password bek
categories.list GET /v1/catalog/categories es page,per_page,sort,cursor,parent_id,level,slug categories
categories.create POST /v1/catalog/categories bek
categories.get GET /v1/catalog/categories/{category_id} es
categories.replace PUT /v1/catalog/categories/{category_id} bek
categories.update PATCH /v1/catalog/categories/{category_id} bek
categories.delete DELETE /v1/catalog/categories/{category_id} ek
categories.getBySlug GET /v1/catalog/categories/by-slug/{slug} es
attributes.list GET /v1/catalog/attributes es page,per_page,sort,cursor,code,category_id,kind attributes
attributes.create POST /v1/catalog/attributes bek
attributes.get GET /v1/catalog/attributes/{attribute_id} es
attributes.replace PUT /v1/catalog/attributes/{attribute_id} bek
attributes.update PATCH /v1/catalog/attributes/{attribute_id} bek
attributes.delete DELETE /v1/catalog/attributes/{attribute_id} ek
products.list GET /v1/catalog/products es page,per_page,sort,cursor,facets,category,category_id,brand,partner,price_min,price_max,rating_min,in_stock,discounted,attributes products
products.create POST /v1/catalog/products bek
products.search GET /v1/catalog/products/search es page,per_page,sort,cursor,q,exact,explain,category,category_id,brand,partner,price_min,price_max,rating_min,in_stock,discounted,attributes products
products.suggest GET /v1/catalog/products/suggest es q,limit
products.get GET /v1/catalog/products/{product_id} es
products.replace PUT /v1/catalog/products/{product_id} bek
products.update PATCH /v1/catalog/products/{product_id} bek
products.delete DELETE /v1/catalog/products/{product_id} ek
products.getBySlug GET /v1/catalog/products/by-slug/{slug} es
brands.list GET /v1/catalog/brands es page,per_page,sort,cursor,slug brands
brands.create POST /v1/catalog/brands bek
brands.get GET /v1/catalog/brands/{brand_id} es
brands.replace PUT /v1/catalog/brands/{brand_id} bek
brands.update PATCH /v1/catalog/brands/{brand_id} bek
brands.delete DELETE /v1/catalog/brands/{brand_id} ek
partners.list GET /v1/catalog/partners es page,per_page,sort,cursor,slug,is_recommended,credit_active partners
partners.create POST /v1/catalog/partners bek
partners.get GET /v1/catalog/partners/{partner_id} es
partners.replace PUT /v1/catalog/partners/{partner_id} bek
partners.update PATCH /v1/catalog/partners/{partner_id} bek
partners.delete DELETE /v1/catalog/partners/{partner_id} ek
loanConditions.list GET /v1/catalog/loan-conditions es page,per_page,sort,cursor,partner_id,active loan_conditions
loanConditions.create POST /v1/catalog/loan-conditions bek
loanConditions.get GET /v1/catalog/loan-conditions/{loan_condition_id} es
loanConditions.replace PUT /v1/catalog/loan-conditions/{loan_condition_id} bek
loanConditions.update PATCH /v1/catalog/loan-conditions/{loan_condition_id} bek
loanConditions.delete DELETE /v1/catalog/loan-conditions/{loan_condition_id} ek
variants.list GET /v1/catalog/variants es page,per_page,sort,cursor,product_id variants
variants.create POST /v1/catalog/variants bek
variants.get GET /v1/catalog/variants/{variant_id} es
variants.replace PUT /v1/catalog/variants/{variant_id} bek
variants.update PATCH /v1/catalog/variants/{variant_id} bek
variants.delete DELETE /v1/catalog/variants/{variant_id} ek
offers.list GET /v1/catalog/offers es page,per_page,sort,cursor,product_id,variant_id,partner_id,is_active,is_visible,in_stock,low_stock,price_min,price_max offers
offers.create POST /v1/catalog/offers bek
offers.get GET /v1/catalog/offers/{offer_id} es
offers.replace PUT /v1/catalog/offers/{offer_id} bek
offers.update PATCH /v1/catalog/offers/{offer_id} bek
offers.delete DELETE /v1/catalog/offers/{offer_id} ek
moderatedOffers.list GET /v1/catalog/moderated-offers es page,per_page,sort,cursor,status,uuid,product_id,variant_id,partner_id,is_active,is_visible,in_stock,low_stock,price_min,price_max moderated_offers
moderatedOffers.create POST /v1/catalog/moderated-offers bek
moderatedOffers.get GET /v1/catalog/moderated-offers/{moderated_offer_id} es
moderatedOffers.replace PUT /v1/catalog/moderated-offers/{moderated_offer_id} bek
moderatedOffers.update PATCH /v1/catalog/moderated-offers/{moderated_offer_id} bek
moderatedOffers.delete DELETE /v1/catalog/moderated-offers/{moderated_offer_id} ek
regions.list GET /v1/catalog/regions es
deliveryMethods.list GET /v1/catalog/delivery-methods es page,per_page,sort,cursor,partner_id,kind,active delivery_methods
deliveryMethods.create POST /v1/catalog/delivery-methods bek
deliveryMethods.get GET /v1/catalog/delivery-methods/{delivery_method_id} es
deliveryMethods.replace PUT /v1/catalog/delivery-methods/{delivery_method_id} bek
deliveryMethods.update PATCH /v1/catalog/delivery-methods/{delivery_method_id} bek
deliveryMethods.delete DELETE /v1/catalog/delivery-methods/{delivery_method_id} ek
moderatedOffers.submit POST /v1/catalog/moderated-offers/{moderated_offer_id}/submit bek
moderatedOffers.approve POST /v1/catalog/moderated-offers/{moderated_offer_id}/approve bek
moderatedOffers.reject POST /v1/catalog/moderated-offers/{moderated_offer_id}/reject bek
moderatedOffers.getHistory GET /v1/catalog/moderated-offers/{moderated_offer_id}/history es
offers.listStockMovements GET /v1/catalog/offers/{offer_id}/stock-movements es page,per_page,sort,cursor movements
offers.createStockAdjustment POST /v1/catalog/offers/{offer_id}/stock-adjustments bek
moderatedOffers.listStockMovements GET /v1/catalog/moderated-offers/{moderated_offer_id}/stock-movements es page,per_page,sort,cursor movements
moderatedOffers.createStockAdjustment POST /v1/catalog/moderated-offers/{moderated_offer_id}/stock-adjustments bek
exchangeRates.list GET /v1/admin/exchange-rates es
exchangeRates.get GET /v1/admin/exchange-rates/{currency} es
exchangeRates.set PUT /v1/admin/exchange-rates/{currency} bek
exchangeRates.delete DELETE /v1/admin/exchange-rates/{currency} ek
search.getSynonyms GET /v1/admin/search/synonyms es
search.replaceSynonyms PUT /v1/admin/search/synonyms bek
search.listQueries GET /v1/admin/search/queries es page,per_page,sort,cursor,without_results queries
search.getLearning GET /v1/admin/search/learning es
search.updateLearning PATCH /v1/admin/search/learning bek
search.preview GET /v1/admin/search/preview es q,exact,per_page
shop.get GET /v1/catalog/shop es
shop.update PATCH /v1/admin/shop bek
promotions.list GET /v1/marketing/promotions es page,per_page,sort,cursor,running,slug,from,to promotions
promotions.create POST /v1/marketing/promotions bek
promotions.listConflicts GET /v1/marketing/promotions/conflicts es
promotions.get GET /v1/marketing/promotions/{promotion_id} es
promotions.replace PUT /v1/marketing/promotions/{promotion_id} bek
promotions.update PATCH /v1/marketing/promotions/{promotion_id} bek
promotions.delete DELETE /v1/marketing/promotions/{promotion_id} ek
promotions.end POST /v1/marketing/promotions/{promotion_id}/end ek
pictures.create POST /v1/catalog/pictures e
cart.get GET /api/cart/items es ClientId,SessionId
cart.addItem POST /api/cart/items bek
cart.clear DELETE /api/cart/items bek ClientId,SessionId
cart.removeItem DELETE /api/cart/items/{offerId} bek ClientId,SessionId
cart.setQuantity PATCH /api/cart/items/quantity bek
cart.setLoanCondition PATCH /api/cart/items/condition bek
cart.addModeratedItem POST /api/cart/moderated-items bek
cart.removeModeratedItem DELETE /api/cart/moderated-items/{moderatedOfferId} bek ClientId,SessionId
cart.setModeratedQuantity PATCH /api/cart/moderated-items/quantity bek
cart.setModeratedLoanCondition PATCH /api/cart/moderated-items/condition bek
cart.removeItems DELETE /api/cart/items/bulk bek ClientId,SessionId,OfferIds,ModeratedOfferIds
cart.merge POST /api/cart/merge-carts bek
miniAppCart.addItem POST /api/cart/mini-app/items bek
miniAppCart.get GET /api/cart/mini-app/items es ClientId,SessionId
miniAppCart.removeItem DELETE /api/cart/mini-app/items/{offerId} bek ClientId,SessionId
carts.create POST /v1/cart bek
carts.get GET /v1/cart/{cart_id} es
carts.addItem POST /v1/cart/{cart_id}/items bek
wishlist.get GET /api/wishlist es ClientId,SessionId
wishlist.addOffer POST /api/wishlist/offers bek
wishlist.removeAnyOffer DELETE /api/wishlist/offers bek OfferId,ModeratedOfferId,ClientId,SessionId
wishlist.removeOffer DELETE /api/wishlist/offers/{offerId} bek ClientId,SessionId
wishlist.merge POST /api/wishlist/merge-wishlists bek
sharedCarts.count GET /api/shared-carts/count es ClientId,SessionId,RequesterId
sharedCarts.get GET /api/shared-carts/{id} es ClientId,SessionId,RequesterId
sharedCarts.delete DELETE /api/shared-carts/{id} bek ClientId,SessionId,RequesterId
sharedCarts.create POST /api/shared-carts bek
sharedCarts.createJoinToken POST /api/shared-carts/{id}/join-token bek
sharedCarts.join POST /api/shared-carts/{id}/participants bek
sharedCarts.copyToCart POST /api/shared-carts/{id}/to-cart bek
sharedCarts.addItem POST /api/shared-carts/{id}/items bek
sharedCarts.removeAnyItem DELETE /api/shared-carts/{id}/items bek ClientId,SessionId,RequesterId,AddedBy,OfferId,ModeratedOfferId
sharedCarts.setQuantity PATCH /api/shared-carts/{id}/items/quantity bek
sharedCarts.removeItem DELETE /api/shared-carts/{id}/items/{offerId} bek ClientId,SessionId,RequesterId,AddedBy
cart.applyCoupon POST /api/cart/coupon bek
cart.removeCoupon DELETE /api/cart/coupon bek ClientId,SessionId
miniAppCart.applyCoupon POST /api/cart/mini-app/coupon bek
miniAppCart.removeCoupon DELETE /api/cart/mini-app/coupon bek ClientId,SessionId
carts.applyCoupon PUT /v1/cart/{cart_id}/coupon bek
carts.removeCoupon DELETE /v1/cart/{cart_id}/coupon ek
carts.list GET /v1/admin/carts es page,per_page,sort,cursor,buyer,unchanged_hours carts
coupons.list GET /v1/admin/coupons es page,per_page,sort,cursor,code coupons
coupons.create POST /v1/admin/coupons bek
coupons.get GET /v1/admin/coupons/{coupon_id} es
coupons.update PATCH /v1/admin/coupons/{coupon_id} bek
limits.get GET /v1/admin/limits es
limits.replace PUT /v1/admin/limits bek
limits.update PATCH /v1/admin/limits bek
offers.getStock GET /v1/catalog/offers/{offer_id}/stock es
moderatedOffers.getStock GET /v1/catalog/moderated-offers/{moderated_offer_id}/stock es
integrationEvents.receive POST /v1/integration-events bek
cart.order POST /api/cart/orders bek
cart.orderItems POST /api/cart/orders-v2 bek
miniAppCart.order POST /api/cart/mini-app/orders bek
orders.create POST /v1/orders bek
orders.list GET /v1/orders es page,per_page,sort,cursor,session_id,customer_id,partner_id,payment_method_id,checkout_id,status,payment_status,fulfilment_status,created_from,created_until orders
cart.listDeliveryMethods GET /api/cart/delivery es ClientId,SessionId,Region,OfferIds,ModeratedOfferIds
miniAppCart.listDeliveryMethods GET /api/cart/mini-app/delivery es ClientId,SessionId,Region,OfferIds,ModeratedOfferIds
carts.listDeliveryMethods GET /v1/cart/{cart_id}/delivery es region,offer_ids,moderated_offer_ids
auth.listAddresses GET /v1/auth/addresses es
auth.createAddress POST /v1/auth/addresses bek
auth.replaceAddress PUT /v1/auth/addresses/{address_id} bek
auth.deleteAddress DELETE /v1/auth/addresses/{address_id} ek
orders.getMetrics GET /v1/orders/metrics es from,to
products.listReviews GET /v1/catalog/products/{product_id}/reviews es page,per_page,sort,cursor reviews
auth.listReviews GET /v1/auth/reviews es page,per_page,sort,cursor reviews
auth.replaceReview PUT /v1/auth/reviews/{product_id} bek
auth.deleteReview DELETE /v1/auth/reviews/{product_id} ek
reviews.list GET /v1/admin/reviews es page,per_page,sort,cursor,status,product_id reviews
reviews.decide POST /v1/admin/reviews/{review_id}/decision bek
mandates.list GET /v1/mandates es page,per_page,sort,cursor,customer_id,status mandates
mandates.create POST /v1/mandates bek
mandates.get GET /v1/mandates/{mandate_id} es
mandates.revoke POST /v1/mandates/{mandate_id}/revoke ek
mandates.confirmOrder POST /v1/mandates/{mandate_id}/confirmations bek
mandates.listAll GET /v1/admin/mandates es page,per_page,sort,cursor,customer_id,application_id mandates
mandates.createForClient POST /v1/admin/mandates bek
mandates.revokeForClient POST /v1/admin/mandates/{mandate_id}/revoke ek
orders.getAllowance GET /v1/orders/allowance es customer_id
orders.get GET /v1/orders/{id} es session_id
orders.listEvents GET /v1/orders/{id}/events es session_id
orders.cancel POST /v1/orders/{id}/cancel bek session_id
orders.toCart POST /v1/orders/{id}/to-cart ek session_id
orders.listPayments GET /v1/orders/{id}/payments es session_id
orders.createPayment POST /v1/orders/{id}/payments bek session_id
orders.capturePayment POST /v1/orders/{id}/payments/{paymentId}/capture ek session_id
orders.voidPayment POST /v1/orders/{id}/payments/{paymentId}/void ek session_id
orders.createPaymentRefund POST /v1/orders/{id}/payments/{paymentId}/refunds bek session_id
orders.receiveCallback POST /v1/orders/callbacks/{acquirer} bek
orders.listFulfilments GET /v1/orders/{id}/fulfilments es session_id
orders.createFulfilment POST /v1/orders/{id}/fulfilments bek session_id
orders.shipFulfilment POST /v1/orders/{id}/fulfilments/{fulfilmentId}/ship bek session_id
orders.deliverFulfilment POST /v1/orders/{id}/fulfilments/{fulfilmentId}/deliver ek session_id
orders.cancelFulfilment POST /v1/orders/{id}/fulfilments/{fulfilmentId}/cancel ek session_id
orders.listReturns GET /v1/orders/{id}/returns es session_id
orders.createReturn POST /v1/orders/{id}/returns bek session_id
orders.receiveReturn POST /v1/orders/{id}/returns/{returnId}/receive bek session_id
orders.rejectReturn POST /v1/orders/{id}/returns/{returnId}/reject bek session_id
recommendations.forBuyer POST /offers/recommended/v3 bs
recommendations.forBuyerV2 POST /offers/recommended/v2 bs
recommendations.forBuyerV1 POST /offers/recommended bs
recommendations.forMobile POST /mobile/offers/recommended/v3 bs
recommendations.collaborative POST /mobile/cf/v1/recommended bs
recommendations.collaborativeBackend POST /api/gateway/web/offers/recommended-cf bs
recommendations.v2Backend POST /api/gateway/web/offers/recommended-v2 bs
recommendations.forCategory POST /mobile/recommended-offers/categories-page bs
recommendations.categoryBackend POST /api/gateway/categories-page/recommendations bs
recommendations.forWeb POST /api/gateway/catalog/recommended-offers/v3/web bs
recommendations.forWebClient POST /web/client/offers/recommended-v3 bs
recommendations.forMiniApp POST /web/client/miniapp/offers/recommended/v3/ bs
interactions.report POST /v1/interactions bek
models.list GET /v1/recommendations/models es
models.uploadRanker POST /v1/recommendations/models e
models.activate POST /v1/recommendations/models/{id}/activate ek
trainings.list GET /v1/recommendations/trainings es
trainings.start POST /v1/recommendations/trainings ek replaces_ranker
trainings.get GET /v1/recommendations/trainings/{id} es
models.importExternal POST /v1/recommendations/models/external en trained_until,alpha,regularisation
models.deleteExternal DELETE /v1/recommendations/models/external ek
trainingData.getInteractionsCsv GET /v1/recommendations/training-data/interactions.csv s from,to
trainingData.getFeaturesCsv GET /v1/recommendations/training-data/features.csv s days,until
trainingData.getInteractionsNdjson GET /v1/recommendations/training-data/interactions.ndjson s from,to
trainingData.getFeaturesNdjson GET /v1/recommendations/training-data/features.ndjson s days,until
recommendations.explain POST /v1/recommendations/explain bes
suggestions.list GET /v1/recommendations/suggestions es q,limit,user_id
recommendations.listRecentlyViewed GET /v1/recommendations/recently-viewed es customer_id,limit
experiments.list GET /v1/recommendations/experiments es page,per_page,sort,cursor,status experiments
experiments.create POST /v1/recommendations/experiments bek
experiments.get GET /v1/recommendations/experiments/{experiment_id} es
experiments.update PATCH /v1/recommendations/experiments/{experiment_id} bek
experiments.delete DELETE /v1/recommendations/experiments/{experiment_id} ek
experiments.start POST /v1/recommendations/experiments/{experiment_id}/start ek
experiments.stop POST /v1/recommendations/experiments/{experiment_id}/stop ek
experiments.getResults GET /v1/recommendations/experiments/{experiment_id}/results es
experiments.getAssignment GET /v1/recommendations/experiments/{experiment_id}/assignment es user_id
experiments.getOffPolicy GET /v1/recommendations/experiments/{experiment_id}/off-policy es group,model_id,method,reward,lists
recommendations.getMetrics GET /v1/recommendations/metrics es from,to
webhooks.list GET /v1/webhooks es page,per_page,sort,cursor,enabled webhooks
webhooks.create POST /v1/webhooks bek
webhooks.get GET /v1/webhooks/{webhook_id} es
webhooks.update PATCH /v1/webhooks/{webhook_id} bek
webhooks.delete DELETE /v1/webhooks/{webhook_id} ek
webhooks.rotateSecret POST /v1/webhooks/{webhook_id}/rotate-secret bek
webhooks.ping POST /v1/webhooks/{webhook_id}/ping ek
webhooks.enable POST /v1/webhooks/{webhook_id}/enable ek
webhooks.disable POST /v1/webhooks/{webhook_id}/disable ek
webhooks.listDeliveries GET /v1/webhooks/{webhook_id}/deliveries es page,per_page,sort,cursor,status,type,subject,event_id deliveries
webhooks.getDelivery GET /v1/webhooks/{webhook_id}/deliveries/{delivery_id} es
webhooks.redeliverDelivery POST /v1/webhooks/{webhook_id}/deliveries/{delivery_id}/redeliver ek
webhooks.redeliver POST /v1/webhooks/{webhook_id}/redeliver bek
events.list GET /v1/events es page,per_page,sort,cursor,type,subject,from,to events
events.stream GET /v1/events/stream s type,subject
events.get GET /v1/events/{event_id} es
campaigns.list GET /v1/marketing/campaigns es page,per_page,sort,cursor,state,channel campaigns
campaigns.create POST /v1/marketing/campaigns bek
campaigns.get GET /v1/marketing/campaigns/{campaign_id} es
campaigns.update PATCH /v1/marketing/campaigns/{campaign_id} bek
campaigns.delete DELETE /v1/marketing/campaigns/{campaign_id} ek
campaigns.start POST /v1/marketing/campaigns/{campaign_id}/start ek
campaigns.pause POST /v1/marketing/campaigns/{campaign_id}/pause ek
campaigns.resume POST /v1/marketing/campaigns/{campaign_id}/resume ek
campaigns.finish POST /v1/marketing/campaigns/{campaign_id}/finish ek
campaigns.preview POST /v1/marketing/campaigns/preview bes
campaigns.getPreview GET /v1/marketing/campaigns/{campaign_id}/preview es client_id
campaigns.getResults GET /v1/marketing/campaigns/{campaign_id}/results es
campaignRules.get GET /v1/marketing/campaign-rules es
campaignRules.update PATCH /v1/marketing/campaign-rules bek
templates.list GET /v1/marketing/templates es page,per_page,sort,cursor,channel,slug templates
templates.create POST /v1/marketing/templates bek
templates.get GET /v1/marketing/templates/{template_id} es
templates.update PATCH /v1/marketing/templates/{template_id} bek
templates.delete DELETE /v1/marketing/templates/{template_id} ek
templates.listVersions GET /v1/marketing/templates/{template_id}/versions es
templateVariables.list GET /v1/marketing/template-variables es
templates.preview POST /v1/marketing/templates/{template_id}/preview bek
notifications.list GET /v1/marketing/notifications es page,per_page,sort,cursor,status,channel,category,client_id,campaign_id,template,key notifications
notifications.create POST /v1/marketing/notifications bek
notifications.get GET /v1/marketing/notifications/{notification_id} es
notifications.retry POST /v1/marketing/notifications/{notification_id}/retry ek
notifications.cancel POST /v1/marketing/notifications/{notification_id}/cancel ek
notifications.markDelivered POST /v1/marketing/notifications/{notification_id}/delivered ek
consents.list GET /v1/marketing/consents es page,per_page,sort,cursor,client_id,address,channel,granted consents
consents.set PUT /v1/marketing/consents bek
consents.get GET /v1/marketing/consents/{consent_id} es
auth.listSubscriptions GET /v1/auth/subscriptions es
auth.updateSubscriptions PATCH /v1/auth/subscriptions bek
auth.listDevices GET /v1/auth/devices es
auth.createDevice POST /v1/auth/devices bek
auth.deleteDevice DELETE /v1/auth/devices/{device_id} ek
records.import POST /v1/catalog/import en strict,dry_run,record
records.export GET /v1/catalog/export s records
jobs.list GET /v1/admin/jobs es
jobs.listRuns GET /v1/admin/jobs/{name}/runs es
jobs.run POST /v1/admin/jobs/{name}/run ek
deadLetters.list GET /v1/admin/dead-letters es
deadLetters.retry POST /v1/admin/dead-letters/{sequence}/{reaction}/retry ek
health.get GET /v1/admin/health es
testClock.get GET /v1/test/clock es
testClock.advance POST /v1/test/clock bek
testClock.reset DELETE /v1/test/clock ek`
