// How the reference is ordered: groups, the things in them, and the paths that belong to each.

interface Tag {
  group: string
  name: string
  description: string
}

// A path belongs to the first row whose beginning it has, so the longer ones stand first.
// oxfmt-ignore
const rows: [prefix: string, group: string, name: string, description: string][] = [
  ['/v1/catalog/categories',       'Catalog', 'Categories', 'The tree that shoppers walk down.'],
  ['/v1/catalog/brands',           'Catalog', 'Brands', 'Who made it.'],
  ['/v1/catalog/partners',         'Catalog', 'Partners', 'Who sells it.'],
  ['/v1/catalog/products',         'Catalog', 'Products', 'What is sold: a thing with a name, pictures and variants.'],
  ['/v1/catalog/variants',         'Catalog', 'Variants', 'A product in one colour, size or memory.'],
  ['/v1/catalog/offers',           'Catalog', 'Offers', 'A product of one partner at one price, with a stock.'],
  ['/v1/catalog/moderated-offers', 'Catalog', 'Moderated offers', 'Offers that a person has to look at before they are sold.'],
  ['/v1/catalog/loan-conditions',  'Catalog', 'Loan conditions', 'Instalments that partners grant.'],
  ['/v1/catalog',                  'Catalog', 'Catalog', 'What goes across the whole catalog.'],

  ['/v1/cart',                     'Cart', 'Carts', 'A buyer\'s cart, by product and variant.'],
  ['/api/cart/orders',             'Orders', 'Ordering', 'From the cart to orders, one per partner.'],
  ['/api/cart/mini-app',           'Cart', 'Mini-app cart', 'The cart in the short form that the mini-app shows.'],
  ['/api/cart/moderated-items',    'Cart', 'Moderated items', 'Moderated offers in a cart.'],
  ['/api/cart',                    'Cart', 'Cart items', 'A buyer\'s cart, by offer.'],
  ['/api/wishlist',                'Cart', 'Wishlists', 'What a buyer wants to remember.'],
  ['/api/shared-carts',            'Cart', 'Shared carts', 'A cart that several people fill.'],

  ['/v1/orders',                   'Orders', 'Orders', 'Orders, their payments, their fulfilment and their returns.'],

  ['/v1/marketing/promotions',     'Marketing', 'Promotions', 'Discounts and loan conditions for a time.'],
  ['/v1/marketing/campaign',       'Marketing', 'Campaigns', 'Who is told what, and when.'],
  ['/v1/marketing',                'Marketing', 'Notifications', 'What was sent, to whom, and with which template.'],

  ['/v1/interactions',             'Recommendations', 'Interactions', 'What people looked at, clicked and bought.'],
  ['/v1/recommendations',          'Recommendations', 'Models', 'Models, training, metrics and experiments.'],
  ['/api/gateway',                 'Recommendations', 'Recommendation backends', 'The calls behind the gateway.'],
  ['/offers',                      'Recommendations', 'Recommended offers', 'What to show this buyer here.'],
  ['/mobile',                      'Recommendations', 'Recommended offers', 'What to show this buyer here.'],
  ['/web',                         'Recommendations', 'Recommended offers', 'What to show this buyer here.'],

  ['/v1/webhooks',                 'Events', 'Webhooks', 'Where facts are delivered, and how that went.'],
  ['/v1/events',                   'Events', 'Events', 'Every fact of the shop, as a list and as a stream.'],
  ['/v1/integration-events',       'Events', 'Incoming events', 'Facts that others tell the shop.'],

  ['/v1/auth',                     'Identity', 'Sign-in', 'Buyers with a password, and guests.'],
  ['/v1/admin/applications',       'Administration', 'Applications and keys', 'Who may call, with which keys, and what they may do.'],
  ['/v1/admin/keys',               'Administration', 'Applications and keys', 'Who may call, with which keys, and what they may do.'],
  ['/v1/admin/members',            'Administration', 'Members', 'People who may open the dashboard.'],
  ['/v1/admin/sessions',           'Administration', 'Members', 'People who may open the dashboard.'],
  ['/v1/admin/me',                 'Administration', 'Members', 'People who may open the dashboard.'],
  ['/v1/admin/audit-log',          'Administration', 'Audit log', 'Who changed what.'],
  ['/v1/admin/jobs',               'Administration', 'Jobs', 'Work that runs on a schedule.'],
  ['/v1/admin/dead-letters',       'Administration', 'Failed reactions', 'Events that a module could not act on, to look at and to try again.'],
  ['/v1/admin',                    'Administration', 'Administration', 'What operators set and look at.'],
  ['/v1/test',                     'Test environment', 'Test clock', 'A clock that test keys can move, so that you need not wait.'],
  ['/',                            'Other', 'Other', 'What belongs nowhere else.'],
]

const tagRow = (path: string) => rows.find(([prefix]) => path.startsWith(prefix))!

export const tagOf = (path: string): string => tagRow(path)[2]

/** Tags of these paths in the order of the table, each once. */
export function tagsOf(paths: string[]): Tag[] {
  const used = new Set(paths.map(tagRow))
  const tags = new Map<string, Tag>()
  for (const row of rows) {
    const [, group, name, description] = row
    if (used.has(row) && !tags.has(name)) tags.set(name, { group, name, description })
  }
  return [...tags.values()]
}
