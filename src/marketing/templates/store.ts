// SQL of templates and their versions.

import { violatedUnique, type Reader, type Tx } from '../../base/database.ts'
import { type ListRequest, type ListPage, loadPage } from '../../base/listing.ts'
import type { Channel, Template, Texts } from './template.ts'

const columns = `template.id, slug, channel, description, is_active as "isActive", template.version, version.texts,
  template.created_at as "createdAt", template.updated_at as "updatedAt"`
const current = `marketing_templates template join marketing_template_versions version
  on version.template_id = template.id and version.version = template.version`

export const templateSorts = ['slug', 'created_at'] as const

export function listTemplates(
  read: Reader,
  filter: { channel: Channel | undefined; slug: string | undefined },
  listing: ListRequest,
): Promise<ListPage<Template>> {
  const given = [
    ['channel', filter.channel],
    ['slug', filter.slug],
  ].filter(([, value]) => value !== undefined)
  return loadPage(
    read,
    {
      columns,
      from: current,
      where: ['deleted_at is null', ...given.map(([name], at) => `${name} = $${at + 1}`)],
      values: given.map(([, value]) => value),
      sorts: {
        slug: { by: 'slug', type: 'text' },
        created_at: { by: 'template.created_at', type: 'timestamptz' },
      },
      key: { by: 'template.id', type: 'int8' },
    },
    listing,
  )
}

export const findTemplate = (read: Reader, id: number): Promise<Template | undefined> =>
  read.maybe(`select ${columns} from ${current} where template.id = $1 and deleted_at is null`, [id])

/** Two statements: one that joins would wait, and then not find the version that was added meanwhile. */
export const lockTemplate = async (tx: Tx, id: number): Promise<Template | undefined> => {
  const [, template] = await tx.pipeline(() =>
    Promise.all([
      tx.all(`select 1 from marketing_templates where id = $1 for update`, [id]),
      findTemplate(tx, id),
    ]),
  )
  return template
}

/** Templates of all channels with these slugs. */
export const templatesBySlug = (read: Reader, slugs: readonly string[]): Promise<Template[]> =>
  read.all(`select ${columns} from ${current} where slug = any($1::text[]) and deleted_at is null`, [slugs])

export interface TemplateVersion {
  templateId: number
  version: number
  texts: Texts
  createdAt: Date
}

const versionColumns = `template_id as "templateId", version, texts, created_at as "createdAt"`

/** The newest versions of a template, newest first. */
export const versionsOf = (read: Reader, templateId: number, limit: number): Promise<TemplateVersion[]> =>
  read.all(
    `select ${versionColumns} from marketing_template_versions where template_id = $1 order by version desc limit $2`,
    [templateId, limit],
  )

/** Versions by template and number, also of deleted templates. */
export const findVersions = (
  read: Reader,
  wanted: readonly { templateId: number; version: number }[],
): Promise<TemplateVersion[]> =>
  read.all(
    `select ${versionColumns} from marketing_template_versions
     where (template_id, version) in (select * from unnest($1::int8[], $2::int8[]))`,
    [wanted.map((it) => it.templateId), wanted.map((it) => it.version)],
  )

export type NewTemplate = Pick<Template, 'slug' | 'channel' | 'description' | 'isActive' | 'texts'>

/** Undefined when the slug is taken for the channel. */
export async function insertTemplate(tx: Tx, it: NewTemplate): Promise<Template | undefined> {
  try {
    return await tx.attempt(async () => {
      const { id } = await tx.one<{ id: number }>(
        `insert into marketing_templates (slug, channel, description, is_active, created_at, updated_at)
         values ($1, $2, $3, $4, $5, $5) returning id`,
        [it.slug, it.channel, it.description, it.isActive, tx.now],
      )
      await insertVersion(tx, { templateId: id, version: 1, texts: it.texts })
      return (await findTemplate(tx, id))!
    })
  } catch (error) {
    if (violatedUnique(error) === 'marketing_templates_slug') return undefined
    throw error
  }
}

const insertVersion = (tx: Tx, it: Omit<TemplateVersion, 'createdAt'>): Promise<unknown> =>
  tx.all(
    `insert into marketing_template_versions (template_id, version, texts, created_at) values ($1, $2, $3, $4)`,
    [it.templateId, it.version, JSON.stringify(it.texts), tx.now],
  )

/** Saves a template as its next version. */
export async function updateTemplate(tx: Tx, it: Template): Promise<Template> {
  await insertVersion(tx, { templateId: it.id, version: it.version + 1, texts: it.texts })
  await tx.all(
    `update marketing_templates set description = $2, is_active = $3, version = version + 1, updated_at = $4 where id = $1`,
    [it.id, it.description, it.isActive, tx.now],
  )
  return (await findTemplate(tx, it.id))!
}

export const removeTemplate = (tx: Tx, id: number): void => {
  tx.later(`update marketing_templates set deleted_at = $2 where id = $1`, [id, tx.now])
}
