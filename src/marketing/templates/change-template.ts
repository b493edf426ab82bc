import { isDeepStrictEqual } from 'node:util'
import type { Tx } from '../../base/db.ts'
import { publish } from '../../base/outbox.ts'
import { refuse } from '../../base/refusal.ts'
import { refuseStale } from '../../http/version.ts'
import { lockTemplate, updateTemplate } from '../store/templates.ts'
import { refuseFaulty } from './create-template.ts'
import type { Template } from './template.ts'

export type TemplateChanges = Partial<Pick<Template, 'description' | 'isActive' | 'texts'>>

/** Changes what is named, as a new version. What is queued or sent already keeps the version that it was written with. */
export async function changeTemplate(
  tx: Tx,
  id: number,
  { changes, ifMatch }: { changes: TemplateChanges; ifMatch: number | undefined },
): Promise<Template> {
  const before = await lockTemplate(tx, id)
  if (!before) throw refuse('not_found')
  refuseStale(before, ifMatch)
  const after = { ...before, ...changes }
  if (isDeepStrictEqual(after, before)) return before
  refuseFaulty(after)
  const saved = await updateTemplate(tx, after)
  const { slug, channel, version } = saved
  await publish(tx, { type: 'TemplateChanged', templateId: id, slug, channel, version })
  return saved
}
