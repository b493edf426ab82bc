import type { Tx } from '../../base/db.ts'
import { publish } from '../../base/outbox.ts'
import { refuse } from '../../base/refusal.ts'
import { refuseStale } from '../../http/version.ts'
import { lockTemplate, removeTemplate } from '../store/templates.ts'
import type { Template } from './template.ts'

/** Nothing more is written with it; what was can still be shown and sent. */
export async function deleteTemplate(tx: Tx, id: number, ifMatch: number | undefined): Promise<Template> {
  const template = await lockTemplate(tx, id)
  if (!template) throw refuse('not_found')
  refuseStale(template, ifMatch)
  await removeTemplate(tx, id)
  const { slug, channel } = template
  await publish(tx, { type: 'TemplateDeleted', templateId: id, slug, channel })
  return template
}
