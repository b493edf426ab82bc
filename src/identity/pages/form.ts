// The parts of a form: fields that say what is wrong with them, and values that travel unseen.

import { Html, html } from '../../http/docs-html.ts'

export interface Field {
  name: string
  label: string
  /** Said after the label, such as that it may be left out. */
  aside?: string
  hint?: string
  type: 'text' | 'password' | 'email' | 'tel'
  autocomplete: string
  value?: string | undefined
  /** Why the value cannot be taken, in a sentence beside the field. */
  problem?: string | undefined
  autofocus?: boolean
}

export function field(it: Field): Html {
  const said = [it.problem !== undefined && `${it.name}-problem`, it.hint !== undefined && `${it.name}-hint`]
  const described = said.filter(Boolean).join(' ')
  return html`<div class="field">
    <label for="${it.name}"
      >${it.label} ${it.aside !== undefined && html`<small>(${it.aside})</small>`}</label
    >
    <input
      id="${it.name}"
      name="${it.name}"
      type="${it.type}"
      autocomplete="${it.autocomplete}"
      value="${it.value ?? ''}"
      maxlength="254"
      ${it.type !== 'password' && new Html('autocapitalize="none" spellcheck="false"')}
      ${described !== '' && html`aria-describedby="${described}"`}
      ${it.problem !== undefined && new Html('aria-invalid="true"')}
      ${it.autofocus === true && new Html('autofocus')}
    />
    ${it.hint !== undefined && html`<p class="hint" id="${it.name}-hint">${it.hint}</p>`}
    ${it.problem !== undefined && html`<p class="wrong" id="${it.name}-problem">${it.problem}</p>`}
  </div>`
}

interface Filled {
  values?: Record<string, string | undefined>
  problems?: Record<string, string | undefined>
}

/** Fields with what was sent, but for passwords, and what is wrong with it; one begins where something is, else at the first. */
export function filledIn(fields: readonly Field[], { values = {}, problems = {} }: Filled): Html[] {
  const start = fields.find(({ name }) => problems[name] !== undefined) ?? fields[0]
  return fields.map((it) =>
    field({
      ...it,
      value: it.type === 'password' ? undefined : values[it.name],
      problem: problems[it.name],
      autofocus: it === start,
    }),
  )
}

export const hiddenFields = (values: Record<string, string>): Html =>
  html`${Object.entries(values).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}`

/** What is wrong with the whole form; read out at once by a screen reader. */
export const alert = (problem: string | undefined): Html | undefined =>
  problem === undefined ? undefined : html`<p class="alert" role="alert">${problem}</p>`
