// The wire shapes of templates, notifications and consents.

import { Type } from 'typebox'
import { languages } from '../../http/language.ts'
import {
  flag,
  givenId,
  idText,
  instant,
  integer,
  list,
  named,
  nullable,
  oneOf,
  strict,
  text,
} from '../../http/schema.ts'
import type { Consent, ConsentChange } from '../consents/consent.ts'
import { mostTries } from '../notifications/lines.ts'
import { categories, type Notification, statuses } from '../notifications/notification.ts'
import type { Attempt } from '../store/sending.ts'
import type { TemplateVersion } from '../store/templates.ts'
import type { Rendered } from '../templates/render.ts'
import { channels, type Template, type Text, type Texts, variablesOf } from '../templates/template.ts'

export const uuid = Type.String({
  pattern: '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$',
  examples: ['0192f0c1-6a53-7a53-9d1a-1f4f0a1c2b3d'],
})
export const channel = oneOf(channels)
export const language = oneOf(languages)

const longestSubject = 250
const longestText = 20_000
const longestHtml = 100_000

const textIn = strict({
  subject: Type.Optional(
    nullable(
      text({
        max: longestSubject,
        description: 'Of mails, and of push messages as their title.',
        examples: ['Заказ {{order.id}} принят'],
      }),
    ),
  ),
  text: text({ max: longestText, examples: ['Всего: {{order.total}}'] }),
  html: Type.Optional(
    nullable(
      text({
        max: longestHtml,
        description: 'Of mails, beside the text.',
        examples: ['<p>Всего: {{order.total}}</p>'],
      }),
    ),
  ),
})
export const textsIn = Type.Object(
  { ru: Type.Optional(textIn), uz: Type.Optional(textIn), en: Type.Optional(textIn) },
  { additionalProperties: false, minProperties: 1 },
)

/** What a body leaves out is absent. */
export const textsOf = (
  sent: Partial<
    Record<(typeof languages)[number], { subject?: string | null; text: string; html?: string | null }>
  >,
): Texts =>
  Object.fromEntries(
    languages.flatMap((it) => {
      const given = sent[it]
      return given
        ? [[it, { subject: given.subject ?? null, text: given.text, html: given.html ?? null }]]
        : []
    }),
  )

const textOut = Type.Object({
  subject: nullable(Type.String()),
  text: Type.String(),
  html: nullable(Type.String()),
})
const textsOut = Type.Object({
  ru: Type.Optional(textOut),
  uz: Type.Optional(textOut),
  en: Type.Optional(textOut),
})

export const templateReply = named(
  'NotificationTemplate',
  Type.Object({
    id: idText,
    slug: Type.String({ examples: ['order-placed'] }),
    channel,
    description: Type.String(),
    is_active: flag,
    version: integer(1, Number.MAX_SAFE_INTEGER),
    texts: textsOut,
    variables: list(Type.String({ examples: ['order.id'] })),
    created_at: instant,
    updated_at: instant,
  }),
)

export const templateView = (it: Template) => ({
  id: String(it.id),
  slug: it.slug,
  channel: it.channel,
  description: it.description,
  is_active: it.isActive,
  version: it.version,
  texts: it.texts as Record<string, Text>,
  variables: variablesOf(it.texts),
  created_at: it.createdAt.toISOString(),
  updated_at: it.updatedAt.toISOString(),
})

export const versionReply = Type.Object({
  version: integer(1, Number.MAX_SAFE_INTEGER),
  texts: textsOut,
  created_at: instant,
})

export const versionView = (it: TemplateVersion) => ({
  version: it.version,
  texts: it.texts as Record<string, Text>,
  created_at: it.createdAt.toISOString(),
})

export const contentReply = Type.Object({
  language,
  subject: nullable(Type.String()),
  text: Type.String(),
  html: nullable(Type.String()),
})

export const contentView = ({ language, subject, text, html }: Rendered) => ({
  language,
  subject,
  text,
  html,
})

export const variablesIn = Type.Record(
  Type.String({ maxLength: 50 }),
  Type.Record(Type.String({ maxLength: 50 }), Type.Unknown()),
  {
    description:
      'Values by group and name, such as `{"order": {"id": "7"}}`. Money in tiyin; a text as it is or in our languages; null where there is none.',
    examples: [{ custom: { code: '4711' } }],
  },
)

const notificationFields = {
  id: uuid,
  key: Type.String({ description: 'The same key is written once.' }),
  category: oneOf(categories),
  channel,
  client_id: nullable(idText),
  to: nullable(Type.String({ examples: ['aziza@mail.uz'] })),
  template: Type.String({ examples: ['order-placed'] }),
  template_id: idText,
  template_version: integer(1, Number.MAX_SAFE_INTEGER),
  language,
  campaign_id: nullable(idText),
  status: oneOf(statuses),
  reason: nullable(Type.String({ examples: ['no_consent'] })),
  attempts: integer(0, Number.MAX_SAFE_INTEGER),
  next_attempt_at: nullable(instant),
  provider_id: nullable(Type.String()),
  created_at: instant,
  ended_at: nullable(instant),
  delivered_at: nullable(instant),
  opened_at: nullable(instant),
  clicked_at: nullable(instant),
}
export const notificationReply = named('Notification', Type.Object(notificationFields))

const at = (instant: Date | null) => instant?.toISOString() ?? null
const idOf = (it: number | null) => (it === null ? null : String(it))

export const notificationView = (it: Notification) => ({
  id: it.id,
  key: it.key,
  category: it.category,
  channel: it.channel,
  client_id: idOf(it.clientId),
  to: it.address,
  template: it.template,
  template_id: String(it.templateId),
  template_version: it.templateVersion,
  language: it.language,
  campaign_id: idOf(it.campaignId),
  status: it.status,
  reason: it.reason,
  attempts: it.attempts,
  next_attempt_at: at(it.nextAt),
  provider_id: it.providerId,
  created_at: it.createdAt.toISOString(),
  ended_at: at(it.endedAt),
  delivered_at: at(it.deliveredAt),
  opened_at: at(it.openedAt),
  clicked_at: at(it.clickedAt),
})

const attemptReply = Type.Object({
  number: integer(1, Number.MAX_SAFE_INTEGER),
  at: instant,
  duration_ms: integer(0, Number.MAX_SAFE_INTEGER),
  outcome: oneOf(['sent', 'failed', 'refused']),
  status: nullable(integer(0, 999, { description: 'Of SMTP or HTTP.' })),
  reply: nullable(Type.String({ examples: ['250 2.0.0 Ok: queued as 4XyZ'] })),
  error: nullable(Type.String({ examples: ['ECONNREFUSED: connect ECONNREFUSED 127.0.0.1:25'] })),
})
export const wholeNotification = named(
  'NotificationWithLog',
  Type.Object({
    ...notificationFields,
    content: contentReply,
    log: list(attemptReply, 100 * mostTries),
  }),
)

export const attemptView = (it: Attempt) => ({
  number: it.number,
  at: it.at.toISOString(),
  duration_ms: it.milliseconds,
  outcome: it.outcome,
  status: it.status,
  reply: it.reply,
  error: it.error,
})

const consentFields = {
  id: uuid,
  client_id: nullable(idText),
  address: nullable(Type.String({ examples: ['aziza@mail.uz'] })),
  channel,
  category: oneOf(['marketing']),
  granted: flag,
  source: Type.String({ examples: ['checkout'] }),
  at: instant,
}
export const consentReply = named('Consent', Type.Object(consentFields))

export const consentView = (it: Consent) => ({
  id: it.id,
  client_id: idOf(it.clientId),
  address: it.clientId === null ? it.holder : null,
  channel: it.channel,
  category: it.category,
  granted: it.isGranted,
  source: it.source,
  at: it.at.toISOString(),
})

export const mostHistory = 100
export const wholeConsent = named(
  'ConsentWithHistory',
  Type.Object({
    ...consentFields,
    history: list(Type.Object({ granted: flag, source: Type.String(), at: instant }), mostHistory),
  }),
)

export const changeView = (it: ConsentChange) => ({
  granted: it.isGranted,
  source: it.source,
  at: it.at.toISOString(),
})

/** Whom something concerns: a client, or a bare address. */
export const whom = {
  client_id: Type.Optional(givenId),
  address: Type.Optional(text({ max: 254, examples: ['aziza@mail.uz'] })),
}
