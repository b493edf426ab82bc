// Campaigns on the wire.

import { type Static, Type } from 'typebox'
import { asMoney } from '../../base/money.ts'
import { instantOf, instantText } from '../../http/instant.ts'
import {
  idText,
  instant,
  integer,
  list,
  name,
  named,
  nullable,
  oneOf,
  slug,
  strict,
  text,
} from '../../http/schema.ts'
import { channels } from '../templates/template.ts'
import {
  allowedSteps,
  type Campaign,
  type CampaignRecord,
  campaignStates,
  finishReasons,
  pauseReasons,
} from './campaign.ts'
import type { Results } from './campaign-results.ts'
import type { CampaignRules } from './campaign-rules.ts'
import { type Audience, audienceShape } from './conditions.ts'
import { whenShape } from './cues.ts'
import { timeForm } from './quiet-hours.ts'

const anyNumber = integer(0, Number.MAX_SAFE_INTEGER)
const longestAttribution = 90

export const quietHoursFields = strict({
  from: text({ max: 5, pattern: timeForm, examples: ['21:00'] }),
  to: text({ max: 5, pattern: timeForm, examples: ['09:00'] }),
})

const customVariables = Type.Record(Type.String({ pattern: '^[a-z][a-z0-9_]{0,40}$' }), text({ min: 0 }), {
  additionalProperties: false,
  maxProperties: 20,
  description: 'Texts of your own; the template shows them as `{{custom.name}}`.',
  examples: [{ coupon: 'NAVRUZ10' }],
})

/** What must be said of a campaign. */
const required = {
  name: name(200, 'Carts left for three days'),
  channel: oneOf(channels),
  template: Type.Unsafe<string>({ ...slug, description: 'The slug of a template for the channel.' }),
  when: whenShape,
}

/** What has a plain meaning when it is left out. */
const optional = {
  variables: customVariables,
  audience: audienceShape,
  quiet_hours: Type.Unsafe<Static<typeof quietHoursFields> | null>({
    ...quietHoursFields,
    type: ['object', 'null'],
    description:
      'In the shop’s zone. Null takes those of all campaigns; with `from` equal to `to` there are none.',
  }),
  repeat_days: nullable(
    integer(1, 3_650, {
      description: 'After so many days a client may be written to again; null is never. 1 by default.',
    }),
  ),
  holdout_percent: integer(0, 90, {
    default: 0,
    description:
      'So many of a hundred are never written to, by a draw that stays; their orders are compared.',
  }),
  budget_messages: nullable(integer(1, Number.MAX_SAFE_INTEGER)),
  budget_tiyin: nullable(integer(1, Number.MAX_SAFE_INTEGER)),
  price_tiyin: integer(0, 1_000_000_000, { default: 0, description: 'What one message costs.' }),
  attribution_days: integer(1, longestAttribution, {
    default: 7,
    description: 'An order so many days after a message counts as its fruit.',
  }),
  ends_at: nullable(instantText),
}

const defaults: Omit<CampaignRecord, 'name' | 'channel' | 'template' | 'when'> = {
  variables: {},
  audience: [],
  quietHours: null,
  repeatDays: 1,
  holdoutPercent: 0,
  budgetMessages: null,
  budgetTiyin: null,
  priceTiyin: 0,
  attributionDays: 7,
  endsAt: null,
}

export const campaignBody = strict({
  ...required,
  ...(Object.fromEntries(Object.entries(optional).map(([field, shape]) => [field, Type.Optional(shape)])) as {
    [K in keyof typeof optional]: ReturnType<typeof Type.Optional<(typeof optional)[K]>>
  }),
})
export const campaignFields = { ...required, ...optional }
type Said = Static<typeof campaignBody>

export const recordIn = (body: Said): CampaignRecord => {
  const { name, channel, template, when } = body
  return { ...defaults, name, channel, template, when, ...changesIn(body) }
}

/** What of a record was said. */
export function changesIn(body: Partial<Said>): Partial<CampaignRecord> {
  const said: { [K in keyof CampaignRecord]: CampaignRecord[K] | undefined } = {
    name: body.name,
    channel: body.channel,
    template: body.template,
    when: body.when,
    variables: body.variables,
    audience: body.audience,
    quietHours: body.quiet_hours,
    repeatDays: body.repeat_days,
    holdoutPercent: body.holdout_percent,
    budgetMessages: body.budget_messages,
    budgetTiyin: body.budget_tiyin,
    priceTiyin: body.price_tiyin,
    attributionDays: body.attribution_days,
    endsAt: typeof body.ends_at === 'string' ? instantOf(body.ends_at, 'ends_at') : body.ends_at,
  }
  return Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined))
}

/** Null beside a choice: the words are told, and not enforced. */
const choice = (words: readonly string[]) =>
  Type.String({ description: words.map((it) => `\`${it}\``).join(', '), examples: [words[0]] })

export const campaignReply = named(
  'Campaign',
  Type.Object({
    id: idText,
    state: oneOf(campaignStates),
    allowed: list(Type.String({ examples: ['start'] }), 10),
    ...campaignFields,
    sent: anyNumber,
    cost_tiyin: anyNumber,
    pause_reason: nullable(choice(pauseReasons)),
    finish_reason: nullable(choice(finishReasons)),
    started_at: nullable(instant),
    finished_at: nullable(instant),
    created_at: instant,
    updated_at: instant,
  }),
)

export const campaignView = (it: Campaign) => ({
  id: String(it.id),
  name: it.name,
  state: it.state,
  allowed: allowedSteps(it.state),
  channel: it.channel,
  template: it.template,
  variables: { ...it.variables },
  audience: it.audience as Audience & Static<typeof audienceShape>,
  when: it.when,
  quiet_hours: it.quietHours,
  repeat_days: it.repeatDays,
  holdout_percent: it.holdoutPercent,
  budget_messages: it.budgetMessages,
  budget_tiyin: it.budgetTiyin,
  price_tiyin: it.priceTiyin,
  attribution_days: it.attributionDays,
  ends_at: it.endsAt?.toISOString() ?? null,
  sent: it.sent,
  cost_tiyin: it.costTiyin,
  pause_reason: it.pauseReason,
  finish_reason: it.finishReason,
  started_at: it.startedAt?.toISOString() ?? null,
  finished_at: it.finishedAt?.toISOString() ?? null,
  created_at: it.createdAt.toISOString(),
  updated_at: it.updatedAt.toISOString(),
})

export const rulesFields = {
  quiet_hours: quietHoursFields,
  messages_per_day: integer(0, 1_000, { description: 'To one client, of all campaigns, in any 24 hours.' }),
  messages_per_week: integer(0, 1_000, {
    description: 'To one client, of all campaigns, in any seven days.',
  }),
}
export const rulesReply = Type.Object({ campaign_rules: named('CampaignRules', Type.Object(rulesFields)) })

export const rulesView = (it: CampaignRules) => ({
  data: {
    campaign_rules: {
      quiet_hours: it.quietHours,
      messages_per_day: it.messagesPerDay,
      messages_per_week: it.messagesPerWeek,
    },
  },
  version: it.version,
})

export const previewReply = Type.Object({
  preview: named(
    'CampaignPreview',
    Type.Object({
      audience: Type.Object({
        size: anyNumber,
        is_exact: Type.Boolean({ description: 'False when counting stopped: there are at least so many.' }),
        sample: list(idText, 20),
      }),
      message: Type.Unsafe<{
        client_id: string | null
        language: string
        subject: string | null
        text: string
        html: string | null
        is_real: boolean
      } | null>({
        type: ['object', 'null'],
        description:
          'What one client would read now. Where he has no occasion, samples stand in and `is_real` is false.',
        properties: {
          client_id: { type: ['string', 'null'] },
          language: { type: 'string' },
          subject: { type: ['string', 'null'] },
          text: { type: 'string' },
          html: { type: ['string', 'null'] },
          is_real: { type: 'boolean' },
        },
      }),
    }),
  ),
})

const money = Type.Object({ amount: anyNumber, currency: Type.String({ examples: ['UZS'] }) })
const group = Type.Object({
  clients: anyNumber,
  buyers: anyNumber,
  orders: anyNumber,
  revenue: money,
  conversion: Type.Number({ description: 'Buyers among the clients, between 0 and 1.' }),
})
const share = { type: 'number' }

export const resultsReply = Type.Object({
  results: named(
    'CampaignResults',
    Type.Object({
      waiting: anyNumber,
      sent: Type.Integer({ description: 'Messages that were handed over to be sent.' }),
      failed: Type.Integer({ description: 'Of them, those that were given up.' }),
      opened: Type.Integer({
        description: 'Of them, those known to have been opened; mail programs tell of few.',
      }),
      clicked: Type.Integer({ description: 'Of them, those of which a link was followed.' }),
      held_out: anyNumber,
      suppressed: Type.Record(Type.String(), Type.Integer(), {
        description: 'Who was passed over at an occasion, by reason.',
        examples: [{ occasion_over: 3, frequency_cap: 1 }],
      }),
      cost: money,
      attribution_days: integer(1, longestAttribution),
      told: group,
      holdout: group,
      uplift: Type.Unsafe<{ difference: number; low: number; high: number; confidence: number } | null>({
        type: ['object', 'null'],
        description:
          'By how much the conversion of those who were told lies above that of the others, with a 95 % interval (Newcombe). Null while a group is empty.',
        properties: { difference: share, low: share, high: share, confidence: share },
      }),
    }),
  ),
})

export const resultsView = (it: Campaign, { told, comparison, uplift, ...counts }: Results) => ({
  waiting: counts.waiting,
  sent: counts.sent,
  failed: it.failed,
  opened: it.opened,
  clicked: it.clicked,
  held_out: counts.heldOut,
  suppressed: counts.suppressed,
  cost: asMoney(it.costTiyin),
  attribution_days: it.attributionDays,
  told: groupView(told),
  holdout: groupView(comparison),
  uplift: uplift
    ? { difference: uplift.difference, low: uplift.low, high: uplift.high, confidence: 0.95 }
    : null,
})

const groupView = ({ clients, buyers, orders, revenueTiyin }: Results['told']) => ({
  clients,
  buyers,
  orders,
  revenue: asMoney(revenueTiyin),
  conversion: clients === 0 ? 0 : buyers / clients,
})
