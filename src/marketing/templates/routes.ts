// Templates: their routes and wire shapes.

import { Type } from 'typebox'
import { refuse } from '../../base/refusal.ts'
import { languages } from '../../http/language.ts'
import { listingOf, listQuery, pagination, paginationView } from '../../http/listing.ts'
import { del, get, patch, post, type Route } from '../../http/route.ts'
import {
  changes,
  flag,
  id,
  idText,
  instant,
  integer,
  list,
  named,
  nullable,
  oneOf,
  slug,
  strict,
  text,
} from '../../http/schema.ts'
import {
  changeTemplate,
  createTemplate,
  refuseInvalidTexts,
  deleteTemplate,
  previewTemplate,
} from './templates.ts'
import { parseVariables } from './parse-variables.ts'
import type { Rendered } from './render.ts'
import { channels, type Template, type Text, type Texts, variablesOf } from './template.ts'
import { knownVariables, type Variable } from './variables.ts'
import { findTemplate, listTemplates, templateSorts, type TemplateVersion, versionsOf } from './store.ts'

export const uuid = Type.String({
  pattern: '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$',
  examples: ['0192f0c1-6a53-7a53-9d1a-1f4f0a1c2b3d'],
})
export const channel = oneOf(channels)
export const language = oneOf(languages)

const maxSubjectLength = 250
const maxTextLength = 20_000
const maxHtmlLength = 100_000

const textIn = strict({
  subject: Type.Optional(
    nullable(
      text({
        max: maxSubjectLength,
        description: 'The subject of e-mails, the title of push messages.',
        examples: ['Заказ {{order.id}} принят'],
      }),
    ),
  ),
  text: text({ max: maxTextLength, examples: ['Всего: {{order.total}}'] }),
  html: Type.Optional(
    nullable(
      text({
        max: maxHtmlLength,
        description: 'E-mails only, beside the text.',
        examples: ['<p>Всего: {{order.total}}</p>'],
      }),
    ),
  ),
})
const textsIn = Type.Object(
  { ru: Type.Optional(textIn), uz: Type.Optional(textIn), en: Type.Optional(textIn) },
  { additionalProperties: false, minProperties: 1 },
)

/** Missing parts become null. */
const textsOf = (
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

const textOut = named(
  'MessageText',
  Type.Object({
    subject: nullable(Type.String()),
    text: Type.String(),
    html: nullable(Type.String()),
  }),
)
const textsOut = named(
  'MessageTexts',
  Type.Object({
    ru: Type.Optional(textOut),
    uz: Type.Optional(textOut),
    en: Type.Optional(textOut),
  }),
)

const templateReply = named(
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

const templateView = (it: Template) => ({
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

const versionReply = Type.Object({
  version: integer(1, Number.MAX_SAFE_INTEGER),
  texts: textsOut,
  created_at: instant,
})

const versionView = (it: TemplateVersion) => ({
  version: it.version,
  texts: it.texts as Record<string, Text>,
  created_at: it.createdAt.toISOString(),
})

export const contentReply = named(
  'MessageContent',
  Type.Object({
    language,
    subject: nullable(Type.String()),
    text: Type.String(),
    html: nullable(Type.String()),
  }),
)

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
      'Values by group and name, such as `{"order": {"id": "7"}}`. Money in tiyin; a text, or an object with a text per language; null for no value.',
    examples: [{ custom: { code: '4711' } }],
  },
)

const params = { template_id: id }
const oneTemplate = Type.Object({ template: templateReply })
const answer = (it: Template) => ({ data: { template: templateView(it) }, version: it.version })
const description = text({ min: 0, max: 500, examples: ['After an order is placed'] })
const maxVersions = 100

const languageRules =
  'Texts in `ru`, `uz` and `en`; the fallback for a missing language is `ru`, then `en`, then `uz`.'
const placeholderRules =
  '`{{order.id}}` shows a value; `{{#order.lines}}…{{/order.lines}}` repeats for every item, or shows its content when a value is present. Values are escaped in HTML, where they may appear in text and in quoted attributes that hold text or a URL, such as `alt`, `title`, `href` and `src`. Unknown variables are refused with the list of known ones.'

const readingRoutes: Route[] = [
  get('/v1/marketing/templates', {
    summary: 'List templates',
    scope: 'marketing:read',
    query: listQuery(templateSorts, { channel: Type.Optional(channel), slug: Type.Optional(slug) }),
    reply: Type.Object({ templates: list(templateReply, 100), pagination }),
    run: async ({ read, query }) => {
      const listing = listingOf(query, 'slug')
      const slice = await listTemplates(read, { channel: query.channel, slug: query.slug }, listing)
      return { data: { templates: slice.rows.map(templateView), pagination: paginationView(listing, slice) } }
    },
  }),
  get('/v1/marketing/templates/{template_id}', {
    summary: 'Get a template',
    scope: 'marketing:read',
    params,
    reply: oneTemplate,
    run: async ({ read, params }) => answer(found(await findTemplate(read, params.template_id))),
  }),
  get('/v1/marketing/templates/{template_id}/versions', {
    summary: 'List the versions of a template',
    description:
      'The newest hundred. Versions never change, so that sent messages can be shown as they were.',
    scope: 'marketing:read',
    params,
    reply: Type.Object({ versions: list(versionReply, maxVersions) }),
    run: async ({ read, params }) => {
      const { id } = found(await findTemplate(read, params.template_id))
      return { data: { versions: (await versionsOf(read, id, maxVersions)).map(versionView) } }
    },
  }),
  get('/v1/marketing/template-variables', {
    summary: 'List template variables',
    scope: 'marketing:read',
    reply: Type.Object({ variables: list(variableReply()) }),
    run: async () => ({
      data: { variables: Object.entries(knownVariables).map(([path, it]) => variableView(path, it)) },
    }),
  }),
]

const writingRoutes: Route[] = [
  post('/v1/marketing/templates', {
    summary: 'Create a template',
    description: `${languageRules} ${placeholderRules}`,
    scope: 'marketing:write',
    body: strict({
      slug,
      channel,
      description: Type.Optional(description),
      is_active: Type.Optional(flag),
      texts: textsIn,
    }),
    reply: oneTemplate,
    creates: true,
    refusals: ['conflict'],
    run: async ({ tx, body }) =>
      answer(
        await createTemplate(tx, {
          slug: body.slug,
          channel: body.channel,
          description: body.description ?? '',
          isActive: body.is_active ?? true,
          texts: textsOf(body.texts),
        }),
      ),
  }),
  patch('/v1/marketing/templates/{template_id}', {
    summary: 'Change a template',
    description: `Creates a new version. Queued and sent notifications keep their version. Texts are replaced as a whole. ${languageRules}`,
    scope: 'marketing:write',
    params,
    body: changes({ description, is_active: flag, texts: textsIn }),
    reply: oneTemplate,
    versioned: true,
    run: async ({ tx, params, body, ifMatch }) =>
      answer(
        await changeTemplate(tx, params.template_id, {
          changes: {
            ...(body.description !== undefined && { description: body.description }),
            ...(body.is_active !== undefined && { isActive: body.is_active }),
            ...(body.texts && { texts: textsOf(body.texts) }),
          },
          ifMatch,
        }),
      ),
  }),
  del('/v1/marketing/templates/{template_id}', {
    summary: 'Delete a template',
    description: 'No new notifications can use it. Existing ones are still sent and shown.',
    scope: 'marketing:write',
    params,
    reply: oneTemplate,
    versioned: true,
    run: async ({ tx, params, ifMatch }) => answer(await deleteTemplate(tx, params.template_id, ifMatch)),
  }),
  post('/v1/marketing/templates/{template_id}/preview', {
    summary: 'Preview a template',
    description: 'Samples replace missing values. `texts` previews a draft instead of the saved texts.',
    scope: 'marketing:read',
    params,
    body: strict({
      language: Type.Optional(language),
      variables: Type.Optional(variablesIn),
      texts: Type.Optional(textsIn),
    }),
    reply: Type.Object({ preview: contentReply }),
    run: async ({ tx, params, body, language }) => {
      const template = found(await findTemplate(tx, params.template_id))
      const texts = body.texts ? textsOf(body.texts) : template.texts
      const variables = parseVariables(body.variables ?? {})
      refuseInvalidTexts({ ...template, texts })
      return {
        data: {
          preview: contentView(previewTemplate(texts, { language: body.language ?? language, variables })),
        },
      }
    },
  }),
]

export const templateRoutes: Route[] = [...readingRoutes, ...writingRoutes]

function found(it: Template | undefined): Template {
  if (!it) throw refuse('not_found')
  return it
}

function variableReply() {
  return named(
    'TemplateVariable',
    Type.Object({
      path: Type.String({ examples: ['order.lines'] }),
      kind: oneOf(['text', 'number', 'money', 'url', 'list']),
      description: Type.String(),
      sample: Type.Unknown(),
      items: list(Type.String({ examples: ['quantity'] })),
    }),
  )
}

const variableView = (path: string, { kind, description, sample, items = {} }: Variable) => ({
  path,
  kind,
  description,
  sample,
  items: Object.keys(items),
})
