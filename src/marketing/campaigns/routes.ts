// The routes of campaigns.

import { Type } from 'typebox'
import type { Tx } from '../../base/database.ts'
import { listingOf, listQuery, pagination, paginationView } from '../../http/listing.ts'
import { del, get, patch, post, query, type Route } from '../../http/route.ts'
import { changes, idText, list, oneOf } from '../../http/schema.ts'
import { findRules, campaignSorts, listCampaigns } from './store.ts'
import { channels } from '../templates/template.ts'
import { type Campaign, campaignStates } from './campaign.ts'
import { campaignResults } from './results.ts'
import {
  changeCampaign,
  createCampaign,
  deleteCampaign,
  foundCampaign,
  lockedCampaign,
  setRules,
} from './campaigns.ts'
import { finishCampaign, pauseCampaign, resumeCampaign, startCampaign } from './campaign-steps.ts'
import { previewAudience, previewLanguages, previewMessage } from './preview-campaign.ts'
import { type CampaignConfig, refuseInvalidAudience } from './validate-campaign.ts'
import { type CampaignSettings, runSettings, type RunSettings } from './run-campaigns.ts'
import * as wire from './wire.ts'

const params = { campaign_id: idText }
const path = '/v1/marketing/campaigns/{campaign_id}'
const oneCampaign = Type.Object({ campaign: wire.campaignReply })
const answer = (it: Campaign) => ({ data: { campaign: wire.campaignView(it) }, version: it.version })

export const campaignRoutes = (config: CampaignSettings): Route[] => {
  const settings = runSettings(config)
  return [
    ...readingRoutes,
    ...writingRoutes(config),
    ...stepRoutes(config),
    ...draftRoutes(settings, config),
    ...insightRoutes(settings),
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
      isVolatile: true,
    }),
  }),
]

const writingRoutes = (config: CampaignConfig): Route[] => [
  post('/v1/marketing/campaigns', {
    summary: 'Draft a campaign',
    description:
      '`audience` selects the clients, `when` is the trigger, `template` the message. Nothing is sent before the campaign is started. Only clients who consented to marketing over the channel are addressed.',
    scope: 'marketing:write',
    body: wire.campaignBody,
    reply: oneCampaign,
    creates: true,
    refusals: ['conflict'],
    run: async ({ tx, body }) => answer(await createCampaign(tx, wire.inputOf(body), config)),
  }),
  patch(path, {
    summary: 'Change a campaign',
    description:
      'A draft or a paused campaign; `channel`, `when` and `holdout_percent` cannot be changed after the start.',
    scope: 'marketing:write',
    params,
    body: changes(wire.campaignFields),
    reply: oneCampaign,
    versioned: true,
    refusals: ['invalid_transition'],
    run: async ({ tx, params, body, ifMatch }) => {
      const before = await lockedCampaign(tx, Number(params.campaign_id), ifMatch)
      return answer(await changeCampaign(tx, before, { changes: wire.changesOf(body), config }))
    },
  }),
  del(path, {
    summary: 'Delete a draft',
    description: 'A campaign that was started can only be finished: its results stay.',
    scope: 'marketing:write',
    params,
    reply: oneCampaign,
    versioned: true,
    refusals: ['invalid_transition'],
    run: async ({ tx, params, ifMatch }) =>
      answer(await deleteCampaign(tx, await lockedCampaign(tx, Number(params.campaign_id), ifMatch))),
  }),
]

type Take = (tx: Tx, campaign: Campaign) => Promise<Campaign>

const stepRoutes = (config: CampaignConfig): Route[] => {
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
        answer(await take(tx, await lockedCampaign(tx, Number(params.campaign_id), ifMatch))),
    })
  // oxfmt-ignore
  return [
    step('start',  'Start a campaign',  'Events before the start are ignored.',       (tx, it) => startCampaign(tx, it, config)),
    step('pause',  'Pause a campaign',  'Nothing is sent after the reply. Undecided targets stay.',      (tx, it) => pauseCampaign(tx, it, 'by_hand')),
    step('resume', 'Resume a campaign', 'Events during the pause are ignored.',         (tx, it) => resumeCampaign(tx, it, config)),
    step('finish', 'Finish a campaign', 'Final. Undecided targets get no message.',               (tx, it) => finishCampaign(tx, it, 'by_hand')),
  ]
}

const draftRoutes = ({ messageSettings }: RunSettings, config: CampaignConfig): Route[] => [
  query('/v1/marketing/campaigns/preview', {
    summary: 'Preview a draft',
    description:
      'The current size of an audience, and the message in every language of the template, for the first client of the audience. Nothing is stored. `missing_variables` are those that the trigger and the audience cannot provide; a campaign with any is refused.',
    // Callers who may only read must not find out about clients by trying conditions.
    scope: ['marketing:read', 'marketing:write'],
    shed: 'first',
    body: wire.draftBody,
    reply: wire.draftPreviewReply,
    run: async ({ read, body: { channel, template, when, ...body } }) => {
      const draft = { channel, audience: body.audience ?? [], variables: body.variables ?? {} }
      await refuseInvalidAudience(read, draft, config)
      const audience = await previewAudience(read, draft)
      const campaign = { ...draft, template: template ?? '', trigger: when ?? anyDate }
      const found = await previewLanguages(read, messageSettings, { campaign, clientId: audience.sample[0] })
      return {
        data: {
          preview: {
            audience: wire.audienceView(audience),
            messages: (found?.messages ?? []).map(({ isReal, ...it }) => ({
              language: it.language,
              subject: it.subject,
              text: it.text,
              html: it.html,
              is_real: isReal,
            })),
            missing_variables: found?.missing ?? [],
          },
        },
      }
    },
  }),
]

/** A date provides no variables, like a trigger that is not chosen yet. */
const anyDate = { at: '' }

const insightRoutes = ({ messageSettings }: RunSettings): Route[] => [
  get(`${path}/preview`, {
    summary: 'Preview a campaign',
    description:
      'The current size of the audience, a sample of it, and the message that one client would get: `client_id`, or else the first of the sample.',
    scope: 'marketing:read',
    shed: 'first',
    params,
    query: Type.Object({ client_id: Type.Optional(idText) }, { additionalProperties: false }),
    reply: wire.previewReply,
    run: async ({ read, params, query }) => {
      const campaign = await foundCampaign(read, Number(params.campaign_id))
      const audience = await previewAudience(read, campaign)
      const clientId = query.client_id === undefined ? audience.sample[0] : Number(query.client_id)
      const message = await previewMessage(read, messageSettings, { campaign, clientId })
      return {
        data: {
          preview: {
            audience: wire.audienceView(audience),
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
      'Counts and attributed orders. An order counts within `attribution_days` after the message, unless it is cancelled; in the holdout group, after the time when the message would have been sent.',
    scope: 'marketing:read',
    mayLag: true,
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
    summary: 'Get the rules for all campaigns',
    scope: 'marketing:read',
    reply: wire.rulesReply,
    run: async ({ read }) => wire.rulesView(await findRules(read)),
  }),
  patch('/v1/marketing/campaign-rules', {
    summary: 'Change the rules for all campaigns',
    description:
      'Quiet hours in the time zone of the shop, and the maximum messages to a client. Takes effect at once.',
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
