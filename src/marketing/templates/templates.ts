import type { Tx } from '../../base/database.ts'
import { publish } from '../../base/outbox.ts'
import { conflict } from '../../base/conflict.ts'
import { refuse } from '../../base/refusal.ts'
import { insertTemplate, type NewTemplate, lockTemplate, updateTemplate, removeTemplate } from './store.ts'
import { textViolations, type Template, variablesOf, type Texts } from './template.ts'
import { isDeepStrictEqual } from 'node:util'
import { type IfMatch, requireVersion } from '../../http/version.ts'
import type { Language } from '../../http/language.ts'
import { type Rendered, renderTemplate } from './render.ts'
import { knownVariables, customGroup, type Value, type Variables } from './variables.ts'

/** Slugs are unique per channel. */
export async function createTemplate(tx: Tx, input: NewTemplate): Promise<Template> {
  refuseInvalidTexts(input)
  const template = await insertTemplate(tx, input)
  if (!template) throw conflict('slug_taken', { slug: input.slug, channel: input.channel })
  const { id: templateId, slug, channel } = template
  publish(tx, { type: 'TemplateCreated', templateId, slug, channel })
  return template
}

/** Refuses texts with syntax errors, unsafe HTML, or variables that are never available. */
export function refuseInvalidTexts({
  slug,
  channel,
  texts,
}: Pick<Template, 'slug' | 'channel' | 'texts'>): void {
  const fields = textViolations(texts, channel)
  if (fields.length > 0) throw refuse('validation_failed', { fields })
  const given = variablesGivenTo(slug)
  const ungiven = given ? variablesOf(texts).filter((it) => !given.includes(it)) : []
  if (ungiven.length > 0)
    throw refuse('validation_failed', {
      fields: ungiven.map((unknown) => ({
        path: 'texts',
        rule: 'known_variable',
        limit: [unknown, ...given!],
      })),
    })
}

export type TemplateChanges = Partial<Pick<Template, 'description' | 'isActive' | 'texts'>>

/** Creates a new version. Queued and sent notifications keep the version that they were created with. */
export async function changeTemplate(
  tx: Tx,
  id: number,
  { changes, ifMatch }: { changes: TemplateChanges; ifMatch: IfMatch | undefined },
): Promise<Template> {
  const before = await lockTemplate(tx, id)
  if (!before) throw refuse('not_found')
  requireVersion(before, ifMatch)
  const after = { ...before, ...changes }
  if (isDeepStrictEqual(after, before)) return before
  refuseInvalidTexts(after)
  const saved = await updateTemplate(tx, after)
  const { slug, channel, version } = saved
  publish(tx, { type: 'TemplateChanged', templateId: id, slug, channel, version })
  return saved
}

/** Deletes a template. Notifications that were created from it can still be sent and shown. */
export async function deleteTemplate(tx: Tx, id: number, ifMatch: IfMatch | undefined): Promise<Template> {
  const template = await lockTemplate(tx, id)
  if (!template) throw refuse('not_found')
  requireVersion(template, ifMatch)
  removeTemplate(tx, id)
  const { slug, channel } = template
  publish(tx, { type: 'TemplateDeleted', templateId: id, slug, channel })
  return template
}

/** Renders a template with some values; samples replace the missing ones. */
export function previewTemplate(
  texts: Texts,
  { language, variables }: { language: Language; variables: Variables },
): Rendered {
  const samples = samplesFor(texts)
  const groups = new Set([...Object.keys(samples), ...Object.keys(variables)])
  const all = Object.fromEntries([...groups].map((it) => [it, { ...samples[it], ...variables[it] }]))
  return renderTemplate(texts, { language, variables: all })
}

/** Samples of all variables that a template uses; of custom ones, their names. */
function samplesFor(texts: Texts): Record<string, Record<string, Value>> {
  const samples: Record<string, Record<string, Value>> = {}
  for (const path of variablesOf(texts)) {
    const [group = '', name = ''] = path.split('.')
    const sample = group === customGroup ? name : knownVariables[path]!.sample
    samples[group] = { ...samples[group], [name]: sample }
  }
  return samples
}

// Templates of the platform's own messages, and the variables that are available to them. One that needs other
// variables could never be sent, so it is not saved.

const order = [
  'order.id',
  'order.total',
  'order.address',
  'order.lines',
  'order.carrier',
  'order.tracking_number',
]
const always = ['client.name', 'shop.url']

export const builtInTemplates = {
  'order-placed': [...always, ...order],
  'order-shipped': [...always, ...order],
  'password-reset': [...always, 'password_reset.url'],
  'member-password-reset': [...always, 'password_reset.url'],
} as const satisfies Record<string, readonly string[]>

/** The variables available to a template by its slug; undefined when its sender decides. */
export const variablesGivenTo = (slug: string): readonly string[] | undefined =>
  Object.hasOwn(builtInTemplates, slug) ? builtInTemplates[slug as keyof typeof builtInTemplates] : undefined
