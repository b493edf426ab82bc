// The recommendation calls, made from the table of channels.

import { elapsedMs } from '../base/clock.ts'
import type { Environment } from '../base/db.ts'
import { timedUuid } from '../base/random.ts'
import type { Catalog } from '../catalog/index.ts'
import { ask, type Route } from '../http/route.ts'
import { askOf } from './channels/ask-of.ts'
import { bodyOf, type Channel, channels, type Settings } from './channels/channels.ts'
import { OfferPrinter } from './channels/print-offers.ts'
import { interactionRoutes } from './behaviour/routes.ts'
import type { ListLog } from './experiments/list-log.ts'
import type { RunningExperiments } from './experiments/running-experiments.ts'
import type { ModelKeeper } from './model-keeper.ts'
import { recommend } from './recommend.ts'

const deprecatedSince = new Date('2026-01-01T00:00:00Z')

export interface Counter {
  goods: Catalog
  models: Record<Environment, ModelKeeper>
  experiments: Record<Environment, RunningExperiments>
  lists: Record<Environment, ListLog>
  settings: Settings
}

export function recommendationRoutes(counter: Counter): Route[] {
  const printer = new OfferPrinter(counter.settings)
  return [...channels.map((channel) => routeOf(channel, { ...counter, printer })), ...interactionRoutes]
}

function routeOf(
  channel: Channel,
  { goods, models, experiments, lists, settings, printer }: Counter & { printer: OfferPrinter },
): Route {
  const { path, summary, status, offer, wrapper } = channel
  return ask(path, {
    summary,
    status,
    description: `Status: ${status}. The reply’s \`X-Recommendation-Id\` names the list in what you report of it.`,
    scope: settings.requireKey ? 'catalog:read' : null,
    body: bodyOf(channel, settings),
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
      const began = elapsedMs()
      const id = timedUuid(read.now)
      const asked = askOf(channel, sent as object, call, settings)
      const { environment } = call
      const { serving } = models[environment]
      const desk = { goods, environment, serving, experiments: experiments[environment] }
      const answered = await recommend(read, asked, desk)
      const { offers, source } = answered
      const tookMs = elapsedMs() - began
      lists[environment].note({ id, at: read.now, asked, tookMs, ...answered })
      const named = source === 'collaborative_filtering' ? channel.cfSource : source
      return {
        json: printer.reply(channel, { offers, source: named }, call),
        headers: { 'x-recommendation-id': id },
      }
    },
  })
}
