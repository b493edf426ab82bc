// A template, and the checks before it is saved. Pure.

import type { Language } from '../../http/language.ts'
import { htmlViolations } from './html-policy.ts'
import { type Part, parseTemplate, TemplateSyntaxError } from './placeholders.ts'
import { knownVariables, customGroup, type Variable, variableAt } from './variables.ts'

export const channels = ['email', 'sms', 'push'] as const
export type Channel = (typeof channels)[number]

/** The text in one language. */
export interface Text {
  /** The subject of e-mails, the title of push messages. */
  subject: string | null
  text: string
  /** E-mails only, beside the plain text. */
  html: string | null
}
export type Texts = Partial<Record<Language, Text>>

export interface Template {
  id: number
  slug: string
  channel: Channel
  description: string
  isActive: boolean
  /** The version that new notifications use. */
  version: number
  texts: Texts
  createdAt: Date
  updatedAt: Date
}

const fallback = ['ru', 'en', 'uz'] as const

/** The language to use for a reader who prefers these, in this order (contract 3). */
export const languageFor = (texts: Texts, ...preferred: readonly Language[]): Language =>
  [...preferred, ...fallback].find((it) => texts[it] !== undefined)!

export interface TemplateViolation {
  path: string
  rule: string
  limit?: string | string[]
}

/** The parts that a channel requires; the others are not allowed. */
const channelParts: Record<Channel, { subject: boolean; html: boolean }> = {
  email: { subject: true, html: true },
  sms: { subject: false, html: false },
  push: { subject: true, html: false },
}

/** Per language; each violation may list all known variables. */
const maxReported = 20

/** All violations in the texts of a channel. */
export const textViolations = (texts: Texts, channel: Channel): TemplateViolation[] =>
  Object.entries(texts).flatMap(([language, it]) => {
    const at = `texts.${language}`
    const parts = channelParts[channel]
    return [
      ...(parts.subject && it.subject === null ? [{ path: `${at}.subject`, rule: 'required' }] : []),
      ...(!parts.subject && it.subject !== null ? [{ path: `${at}.subject`, rule: 'unused' }] : []),
      ...(!parts.html && it.html !== null ? [{ path: `${at}.html`, rule: 'unused' }] : []),
      ...(it.subject !== null && /[\r\n]/.test(it.subject)
        ? [{ path: `${at}.subject`, rule: 'one_line' }]
        : []),
      ...sourceViolations(it.subject ?? '', `${at}.subject`),
      ...sourceViolations(it.text, `${at}.text`),
      ...sourceViolations(it.html ?? '', `${at}.html`),
      ...htmlViolations(it.html ?? '').map((fault) => ({ path: `${at}.html`, ...fault })),
    ].slice(0, maxReported)
  })

function sourceViolations(source: string, path: string): TemplateViolation[] {
  try {
    return unknownVariables(parseTemplate(source), []).map((it) => ({
      path,
      rule: 'known_variable',
      limit: [it, ...Object.keys(knownVariables), `${customGroup}.*`],
    }))
  } catch (error) {
    if (!(error instanceof TemplateSyntaxError)) throw error
    return [{ path, rule: 'template_syntax', limit: error.placeholder }]
  }
}

type Lists = readonly Record<string, Variable>[]

/** Paths of unknown variables; inside a list the names of its item fields are known too. */
function unknownVariables(parts: readonly Part[], lists: Lists): string[] {
  return parts.flatMap((part) => {
    if (part.kind === 'text') return []
    const variable = variableIn(part.path, lists)
    if (!variable || (part.kind === 'value' && variable.kind === 'list')) return [part.path]
    // A list inside a list would multiply the lengths of both.
    if (part.kind === 'section' && variable.items && lists.length > 0) return [part.path]
    if (part.kind === 'value') return []
    return unknownVariables(part.parts, variable.items ? [variable.items, ...lists] : lists)
  })
}

export const variableIn = (path: string, lists: Lists): Variable | undefined =>
  lists.find((it) => Object.hasOwn(it, path))?.[path] ?? variableAt(path)

/** The variables that a sender must pass, without item fields, in alphabetical order. */
export function variablesOf(texts: Texts): string[] {
  return [...new Set(sourcesOf(texts).flatMap((it) => pathsIn(parseTemplate(it), [])))].toSorted()
}

/** Whether a text prints this value outside a section that is left out without it. */
export const printsAlways = (texts: Texts, path: string): boolean =>
  sourcesOf(texts).some((it) => hasUnguarded(parseTemplate(it), path))

const hasUnguarded = (parts: readonly Part[], path: string): boolean =>
  parts.some(
    (part) =>
      (part.kind === 'value' && part.path === path) ||
      (part.kind === 'section' && part.path !== path && hasUnguarded(part.parts, path)),
  )

const sourcesOf = (texts: Texts): string[] =>
  Object.values(texts).flatMap((it) => [it.subject ?? '', it.text, it.html ?? ''])

const pathsIn = (parts: readonly Part[], lists: Lists): string[] =>
  parts.flatMap((part) => {
    if (part.kind === 'text') return []
    const isOfItem = lists.some((it) => Object.hasOwn(it, part.path))
    const own = isOfItem ? [] : [part.path]
    if (part.kind === 'value') return own
    const items = variableIn(part.path, lists)?.items
    return [...own, ...pathsIn(part.parts, items ? [items, ...lists] : lists)]
  })
