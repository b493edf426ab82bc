// How the reference groups operations.

import type { TagRow } from '../http/openapi.ts'

export const about = `One API for a shop: catalog, carts, orders, marketing and recommendations.

Replies have an envelope: \`success\`, \`data\` and \`meta\`, or \`error\` and \`meta\`. Error codes never change; messages follow \`Accept-Language\` (ru, uz, en). Every write accepts an \`Idempotency-Key\`: the same key with the same request returns the same bytes for 24 hours. \`Prefer: dry-run\` runs a write and rolls it back. Lists have pages and cursors. Money is a whole number of tiyin (1 sum = 100 tiyin); instants are in UTC.`

const tag = (prefix: string, group: string, name: string, description: string): TagRow => ({
  prefix,
  group,
  name,
  description,
})

// A path belongs to the first row that matches, so longer prefixes come first. The menu follows the first row of each name.
// oxfmt-ignore
export const tags: readonly TagRow[] = [
  tag('/v1/catalog/categories',           'Catalog', 'Categories', 'The category tree.'),
  tag('/v1/catalog/brands',               'Catalog', 'Brands', 'Manufacturers.'),
  tag('/v1/catalog/partners',             'Catalog', 'Partners', 'Sellers on the marketplace.'),
  tag('/v1/catalog/products',             'Catalog', 'Products', 'What is described and searched: title, pictures, attributes, variants.'),
  tag('/v1/catalog/variants',             'Catalog', 'Variants', 'Forms of a product that can be chosen, such as a colour or a size.'),
  tag('/v1/catalog/offers',               'Catalog', 'Offers', 'A product that a partner sells at a price, with stock.'),
  tag('/v1/catalog/moderated-offers',     'Catalog', 'Moderated offers', 'Offers that an operator approves before they can be sold.'),
  tag('/v1/catalog/loan-conditions',      'Catalog', 'Loan conditions', 'Terms under which partners sell in instalments.'),
  tag('/v1/catalog',                      'Catalog', 'Catalog', 'Operations on the whole catalog.'),

  tag('/v1/cart',                         'Cart', 'Carts', 'A buyer’s cart, addressed by product and variant.'),

  tag('/api/cart/orders',                 'Orders', 'Ordering', 'Turns a cart into orders, one per partner.'),

  tag('/api/cart/mini-app',               'Cart', 'Mini-app cart', 'The short form of the cart for the mini-app.'),
  tag('/api/cart/moderated-items',        'Cart', 'Moderated items', 'Moderated offers in a cart.'),
  tag('/api/cart',                        'Cart', 'Cart items', 'A buyer’s cart, addressed by offer.'),
  tag('/api/wishlist',                    'Cart', 'Wishlists', 'Products that a buyer saves for later.'),
  tag('/api/shared-carts',                'Cart', 'Shared carts', 'A cart that several buyers fill.'),

  tag('/v1/orders/metrics',                 'Orders', 'Orders', 'Orders: placing, reading and cancelling them; their states and history.'),
  tag('/v1/orders/{id}/payments',           'Orders', 'Payments', 'Payments of orders: cards, instalments, refunds, and callbacks of acquirers.'),
  tag('/v1/orders/callbacks',               'Orders', 'Payments', 'Payments of orders: cards, instalments, refunds, and callbacks of acquirers.'),
  tag('/v1/orders/{id}/fulfilments',        'Orders', 'Fulfilment', 'Parcels of an order, from packing to delivery.'),
  tag('/v1/orders/{id}/returns',            'Orders', 'Returns', 'Units that buyers send back.'),
  tag('/v1/orders',                         'Orders', 'Orders', 'Orders: placing, reading and cancelling them; their states and history.'),

  tag('/v1/mandates',                     'Orders', 'Mandates', 'What applications such as agents may order for a client.'),
  tag('/v1/admin/mandates',               'Orders', 'Mandates', 'What applications such as agents may order for a client.'),

  tag('/v1/marketing/promotions',         'Marketing', 'Promotions', 'Discounts and loan conditions for a period.'),
  tag('/v1/marketing/campaign',           'Marketing', 'Campaigns', 'Messages to audiences, by schedule or trigger.'),
  tag('/v1/marketing',                    'Marketing', 'Notifications', 'Sent messages and their templates.'),

  tag('/v1/interactions',                 'Recommendations', 'Interactions', 'Views, clicks and purchases of buyers.'),
  tag('/v1/recommendations/experiments',    'Recommendations', 'Experiments', 'Groups of buyers get different lists, and the results are compared.'),
  tag('/v1/recommendations/suggestions',    'Recommendations', 'Recommended offers', 'Offers to show to a buyer in a place.'),
  tag('/v1/recommendations/recently-viewed', 'Recommendations', 'Recommended offers', 'Offers to show to a buyer in a place.'),
  tag('/v1/recommendations',                'Recommendations', 'Models', 'Models, training, training data, metrics and explanations.'),
  tag('/api/gateway',                     'Recommendations', 'Recommendation backends', 'The calls behind the gateway.'),
  tag('/offers',                          'Recommendations', 'Recommended offers', 'Offers to show to a buyer in a place.'),
  tag('/mobile',                          'Recommendations', 'Recommended offers', 'Offers to show to a buyer in a place.'),
  tag('/web',                             'Recommendations', 'Recommended offers', 'Offers to show to a buyer in a place.'),

  tag('/v1/webhooks',                     'Events', 'Webhooks', 'Endpoints that receive events, and the log of deliveries.'),
  tag('/v1/events',                       'Events', 'Events', 'All events of the shop, as a list and as a stream.'),
  tag('/v1/integration-events',           'Events', 'Incoming events', 'Events from other systems.'),

  tag('/v1/auth/register',                  'Identity', 'Sign-in', 'Accounts, sessions and guest sessions of buyers.'),
  tag('/v1/auth/me',                        'Identity', 'Buyer profile', 'What a signed-in buyer keeps: profile, addresses, reviews, subscriptions, devices, consents.'),
  tag('/v1/auth/addresses',                 'Identity', 'Buyer profile', 'What a signed-in buyer keeps: profile, addresses, reviews, subscriptions, devices, consents.'),
  tag('/v1/auth/reviews',                   'Identity', 'Buyer profile', 'What a signed-in buyer keeps: profile, addresses, reviews, subscriptions, devices, consents.'),
  tag('/v1/auth/subscriptions',             'Identity', 'Buyer profile', 'What a signed-in buyer keeps: profile, addresses, reviews, subscriptions, devices, consents.'),
  tag('/v1/auth/devices',                   'Identity', 'Buyer profile', 'What a signed-in buyer keeps: profile, addresses, reviews, subscriptions, devices, consents.'),
  tag('/v1/auth/consents',                  'Identity', 'Buyer profile', 'What a signed-in buyer keeps: profile, addresses, reviews, subscriptions, devices, consents.'),
  tag('/v1/auth',                           'Identity', 'Sign-in', 'Accounts, sessions and guest sessions of buyers.'),

  tag('/v1/admin/applications',           'Administration', 'Applications and keys', 'Applications, their keys and scopes.'),
  tag('/v1/admin/keys',                   'Administration', 'Applications and keys', 'Applications, their keys and scopes.'),
  tag('/v1/admin/usage',                  'Administration', 'Applications and keys', 'Applications, their keys and scopes.'),
  tag('/v1/admin/members',                'Administration', 'Members', 'People who use the dashboard.'),
  tag('/v1/admin/sessions',                 'Administration', 'Member sessions', 'How members of the dashboard sign in, and what they change about themselves.'),
  tag('/v1/admin/me',                       'Administration', 'Member sessions', 'How members of the dashboard sign in, and what they change about themselves.'),
  tag('/v1/admin/audit-log',              'Administration', 'Audit log', 'What members and keys changed.'),
  tag('/v1/admin/jobs',                   'Administration', 'Jobs', 'Scheduled work.'),
  tag('/v1/admin/dead-letters',           'Administration', 'Failed reactions', 'Events that a module failed to handle, to inspect and retry.'),
  tag('/v1/admin/password-resets',        'Administration', 'Clients', 'Buyers with an account: their data and sessions, merging and erasure.'),
  tag('/v1/admin/password-reset',           'Administration', 'Member sessions', 'How members of the dashboard sign in, and what they change about themselves.'),
  tag('/v1/admin/clients',                'Administration', 'Clients', 'Buyers with an account: their data and sessions, merging and erasure.'),
  tag('/v1/admin/search',                 'Administration', 'Search settings', 'Synonyms, what search has learned, and why it finds what it finds.'),
  tag('/v1/admin/coupons',                'Marketing', 'Coupons', 'Codes that buyers enter for a discount.'),
  tag('/v1/admin',                        'Administration', 'Administration', 'Settings and figures for operators.'),

  tag('/v1/test',                         'Test environment', 'Test clock', 'A clock for tests: move it forward instead of waiting.'),

  tag('/',                                'Other', 'Other', 'Everything else.'),
]

/** The last part of the address of a tag's page. */
export const slugOf = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
