// Templates that the shop itself writes with when something happens, and what they can be given then: one that wants more
// could never be sent, so it is not saved.

const order = [
  'order.id',
  'order.total',
  'order.address',
  'order.lines',
  'order.carrier',
  'order.tracking_number',
]
const always = ['client.name', 'shop.url']

export const houseTemplates = {
  'order-placed': [...always, ...order],
  'order-shipped': [...always, ...order],
} as const satisfies Record<string, readonly string[]>

/** What a template may use by its slug; undefined when that is for its sender to say. */
export const givenTo = (slug: string): readonly string[] | undefined =>
  Object.hasOwn(houseTemplates, slug) ? houseTemplates[slug as keyof typeof houseTemplates] : undefined
