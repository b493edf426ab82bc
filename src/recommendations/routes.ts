// The recommendation calls, made from the table of channels.

import type { Environment } from '../base/db.ts'
import { timedUuid } from '../base/random.ts'
import type { Catalog } from '../catalog/index.ts'
import { ask, type Route } from '../http/route.ts'
import { askOf } from './channels/ask-of.ts'
import type { Sent } from './channels/bodies.ts'
import { type Channel, channels, type Settings } from './channels/channels.ts'
import { interactionRoutes } from './behaviour/routes.ts'
import type { ModelKeeper } from './model-keeper.ts'
import { recommend } from './recommend.ts'

const deprecatedSince = new Date('2026-01-01T00:00:00Z')

export interface Counter {
  goods: Catalog
  models: Record<Environment, ModelKeeper>
  settings: Settings
}

export const recommendationRoutes = (counter: Counter): Route[] => [
  ...channels.map((channel) => routeOf(channel, counter)),
  ...interactionRoutes,
]

function routeOf(channel: Channel, { goods, models, settings }: Counter): Route {
  const { path, summary, status, body, offer, wrapper } = channel
  return ask(path, {
    summary,
    status,
    description: `Status: ${status}. The reply’s \`X-Recommendation-Id\` names the list in what you report of it.`,
    scope: settings.requireKey ? 'catalog:read' : null,
    body,
    reply: wrapper.shape(offer.shape),
    shed: 'first',
    ...(status === 'deprecated' && {
      deprecated: {
        since: deprecatedSince,
        ...(settings.r3Sunset && { sunset: settings.r3Sunset }),
        successor: '/offers/recommended/v3',
      },
    }),
    run: async ({ read, body: sent, ...call }) => {
      const id = timedUuid(read.now)
      const asked = askOf(channel, sent as Sent, call, settings)
      const { environment } = call
      const { serving } = models[environment]
      const { offers, source } = await recommend(read, asked, { goods, environment, serving })
      const named = source === 'collaborative_filtering' ? channel.cfSource : source
      const shown = offers.map((it) => offer.view(it, call))
      return { data: wrapper.wrap(shown, named, settings) as never, headers: { 'x-recommendation-id': id } }
    },
  })
}
