import type { Tx } from '../../base/db.ts'
import { publish } from '../../base/outbox.ts'
import { refuse } from '../../base/refusal.ts'
import { insertTemplate, type NewTemplate } from '../store/templates.ts'
import { givenTo } from './house.ts'
import { faultsOfTexts, type Template, variablesOf } from './template.ts'

/** Makes a template; a slug has one for each channel. */
export async function createTemplate(tx: Tx, record: NewTemplate): Promise<Template> {
  refuseFaulty(record)
  const template = await insertTemplate(tx, record)
  if (!template)
    throw refuse('conflict', { reason: 'slug_taken', slug: record.slug, channel: record.channel })
  const { id: templateId, slug, channel } = template
  await publish(tx, { type: 'TemplateCreated', templateId, slug, channel })
  return template
}

/** Refuses texts that cannot be read, shown safely, or ever be sent. */
export function refuseFaulty({ slug, channel, texts }: Pick<Template, 'slug' | 'channel' | 'texts'>): void {
  const fields = faultsOfTexts(texts, channel)
  if (fields.length > 0) throw refuse('validation_failed', { fields })
  const given = givenTo(slug)
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
