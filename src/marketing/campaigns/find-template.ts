import type { Reader } from '../../base/db.ts'
import { templatesBySlug } from '../store/templates.ts'
import type { Template } from '../templates/template.ts'
import type { CampaignRecord } from './campaign.ts'

/** The template of a campaign for its channel. */
export const findTemplateOf = async (
  read: Reader,
  { template, channel }: Pick<CampaignRecord, 'template' | 'channel'>,
): Promise<Template | undefined> =>
  (await templatesBySlug(read, [template])).find((it) => it.channel === channel)
