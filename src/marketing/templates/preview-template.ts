import type { Language } from '../../http/language.ts'
import { type Rendered, renderTemplate } from './render.ts'
import type { Texts } from './template.ts'
import { knownVariables, ownGroup, type Value, type Variables } from './variables.ts'
import { variablesOf } from './template.ts'

/** How a template looks with some values; the samples of the table stand in for the rest. */
export function previewTemplate(
  texts: Texts,
  { language, variables }: { language: Language; variables: Variables },
): Rendered {
  const samples = samplesFor(texts)
  const groups = new Set([...Object.keys(samples), ...Object.keys(variables)])
  const all = Object.fromEntries([...groups].map((it) => [it, { ...samples[it], ...variables[it] }]))
  return renderTemplate(texts, { language, variables: all })
}

/** A sample of everything that a template uses; of one's own, its name. */
function samplesFor(texts: Texts): Record<string, Record<string, Value>> {
  const samples: Record<string, Record<string, Value>> = {}
  for (const path of variablesOf(texts)) {
    const [group = '', name = ''] = path.split('.')
    const sample = group === ownGroup ? name : knownVariables[path]!.sample
    samples[group] = { ...samples[group], [name]: sample }
  }
  return samples
}
