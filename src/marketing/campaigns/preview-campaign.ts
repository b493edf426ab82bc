// Previews: the audience of a campaign now, and the message that one client would get.

import type { Reader } from '../../base/database.ts'
import { languageOrder, loadShopProfile } from '../../catalog/index.ts'
import { languages } from '../../http/language.ts'
import { contactsOfClients } from '../../identity/index.ts'
import { languagesOf } from '../consents/store.ts'
import { type Rendered, renderTemplate } from '../templates/render.ts'
import { languageFor, type Template, variablesOf } from '../templates/template.ts'
import { type Value, variableAt, type Variables } from '../templates/variables.ts'
import { candidatesAfter, matchingAmong } from './audience.ts'
import type { Campaign } from './campaign.ts'
import { targetKey } from './occasion.ts'
import {
  findCampaignTemplate,
  loadMessageData,
  type MessageSettings,
  missingVariables,
} from './message-data.ts'

const clientsPerPage = 1_000
/** Bounds the work of a preview, however large the shop is. */
const maxPages = 50
const sampleSize = 20

export interface AudiencePreview {
  size: number
  /** False when counting stopped at the limit: the audience is at least this large. */
  isExact: boolean
  sample: number[]
}

/** The current size of the audience, and a sample. */
export async function previewAudience(
  read: Reader,
  campaign: Pick<Campaign, 'audience' | 'channel'>,
): Promise<AudiencePreview> {
  const found: AudiencePreview = { size: 0, isExact: false, sample: [] }
  let after = 0
  for (let page = 0; page < maxPages && !found.isExact; page++) {
    const candidates = await candidatesAfter(read, campaign, { after, limit: clientsPerPage })
    const matching = await matchingAmong(read, campaign, candidates)
    found.size += matching.length
    found.sample.push(...matching.slice(0, sampleSize - found.sample.length))
    found.isExact = candidates.length < clientsPerPage
    after = candidates.at(-1) ?? after
  }
  return found
}

export interface MessagePreview extends Rendered {
  /** False when some of the values are samples. */
  isReal: boolean
}

/** The message that a client would get now; samples replace missing values. */
export async function previewMessage(
  read: Reader,
  settings: MessageSettings,
  { campaign, clientId }: { campaign: Previewed; clientId: number | undefined },
): Promise<MessagePreview | undefined> {
  const template = await findCampaignTemplate(read, campaign)
  if (!template) return undefined
  const variables = await previewVariables(read, settings, { campaign, template, clientId })
  const shop = await loadShopProfile(read)
  const chosen = clientId === undefined ? undefined : (await languagesOf(read, [clientId])).get(clientId)
  const language = languageFor(template.texts, ...languageOrder(shop, chosen))
  return {
    ...renderTemplate(template.texts, { language, variables: variables.filled }),
    isReal: variables.isReal,
  }
}

/** The parts of a campaign that a message depends on. */
type Previewed = Pick<Campaign, 'channel' | 'template' | 'variables' | 'audience' | 'trigger'>

/** A message in every language that the template has and the shop offers, for the first client of the audience. */
export async function previewLanguages(
  read: Reader,
  settings: MessageSettings,
  { campaign, clientId }: { campaign: Previewed; clientId: number | undefined },
): Promise<{ messages: MessagePreview[]; missing: string[] } | undefined> {
  const template = await findCampaignTemplate(read, campaign)
  if (!template) return undefined
  const { filled, isReal } = await previewVariables(read, settings, { campaign, template, clientId })
  const shop = await loadShopProfile(read)
  const offered = languages.filter((it) => template.texts[it] && shop.languages.includes(it))
  // A template with none of them is sent in the language that it has.
  const shown = offered.length > 0 ? offered : [languageFor(template.texts, ...languageOrder(shop))]
  return {
    messages: shown.map((language) => ({
      ...renderTemplate(template.texts, { language, variables: filled }),
      isReal,
    })),
    missing: missingVariables(template, campaign),
  }
}

interface PreviewVariables {
  filled: Variables
  isReal: boolean
}

async function previewVariables(
  read: Reader,
  settings: MessageSettings,
  { campaign, template, clientId }: { campaign: Previewed; template: Template; clientId: number | undefined },
): Promise<PreviewVariables> {
  const target = { clientId: clientId ?? 0, occasion: 'preview' }
  const data =
    clientId === undefined
      ? new Map<string, Variables>()
      : await loadMessageData(read, settings, { campaign, template, targets: [target] })
  const own = data.get(targetKey(target))
  const [contact] = clientId === undefined ? [] : await contactsOfClients(read, [clientId])
  const filled = withSamples(template, {
    custom: campaign.variables,
    shop: { url: settings.shopUrl },
    ...(contact && { client: { name: contact.name } }),
    ...own,
  })
  return { filled, isReal: own !== undefined }
}

function withSamples(template: Template, given: Variables): Variables {
  const filled: Record<string, Record<string, Value>> = Object.fromEntries(
    Object.entries(given).map(([group, values]) => [group, { ...values }]),
  )
  for (const path of variablesOf(template.texts)) {
    const [group = '', name = ''] = path.split('.')
    const values = (filled[group] ??= {})
    values[name] ??= variableAt(path)!.sample
  }
  return filled
}
