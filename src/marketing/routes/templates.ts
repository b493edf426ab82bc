// The paths of templates.

import { Type } from 'typebox'
import { refuse } from '../../base/refusal.ts'
import { listingOf, listQuery, pagination, paginationView } from '../../http/listing.ts'
import { del, get, patch, post, type Route } from '../../http/route.ts'
import { changes, flag, id, list, named, oneOf, slug, strict, text } from '../../http/schema.ts'
import { changeTemplate } from '../templates/change-template.ts'
import { createTemplate, refuseFaulty } from '../templates/create-template.ts'
import { deleteTemplate } from '../templates/delete-template.ts'
import { givenVariables } from '../templates/given-variables.ts'
import { previewTemplate } from '../templates/preview-template.ts'
import type { Template } from '../templates/template.ts'
import { knownVariables, type Variable } from '../templates/variables.ts'
import { findTemplate, listTemplates, templateSorts, versionsOf } from '../store/templates.ts'
import {
  channel,
  contentReply,
  contentView,
  language,
  templateReply,
  templateView,
  textsIn,
  textsOf,
  variablesIn,
  versionReply,
  versionView,
} from './wire.ts'

const params = { template_id: id }
const oneTemplate = Type.Object({ template: templateReply })
const answer = (it: Template) => ({ data: { template: templateView(it) }, version: it.version })
const description = text({ min: 0, max: 500, examples: ['After an order was made'] })
const mostVersions = 100

const language3 =
  'Texts in `ru`, `uz` and `en`; who wants a language that is missing gets `ru`, else `en`, else `uz`.'
const placeholders =
  '`{{order.id}}` shows a value, `{{#order.lines}}…{{/order.lines}}` repeats for every item, or shows when a value is there. Values are escaped in HTML; there they may stand in text, or in quoted attributes that hold words or an address, such as `alt`, `title`, `href` and `src`. A variable that nobody knows is refused with the list of those that are known.'

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
      'The newest hundred. A version never changes: what was sent with it can be shown as it was sent.',
    scope: 'marketing:read',
    params,
    reply: Type.Object({ versions: list(versionReply, mostVersions) }),
    run: async ({ read, params }) => {
      const { id } = found(await findTemplate(read, params.template_id))
      return { data: { versions: (await versionsOf(read, id, mostVersions)).map(versionView) } }
    },
  }),
  get('/v1/marketing/template-variables', {
    summary: 'List what templates may show',
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
    description: `${language3} ${placeholders}`,
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
    description: `Makes a new version. What is queued or sent keeps the version it was written with. Texts are replaced as a whole. ${language3}`,
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
    description: 'Nothing more is written with it. What was written is still sent and shown.',
    scope: 'marketing:write',
    params,
    reply: oneTemplate,
    versioned: true,
    run: async ({ tx, params, ifMatch }) => answer(await deleteTemplate(tx, params.template_id, ifMatch)),
  }),
  post('/v1/marketing/templates/{template_id}/preview', {
    summary: 'Look at a template with sample values',
    description:
      'What you leave out is filled with samples. `texts` shows a draft in place of what is saved.',
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
      const variables = givenVariables(body.variables ?? {})
      refuseFaulty({ ...template, texts })
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
      meaning: Type.String(),
      sample: Type.Unknown(),
      items: list(Type.String({ examples: ['quantity'] })),
    }),
  )
}

const variableView = (path: string, { kind, meaning, sample, items = {} }: Variable) => ({
  path,
  kind,
  meaning,
  sample,
  items: Object.keys(items),
})
