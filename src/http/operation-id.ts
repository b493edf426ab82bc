// Names of operations: `resource.verb`. The OpenAPI document, the SDK and the reference pages share them.

/** Names that the general rule does not produce. */
const exceptions: Record<string, string> = {
  'GET /v1/catalog/products/search': 'products.search',
  'GET /v1/catalog/products/by-slug/{slug}': 'products.getBySlug',
  'GET /v1/catalog/categories/by-slug/{slug}': 'categories.getBySlug',
  'GET /v1/catalog/products/suggest': 'products.suggest',
  'POST /v1/catalog/import': 'records.import',
  'GET /v1/catalog/export': 'records.export',
  'PUT /v1/admin/exchange-rates/{currency}': 'exchangeRates.set',
  'POST /offers/recommended/v3': 'recommendations.forBuyer',
  'POST /offers/recommended/v2': 'recommendations.forBuyerV2',
  'POST /offers/recommended': 'recommendations.forBuyerV1',
  'POST /mobile/offers/recommended/v3': 'recommendations.forMobile',
  'POST /mobile/cf/v1/recommended': 'recommendations.collaborative',
  'POST /mobile/recommended-offers/categories-page': 'recommendations.forCategory',
  'POST /web/client/offers/recommended-v3': 'recommendations.forWebClient',
  'POST /web/client/miniapp/offers/recommended/v3/': 'recommendations.forMiniApp',
  'POST /api/gateway/web/offers/recommended-cf': 'recommendations.collaborativeBackend',
  'POST /api/gateway/web/offers/recommended-v2': 'recommendations.v2Backend',
  'POST /api/gateway/categories-page/recommendations': 'recommendations.categoryBackend',
  'POST /api/gateway/catalog/recommended-offers/v3/web': 'recommendations.forWeb',
  'POST /v1/interactions': 'interactions.report',
  'POST /v1/recommendations/explain': 'recommendations.explain',
  'POST /v1/recommendations/models/external': 'models.importExternal',
  'DELETE /v1/recommendations/models/external': 'models.deleteExternal',
  'GET /v1/recommendations/experiments/{experiment_id}/results': 'experiments.getResults',
  'GET /v1/marketing/campaigns/{campaign_id}/results': 'campaigns.getResults',
  'POST /v1/marketing/notifications/{notification_id}/delivered': 'notifications.markDelivered',
  'GET /v1/recommendations/recently-viewed': 'recommendations.listRecentlyViewed',
  'GET /v1/recommendations/metrics': 'recommendations.getMetrics',
  'GET /v1/orders/metrics': 'orders.getMetrics',
  'POST /v1/recommendations/models': 'models.uploadRanker',
  'POST /v1/recommendations/trainings': 'trainings.start',
  'POST /v1/integration-events': 'integrationEvents.receive',
  'GET /v1/auth/me': 'auth.getProfile',
  'PATCH /v1/auth/me': 'auth.updateProfile',
  'POST /v1/auth/register': 'auth.register',
  'POST /v1/auth/login': 'auth.login',
  'POST /v1/auth/logout': 'auth.logout',
  'POST /v1/auth/guest-session': 'auth.createGuestSession',
  'POST /v1/auth/password': 'auth.changePassword',
  'POST /v1/auth/password-reset': 'auth.requestPasswordReset',
  'POST /v1/auth/password-reset/complete': 'auth.completePasswordReset',
  'PATCH /v1/auth/subscriptions': 'auth.updateSubscriptions',
  'GET /v1/admin/usage': 'applications.getHourlyUsage',
  'GET /v1/admin/me': 'members.getMe',
  'PATCH /v1/admin/me': 'members.updateMe',
  'POST /v1/admin/me/password': 'members.changeMyPassword',
  'GET /v1/admin/me/two-step': 'members.getTwoStep',
  'POST /v1/admin/me/two-step': 'members.beginTwoStep',
  'POST /v1/admin/me/two-step/confirm': 'members.confirmTwoStep',
  'POST /v1/admin/me/two-step/recovery-codes': 'members.renewRecoveryCodes',
  'DELETE /v1/admin/me/two-step': 'members.disableTwoStep',
  'DELETE /v1/admin/members/{member_id}/two-step': 'members.removeTwoStep',
  'POST /v1/admin/sessions': 'memberSessions.create',
  'GET /v1/admin/sessions': 'memberSessions.list',
  'DELETE /v1/admin/sessions': 'memberSessions.deleteAll',
  'DELETE /v1/admin/sessions/current': 'memberSessions.deleteCurrent',
  'DELETE /v1/admin/sessions/{session_id}': 'memberSessions.delete',
  'POST /v1/admin/password-reset': 'memberSessions.requestPasswordReset',
  'POST /v1/admin/password-reset/complete': 'memberSessions.completePasswordReset',
  'POST /v1/admin/password-resets/{reset_id}/token': 'passwordResets.createToken',
  'DELETE /v1/admin/clients/{client_id}/sessions': 'clients.deleteSessions',
  'GET /v1/admin/request-log': 'requestLog.list',
  'GET /v1/admin/search/preview': 'search.preview',
  'GET /v1/admin/search/synonyms': 'search.getSynonyms',
  'PUT /v1/admin/search/synonyms': 'search.replaceSynonyms',
  'POST /v1/admin/reviews/{review_id}/decision': 'reviews.decide',
  'GET /v1/admin/limits': 'limits.get',
  'GET /v1/catalog/shop': 'shop.get',
  'GET /v1/admin/health': 'health.get',
  'GET /v1/admin/carts': 'carts.list',
  'GET /v1/admin/members/rules': 'members.getRules',
  'PATCH /v1/admin/members/rules': 'members.updateRules',
  'PUT /v1/admin/limits': 'limits.replace',
  'PATCH /v1/admin/limits': 'limits.update',
  'GET /v1/marketing/campaign-rules': 'campaignRules.get',
  'PATCH /v1/marketing/campaign-rules': 'campaignRules.update',
  'PUT /v1/marketing/consents': 'consents.set',
  'GET /api/cart/items': 'cart.get',
  'POST /api/cart/items': 'cart.addItem',
  'DELETE /api/cart/items': 'cart.clear',
  'DELETE /api/cart/items/bulk': 'cart.removeItems',
  'DELETE /api/cart/items/{offerId}': 'cart.removeItem',
  'PATCH /api/cart/items/quantity': 'cart.setQuantity',
  'PATCH /api/cart/items/condition': 'cart.setLoanCondition',
  'POST /api/cart/moderated-items': 'cart.addModeratedItem',
  'DELETE /api/cart/moderated-items/{moderatedOfferId}': 'cart.removeModeratedItem',
  'PATCH /api/cart/moderated-items/quantity': 'cart.setModeratedQuantity',
  'PATCH /api/cart/moderated-items/condition': 'cart.setModeratedLoanCondition',
  'POST /api/cart/merge-carts': 'cart.merge',
  'POST /api/cart/orders': 'cart.order',
  'POST /api/cart/orders-v2': 'cart.orderItems',
  'GET /api/cart/delivery': 'cart.listDeliveryMethods',
  'GET /api/cart/mini-app/delivery': 'miniAppCart.listDeliveryMethods',
  'GET /v1/cart/{cart_id}/delivery': 'carts.listDeliveryMethods',
  'POST /api/cart/mini-app/orders': 'miniAppCart.order',
  'GET /api/cart/mini-app/items': 'miniAppCart.get',
  'POST /api/cart/mini-app/items': 'miniAppCart.addItem',
  'DELETE /api/cart/mini-app/items/{offerId}': 'miniAppCart.removeItem',
  'POST /api/cart/coupon': 'cart.applyCoupon',
  'DELETE /api/cart/coupon': 'cart.removeCoupon',
  'POST /api/cart/mini-app/coupon': 'miniAppCart.applyCoupon',
  'DELETE /api/cart/mini-app/coupon': 'miniAppCart.removeCoupon',
  'PUT /v1/cart/{cart_id}/coupon': 'carts.applyCoupon',
  'DELETE /v1/cart/{cart_id}/coupon': 'carts.removeCoupon',
  'POST /v1/cart': 'carts.create',
  'GET /v1/cart/{cart_id}': 'carts.get',
  'POST /v1/cart/{cart_id}/items': 'carts.addItem',
  'GET /api/wishlist': 'wishlist.get',
  'POST /api/wishlist/offers': 'wishlist.addOffer',
  'DELETE /api/wishlist/offers/{offerId}': 'wishlist.removeOffer',
  'POST /api/wishlist/merge-wishlists': 'wishlist.merge',
  'GET /api/shared-carts/count': 'sharedCarts.count',
  'POST /api/shared-carts/{id}/join-token': 'sharedCarts.createJoinToken',
  'POST /api/shared-carts/{id}/participants': 'sharedCarts.join',
  'POST /api/shared-carts/{id}/to-cart': 'sharedCarts.copyToCart',
  'POST /api/shared-carts/{id}/items': 'sharedCarts.addItem',
  'DELETE /api/shared-carts/{id}/items': 'sharedCarts.removeAnyItem',
  'DELETE /api/wishlist/offers': 'wishlist.removeAnyOffer',
  'DELETE /api/shared-carts/{id}/items/{offerId}': 'sharedCarts.removeItem',
  'PATCH /api/shared-carts/{id}/items/quantity': 'sharedCarts.setQuantity',
  'GET /v1/orders/allowance': 'orders.getAllowance',
  'POST /v1/orders/callbacks/{acquirer}': 'orders.receiveCallback',
  'POST /v1/mandates/{mandate_id}/confirmations': 'mandates.confirmOrder',
  'GET /v1/admin/mandates': 'mandates.listAll',
  'POST /v1/admin/mandates': 'mandates.createForClient',
  'POST /v1/admin/mandates/{mandate_id}/revoke': 'mandates.revokeForClient',
  'GET /v1/events/stream': 'events.stream',
  'GET /v1/test/clock': 'testClock.get',
  'POST /v1/test/clock': 'testClock.advance',
  'DELETE /v1/test/clock': 'testClock.reset',
  'POST /v1/admin/dead-letters/{sequence}/{reaction}/retry': 'deadLetters.retry',
}

/** Path prefixes that group resources and are no resources themselves. */
const groups = ['v1', 'api', 'catalog', 'admin', 'marketing', 'recommendations']
const plainVerbs: Record<string, string> = { PUT: 'replace', PATCH: 'update', DELETE: 'delete' }

/** The name of an operation, such as `orders.capturePayment`. */
export function operationId(method: string, path: string): string {
  const exception = exceptions[`${method} ${path}`]
  if (exception) return exception
  const segments = path.split('/').filter(Boolean)
  while (segments.length > 1 && groups.includes(segments[0]!) && !isParameter(segments[1]!)) segments.shift()
  const [resource = '', ...rest] = segments
  const endsWithId = isParameter(segments.at(-1)!)
  const nouns = rest.filter((it) => !isParameter(it))
  return `${camelCase(resource)}.${verbOf(method, nouns, endsWithId)}`
}

const isParameter = (segment: string): boolean => segment.startsWith('{')

function verbOf(method: string, nouns: string[], endsWithId: boolean): string {
  const owners = nouns.slice(0, -1).map(singular)
  const last = nouns.at(-1)
  if (last === undefined) {
    if (method === 'GET') return endsWithId ? 'get' : 'list'
    return method === 'POST' ? 'create' : plainVerbs[method]!
  }
  if (method === 'GET') {
    const isList = last.endsWith('s') && !endsWithId
    return camelCase([isList ? 'list' : 'get', ...owners, endsWithId ? singular(last) : last].join('-'))
  }
  if (method === 'POST')
    return camelCase(
      last.endsWith('s') ? ['create', ...owners, singular(last)].join('-') : [last, ...owners].join('-'),
    )
  return camelCase([plainVerbs[method]!, ...owners, singular(last)].join('-'))
}

export const singular = (noun: string): string =>
  noun
    .replace(/ies$/, 'y')
    .replace(/sses$/, 'ss')
    .replace(/([^s])s$/, '$1')

const camelCase = (text: string): string =>
  text.replace(/[-_.](\w)/g, (_, letter: string) => letter.toUpperCase())
