// What a template is, and what is wrong with one before anybody has received it. Nothing here waits or knows SQL.

import type { Language } from '../../http/language.ts'
import { placementFaults } from './placement.ts'
import { type Part, partsOf, UnreadableTemplate } from './placeholders.ts'
import { knownVariables, ownGroup, type Variable, variableAt } from './variables.ts'

export const channels = ['email', 'sms', 'push'] as const
export type Channel = (typeof channels)[number]

/** What is written, in one language. */
export interface Text {
  /** Of mails the subject, of push messages the title. */
  subject: string | null
  text: string
  /** Of mails, beside the plain text. */
  html: string | null
}
export type Texts = Partial<Record<Language, Text>>

export interface Template {
  id: number
  slug: string
  channel: Channel
  description: string
  isActive: boolean
  /** Which of its versions is sent from now on. */
  version: number
  texts: Texts
  createdAt: Date
  updatedAt: Date
}

const fallback = ['ru', 'en', 'uz'] as const

/** The language in which a template is written to somebody who wishes one (contract 3). */
export const languageFor = (texts: Texts, wished: Language): Language =>
  [wished, ...fallback].find((it) => texts[it] !== undefined)!

export interface TemplateFault {
  path: string
  rule: string
  limit?: string | string[]
}

/** Which parts a channel needs, and which it has no place for. */
const forms: Record<Channel, { subject: boolean; html: boolean }> = {
  email: { subject: true, html: true },
  sms: { subject: false, html: false },
  push: { subject: true, html: false },
}

/** Of one language; each may name every variable that there is. */
const mostTold = 20

/** Everything that is wrong with texts for a channel. */
export const faultsOfTexts = (texts: Texts, channel: Channel): TemplateFault[] =>
  Object.entries(texts).flatMap(([language, it]) => {
    const at = `texts.${language}`
    const form = forms[channel]
    return [
      ...(form.subject && it.subject === null ? [{ path: `${at}.subject`, rule: 'required' }] : []),
      ...(!form.subject && it.subject !== null ? [{ path: `${at}.subject`, rule: 'unused' }] : []),
      ...(!form.html && it.html !== null ? [{ path: `${at}.html`, rule: 'unused' }] : []),
      ...(it.subject !== null && /[\r\n]/.test(it.subject)
        ? [{ path: `${at}.subject`, rule: 'one_line' }]
        : []),
      ...faultsOfSource(it.subject ?? '', `${at}.subject`),
      ...faultsOfSource(it.text, `${at}.text`),
      ...faultsOfSource(it.html ?? '', `${at}.html`),
      ...placementFaults(it.html ?? '').map((fault) => ({ path: `${at}.html`, ...fault })),
    ].slice(0, mostTold)
  })

function faultsOfSource(source: string, path: string): TemplateFault[] {
  try {
    return unknownIn(partsOf(source), []).map((it) => ({
      path,
      rule: 'known_variable',
      limit: [it, ...Object.keys(knownVariables), `${ownGroup}.*`],
    }))
  } catch (error) {
    if (!(error instanceof UnreadableTemplate)) throw error
    return [{ path, rule: 'readable', limit: error.placeholder }]
  }
}

type Lists = readonly Record<string, Variable>[]

/** Paths that name nothing we know; within a list, the names of its items count too. */
function unknownIn(parts: readonly Part[], lists: Lists): string[] {
  return parts.flatMap((part) => {
    if (part.kind === 'text') return []
    const variable = variableIn(part.path, lists)
    if (!variable || (part.kind === 'value' && variable.kind === 'list')) return [part.path]
    // A list for every item of a list would be as long as both of them multiplied.
    if (part.kind === 'section' && variable.items && lists.length > 0) return [part.path]
    if (part.kind === 'value') return []
    return unknownIn(part.parts, variable.items ? [variable.items, ...lists] : lists)
  })
}

export const variableIn = (path: string, lists: Lists): Variable | undefined =>
  lists.find((it) => Object.hasOwn(it, path))?.[path] ?? variableAt(path)

/** The variables that texts use, outermost only, in alphabetical order: what a sender must bring along. */
export function variablesOf(texts: Texts): string[] {
  const sources = Object.values(texts).flatMap((it) => [it.subject ?? '', it.text, it.html ?? ''])
  return [...new Set(sources.flatMap((it) => pathsIn(partsOf(it), [])))].toSorted()
}

const pathsIn = (parts: readonly Part[], lists: Lists): string[] =>
  parts.flatMap((part) => {
    if (part.kind === 'text') return []
    const isOfItem = lists.some((it) => Object.hasOwn(it, part.path))
    const own = isOfItem ? [] : [part.path]
    if (part.kind === 'value') return own
    const items = variableIn(part.path, lists)?.items
    return [...own, ...pathsIn(part.parts, items ? [items, ...lists] : lists)]
  })
