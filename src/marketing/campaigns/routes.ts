// The paths of campaigns.

import { Type } from 'typebox'
import type { Tx } from '../../base/db.ts'
import { listingOf, listQuery, pagination, paginationView } from '../../http/listing.ts'
import { del, get, patch, post, type Route } from '../../http/route.ts'
import { changes, idText, list, oneOf } from '../../http/schema.ts'
import { findRules } from '../store/campaign-rules.ts'
import { campaignSorts, listCampaigns } from '../store/campaigns.ts'
import { channels } from '../templates/template.ts'
import { type Campaign, campaignStates } from './campaign.ts'
import { campaignResults } from './campaign-results.ts'
import { changeCampaign } from './change-campaign.ts'
import { createCampaign } from './create-campaign.ts'
import { deleteCampaign } from './delete-campaign.ts'
import { foundCampaign, holdCampaign } from './hold-campaign.ts'
import { finishCampaign, pauseCampaign, resumeCampaign, startCampaign } from './move-campaign.ts'
import { previewAudience, previewMessage } from './preview-campaign.ts'
import type { House } from './refuse-unfit.ts'
import { setRules } from './set-rules.ts'
import { type CampaignSettings, workbenchOf, type Workbench } from './work-on.ts'
import * as wire from './wire.ts'

const params = { campaign_id: idText }
const path = '/v1/marketing/campaigns/{campaign_id}'
const oneCampaign = Type.Object({ campaign: wire.campaignReply })
const answer = (it: Campaign) => ({ data: { campaign: wire.campaignView(it) }, version: it.version })

export const campaignRoutes = (config: CampaignSettings): Route[] => {
  const bench = workbenchOf(config)
  return [
    ...readingRoutes,
    ...writingRoutes(config),
    ...stepRoutes(config),
    ...insightRoutes(bench),
    ...rulesRoutes,
  ]
}

const readingRoutes: Route[] = [
  get('/v1/marketing/campaigns', {
    summary: 'List campaigns',
    scope: 'marketing:read',
    query: listQuery(
      campaignSorts,
      { state: Type.Optional(oneOf(campaignStates)), channel: Type.Optional(oneOf(channels)) },
      '-created_at',
    ),
    reply: Type.Object({ campaigns: list(wire.campaignReply, 100), pagination }),
    run: async ({ read, query }) => {
      const listing = listingOf(query, '-created_at')
      const slice = await listCampaigns(read, { state: query.state, channel: query.channel }, listing)
      return {
        data: { campaigns: slice.rows.map(wire.campaignView), pagination: paginationView(listing, slice) },
      }
    },
  }),
  get(path, {
    summary: 'Get a campaign',
    scope: 'marketing:read',
    params,
    reply: oneCampaign,
    run: async ({ read, params }) => ({
      ...answer(await foundCampaign(read, Number(params.campaign_id))),
      isLiving: true,
    }),
  }),
]

const writingRoutes = (house: House): Route[] => [
  post('/v1/marketing/campaigns', {
    summary: 'Draft a campaign',
    description:
      'Says who is written to (`audience`), what sets it off (`when`), and what is said (`template`). Nobody is written to before it is started. Only clients who agreed to marketing over the channel are ever meant.',
    scope: 'marketing:write',
    body: wire.campaignBody,
    reply: oneCampaign,
    creates: true,
    refusals: ['conflict'],
    run: async ({ tx, body }) => answer(await createCampaign(tx, wire.recordIn(body), house)),
  }),
  patch(path, {
    summary: 'Change a campaign',
    description:
      'A draft, or one that is paused; `channel`, `when` and `holdout_percent` stay as they were started with.',
    scope: 'marketing:write',
    params,
    body: changes(wire.campaignFields),
    reply: oneCampaign,
    versioned: true,
    refusals: ['invalid_transition'],
    run: async ({ tx, params, body, ifMatch }) => {
      const before = await holdCampaign(tx, Number(params.campaign_id), ifMatch)
      return answer(await changeCampaign(tx, before, { changes: wire.changesIn(body), house }))
    },
  }),
  del(path, {
    summary: 'Delete a draft',
    description: 'A campaign that was started is finished instead: its results stay.',
    scope: 'marketing:write',
    params,
    reply: oneCampaign,
    versioned: true,
    refusals: ['invalid_transition'],
    run: async ({ tx, params, ifMatch }) =>
      answer(await deleteCampaign(tx, await holdCampaign(tx, Number(params.campaign_id), ifMatch))),
  }),
]

type Take = (tx: Tx, campaign: Campaign) => Promise<Campaign>

const stepRoutes = (house: House): Route[] => {
  const step = (verb: string, summary: string, description: string, take: Take): Route =>
    post(`${path}/${verb}`, {
      summary,
      description,
      scope: 'marketing:write',
      params,
      reply: oneCampaign,
      versioned: true,
      refusals: ['invalid_transition'],
      run: async ({ tx, params, ifMatch }) =>
        answer(await take(tx, await holdCampaign(tx, Number(params.campaign_id), ifMatch))),
    })
  // oxfmt-ignore
  return [
    step('start',  'Start a campaign',  'From now on; what happened before sets nothing off.',       (tx, it) => startCampaign(tx, it, house)),
    step('pause',  'Pause a campaign',  'Nothing is sent after the reply. Who waits, waits on.',      (tx, it) => pauseCampaign(tx, it, 'by_hand')),
    step('resume', 'Resume a campaign', 'What happened during the pause is not made up for.',         (tx, it) => resumeCampaign(tx, it, house)),
    step('finish', 'Finish a campaign', 'For good. Who still waits is not written to.',               (tx, it) => finishCampaign(tx, it, 'by_hand')),
  ]
}

const insightRoutes = ({ surroundings }: Workbench): Route[] => [
  get(`${path}/preview`, {
    summary: 'Preview a campaign',
    description:
      'How many clients it means now, some of them, and what one of them would read: the client you name, else the first of the sample.',
    scope: 'marketing:read',
    shed: 'first',
    params,
    query: Type.Object({ client_id: Type.Optional(idText) }, { additionalProperties: false }),
    reply: wire.previewReply,
    run: async ({ read, params, query }) => {
      const campaign = await foundCampaign(read, Number(params.campaign_id))
      const { size, isExact, sample } = await previewAudience(read, campaign)
      const clientId = query.client_id === undefined ? sample[0] : Number(query.client_id)
      const message = await previewMessage(read, surroundings, { campaign, clientId })
      return {
        data: {
          preview: {
            audience: { size, is_exact: isExact, sample: sample.map(String) },
            message: message
              ? {
                  client_id: clientId === undefined ? null : String(clientId),
                  language: message.language,
                  subject: message.subject,
                  text: message.text,
                  html: message.html,
                  is_real: message.isReal,
                }
              : null,
          },
        },
      }
    },
  }),
  get(`${path}/results`, {
    summary: 'Get the results of a campaign',
    description:
      'What was sent and what came of it. Orders count that a client made within `attribution_days` after his turn, and was not cancelled; for those held out, after the turn that they would have had.',
    scope: 'marketing:read',
    params,
    reply: wire.resultsReply,
    run: async ({ read, params }) => {
      const campaign = await foundCampaign(read, Number(params.campaign_id))
      return { data: { results: wire.resultsView(campaign, await campaignResults(read, campaign)) } }
    },
  }),
]

const rulesRoutes: Route[] = [
  get('/v1/marketing/campaign-rules', {
    summary: 'Read what holds for all campaigns',
    scope: 'marketing:read',
    reply: wire.rulesReply,
    run: async ({ read }) => wire.rulesView(await findRules(read)),
  }),
  patch('/v1/marketing/campaign-rules', {
    summary: 'Change what holds for all campaigns',
    description:
      'Quiet hours in the shop’s zone, and how many messages a client gets at most. It holds at once.',
    scope: 'marketing:write',
    body: changes(wire.rulesFields),
    reply: wire.rulesReply,
    versioned: true,
    run: async ({ tx, body, ifMatch }) =>
      wire.rulesView(
        await setRules(
          tx,
          {
            ...(body.quiet_hours && { quietHours: body.quiet_hours }),
            ...(body.messages_per_day !== undefined && { messagesPerDay: body.messages_per_day }),
            ...(body.messages_per_week !== undefined && { messagesPerWeek: body.messages_per_week }),
          },
          ifMatch,
        ),
      ),
  }),
]
