import type { Reader } from '../../base/db.ts'
import { givenWhenSent } from '../templates/render.ts'
import { type Template, variablesOf } from '../templates/template.ts'
import type { Variables } from '../templates/variables.ts'
import type { Campaign, CampaignRecord } from './campaign.ts'
import { demandsOf } from './audience.ts'
import { conditions } from './conditions.ts'
import { cueOf, cues, type Found } from './cues.ts'
import { nameOf, type Surroundings, type TellingName, tellings, type Told } from './tellings.ts'

/**
 * All that a template can say to targets. Who is missing has no occasion any more: that of the cue always, and those of
 * conditions when the template speaks of them.
 */
export async function toldTo(
  read: Reader,
  surroundings: Surroundings,
  { campaign, template, targets }: { campaign: Campaign; template: Template; targets: readonly Found[] },
): Promise<Told> {
  const used = variablesOf(template.texts)
  const { own, others } = tellingsOf(campaign)
  const needed = others.filter((it) => tellings[it].names.some((name) => used.includes(name)))
  const custom = { custom: campaign.variables }
  let told: Told = new Map(targets.map((it) => [nameOf(it), custom]))
  for (const name of new Set([...own, ...needed])) {
    const left = targets.filter((it) => told.has(nameOf(it)))
    const more = await tellings[name].tell(read, surroundings, { targets: left, ...campaign })
    told = new Map(
      [...more].map(([target, variables]): [string, Variables] => [
        target,
        { ...told.get(target), ...variables },
      ]),
    )
  }
  return told
}

/** Variables that a template uses and a campaign cannot fill. */
export function unfilled(
  template: Template,
  campaign: Pick<CampaignRecord, 'when' | 'audience' | 'variables'>,
): string[] {
  const { own, others } = tellingsOf(campaign)
  const filled = new Set([
    'client.name',
    ...givenWhenSent,
    ...Object.keys(campaign.variables).map((it) => `custom.${it}`),
    ...[...own, ...others].flatMap((it) => tellings[it].names),
  ])
  return variablesOf(template.texts).filter((it) => !filled.has(it))
}

function tellingsOf({ when, audience }: Pick<CampaignRecord, 'when' | 'audience'>) {
  const own: TellingName[] = [cues[cueOf(when)].telling].filter((it) => it !== undefined)
  const others = demandsOf(audience)
    .filter((it) => !it.isNegated)
    .flatMap((it): TellingName[] => [conditions[it.kind].telling ?? []].flat())
  return { own, others }
}
