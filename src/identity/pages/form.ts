// HTML of form fields with their error texts, and of hidden values.

import { Html, html } from '../../http/html.ts'

export interface Field {
  name: string
  label: string
  /** Shown after the label, for example "optional". */
  aside?: string
  hint?: string
  type: 'text' | 'password' | 'email' | 'tel'
  autocomplete: string
  value?: string | undefined
  /** The error text shown beside the field. */
  problem?: string | undefined
  autofocus?: boolean
}

export function field(it: Field): Html {
  const text = [it.problem !== undefined && `${it.name}-problem`, it.hint !== undefined && `${it.name}-hint`]
  const described = text.filter(Boolean).join(' ')
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

/** Renders fields with submitted values (except passwords) and errors. The first field with an error gets the focus. */
export function fieldsHtml(fields: readonly Field[], { values = {}, problems = {} }: Filled): Html[] {
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

/** An error of the whole form; screen readers announce it at once. */
export const alert = (problem: string | undefined): Html | undefined =>
  problem === undefined ? undefined : html`<p class="alert" role="alert">${problem}</p>`
