import type { Reader } from '../../base/db.ts'
import { contactsOfClients } from '../../identity/index.ts'
import { languagesOf } from '../store/languages.ts'
import { type Rendered, renderTemplate } from '../templates/render.ts'
import { type Template, variablesOf } from '../templates/template.ts'
import { type Value, variableAt, type Variables } from '../templates/variables.ts'
import { candidatesAfter, meantAmong } from './audience.ts'
import type { Campaign } from './campaign.ts'
import { findTemplateOf } from './find-template.ts'
import { nameOf, type Surroundings } from './tellings.ts'
import { toldTo } from './told-to.ts'

const clientsPerPage = 1_000
/** A preview looks at no more clients than these, so that it answers soon however large the shop is. */
const mostPages = 50
const sampleSize = 20

export interface AudiencePreview {
  size: number
  /** Whether everybody was looked at; else there are at least so many. */
  isExact: boolean
  sample: number[]
}

/** How many clients a campaign means now, and some of them. */
export async function previewAudience(
  read: Reader,
  campaign: Pick<Campaign, 'audience' | 'channel'>,
): Promise<AudiencePreview> {
  const found: AudiencePreview = { size: 0, isExact: false, sample: [] }
  let after = 0
  for (let page = 0; page < mostPages && !found.isExact; page++) {
    const candidates = await candidatesAfter(read, campaign, { after, limit: clientsPerPage })
    const meant = await meantAmong(read, campaign, candidates)
    found.size += meant.length
    found.sample.push(...meant.slice(0, sampleSize - found.sample.length))
    found.isExact = candidates.length < clientsPerPage
    after = candidates.at(-1) ?? after
  }
  return found
}

export interface MessagePreview extends Rendered {
  /** Whether it shows what this client would read; else some of its values are samples. */
  isReal: boolean
}

/** What a client would read if his occasion were now; samples stand in for what he has not. */
export async function previewMessage(
  read: Reader,
  surroundings: Surroundings,
  { campaign, clientId }: { campaign: Campaign; clientId: number | undefined },
): Promise<MessagePreview | undefined> {
  const template = await findTemplateOf(read, campaign)
  if (!template) return undefined
  const target = { clientId: clientId ?? 0, occasion: 'preview' }
  const told =
    clientId === undefined
      ? new Map<string, Variables>()
      : await toldTo(read, surroundings, { campaign, template, targets: [target] })
  const own = told.get(nameOf(target))
  const [contact] = clientId === undefined ? [] : await contactsOfClients(read, [clientId])
  const language = clientId === undefined ? undefined : (await languagesOf(read, [clientId])).get(clientId)
  const variables = withSamples(template, {
    custom: campaign.variables,
    shop: { url: surroundings.shopUrl },
    ...(contact && { client: { name: contact.name } }),
    ...own,
  })
  return {
    ...renderTemplate(template.texts, { language: language ?? 'ru', variables }),
    isReal: own !== undefined,
  }
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
