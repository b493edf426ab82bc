// The wire shapes of campaigns.

import { type Static, Type } from 'typebox'
import { asMoney } from '../../base/money.ts'
import { instantOf, instantText } from '../../http/instant.ts'
import { type Language, languages } from '../../http/language.ts'
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
  money,
} from '../../http/schema.ts'
import { channels } from '../templates/template.ts'
import {
  allowedSteps,
  type Campaign,
  type CampaignInput,
  campaignStates,
  finishReasons,
  pauseReasons,
  type CampaignRules,
  timePattern,
} from './campaign.ts'
import type { AudiencePreview } from './preview-campaign.ts'
import type { Results } from './results.ts'
import { type Audience, audienceSchema } from './audience.ts'
import { triggerSchema } from './triggers.ts'

const anyNumber = integer(0, Number.MAX_SAFE_INTEGER)
const maxAttributionDays = 90

export const quietHoursFields = strict({
  from: text({ max: 5, pattern: timePattern, examples: ['21:00'] }),
  to: text({ max: 5, pattern: timePattern, examples: ['09:00'] }),
})

const customVariables = Type.Record(Type.String({ pattern: '^[a-z][a-z0-9_]{0,40}$' }), text({ min: 0 }), {
  additionalProperties: false,
  maxProperties: 20,
  description: 'Your own texts; the template shows them as `{{custom.name}}`.',
  examples: [{ coupon: 'NAVRUZ10' }],
})

const required = {
  name: name(200, 'Carts left for three days'),
  channel: oneOf(channels),
  template: Type.Unsafe<string>({ ...slug, description: 'The slug of a template for the channel.' }),
  when: triggerSchema,
}

const optional = {
  variables: customVariables,
  audience: audienceSchema,
  quiet_hours: Type.Unsafe<Static<typeof quietHoursFields> | null>({
    ...quietHoursFields,
    type: ['object', 'null'],
    description:
      'In the time zone of the shop. Null: the quiet hours of all campaigns. Equal `from` and `to`: none.',
  }),
  repeat_days: nullable(
    integer(1, 3_650, {
      description: 'Days until a client may get another message; null: never.',
    }),
  ),
  holdout_percent: integer(0, 90, {
    default: 0,
    description:
      'Percentage of clients in the control group, which never gets a message. The assignment is stable.',
  }),
  budget_messages: nullable(integer(1, Number.MAX_SAFE_INTEGER)),
  budget_tiyin: nullable(integer(1, Number.MAX_SAFE_INTEGER)),
  price_tiyin: integer(0, 1_000_000_000, { default: 0, description: 'Cost of one message.' }),
  attribution_days: integer(1, maxAttributionDays, {
    default: 7,
    description: 'Orders within this many days after a message are attributed to it.',
  }),
  ends_at: nullable(instantText),
}

const defaults: Omit<CampaignInput, 'name' | 'channel' | 'template' | 'trigger'> = {
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
type CampaignBody = Static<typeof campaignBody>

export const inputOf = (body: CampaignBody): CampaignInput => {
  const { name, channel, template, when } = body
  return { ...defaults, name, channel, template, trigger: when, ...changesOf(body) }
}

/** The fields that a body contains. */
export function changesOf(body: Partial<CampaignBody>): Partial<CampaignInput> {
  const given: { [K in keyof CampaignInput]: CampaignInput[K] | undefined } = {
    name: body.name,
    channel: body.channel,
    template: body.template,
    trigger: body.when,
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
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}

/** Values are documented but not enforced, because the field is nullable. */
export const campaignReply = named(
  'Campaign',
  Type.Object({
    id: idText,
    state: oneOf(campaignStates),
    allowed: list(Type.String({ examples: ['start'] }), 10),
    ...campaignFields,
    sent: anyNumber,
    cost_tiyin: anyNumber,
    pause_reason: nullable(oneOf(pauseReasons)),
    finish_reason: nullable(oneOf(finishReasons)),
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
  audience: it.audience as Audience & Static<typeof audienceSchema>,
  when: it.trigger,
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
  messages_per_day: integer(0, 1_000, {
    description: 'Maximum messages of all campaigns to one client in any 24 hours.',
  }),
  messages_per_week: integer(0, 1_000, {
    description: 'Maximum messages of all campaigns to one client in any seven days.',
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

const audiencePreview = named(
  'AudiencePreview',
  Type.Object({
    size: anyNumber,
    is_exact: Type.Boolean({
      description: 'False when counting stopped at the limit: the audience is at least this large.',
    }),
    sample: list(idText, 20),
  }),
)

export const audienceView = ({ size, isExact, sample }: AudiencePreview) => ({
  size,
  is_exact: isExact,
  sample: sample.map(String),
})

export const previewReply = Type.Object({
  preview: named(
    'CampaignPreview',
    Type.Object({
      audience: audiencePreview,
      message: Type.Unsafe<{
        client_id: string | null
        language: Language
        subject: string | null
        text: string
        html: string | null
        is_real: boolean
      } | null>({
        type: ['object', 'null'],
        description:
          'The message that one client would get now. Without an occasion, samples are shown and `is_real` is false.',
        properties: {
          client_id: { type: ['string', 'null'] },
          language: oneOf(languages),
          subject: { type: ['string', 'null'] },
          text: { type: 'string' },
          html: { type: ['string', 'null'] },
          is_real: { type: 'boolean' },
        },
        required: ['client_id', 'language', 'subject', 'text', 'html', 'is_real'],
      }),
    }),
  ),
})

/** What a draft needs to be previewed. */
export const draftBody = strict({
  channel: required.channel,
  template: Type.Optional(required.template),
  when: Type.Optional(triggerSchema),
  variables: Type.Optional(customVariables),
  audience: Type.Optional(audienceSchema),
})

export const draftPreviewReply = Type.Object({
  preview: named(
    'CampaignDraftPreview',
    Type.Object({
      audience: audiencePreview,
      messages: list(
        Type.Object({
          language: oneOf(languages),
          subject: nullable(Type.String()),
          text: Type.String(),
          html: nullable(Type.String()),
          is_real: Type.Boolean({ description: 'False when some of the values are samples.' }),
        }),
        languages.length,
      ),
      missing_variables: list(Type.String({ examples: ['cart.lines'] }), 100),
    }),
  ),
})

const group = named(
  'CampaignGroupResults',
  Type.Object({
    clients: anyNumber,
    buyers: anyNumber,
    orders: anyNumber,
    revenue: money,
    conversion: Type.Number({ description: 'Share of buyers among the clients, between 0 and 1.' }),
  }),
)
const share = { type: 'number' }

export const resultsReply = Type.Object({
  results: named(
    'CampaignResults',
    Type.Object({
      waiting: anyNumber,
      sent: Type.Integer({ description: 'Messages created for sending.' }),
      failed: Type.Integer({ description: 'Of these, failed.' }),
      opened: Type.Integer({
        description: 'Of these, known to be opened; many mail programs do not report it.',
      }),
      clicked: Type.Integer({ description: 'Of these, with a clicked link.' }),
      held_out: anyNumber,
      suppressed: Type.Record(Type.String(), Type.Integer(), {
        description: 'Targets without a message, by reason.',
        examples: [{ occasion_over: 3, frequency_cap: 1 }],
      }),
      cost: money,
      attribution_days: integer(1, maxAttributionDays),
      reached: group,
      holdout: group,
      uplift: Type.Unsafe<{ difference: number; low: number; high: number; confidence: number } | null>({
        type: ['object', 'null'],
        description:
          'Conversion of the reached group minus that of the holdout group, with a 95 % interval (Newcombe). Null while a group is empty.',
        properties: { difference: share, low: share, high: share, confidence: share },
        required: ['difference', 'low', 'high', 'confidence'],
      }),
    }),
  ),
})

export const resultsView = (it: Campaign, { reached, holdout, uplift, ...counts }: Results) => ({
  waiting: counts.waiting,
  sent: counts.sent,
  failed: it.failed,
  opened: it.opened,
  clicked: it.clicked,
  held_out: counts.heldOut,
  suppressed: counts.suppressed,
  cost: asMoney(it.costTiyin),
  attribution_days: it.attributionDays,
  reached: groupView(reached),
  holdout: groupView(holdout),
  uplift: uplift
    ? { difference: uplift.difference, low: uplift.low, high: uplift.high, confidence: 0.95 }
    : null,
})

const groupView = ({ clients, buyers, orders, revenueTiyin }: Results['reached']) => ({
  clients,
  buyers,
  orders,
  revenue: asMoney(revenueTiyin),
  conversion: clients === 0 ? 0 : buyers / clients,
})
