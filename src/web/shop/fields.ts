// Fields of forms, with their problems beside them.

import { html, type Html } from '../../http/html.ts'
import type { Visit } from './visit.ts'

export interface FieldOptions {
  name: string
  label: string
  type?: 'text' | 'tel' | 'email' | 'password'
  value?: string | undefined
  hint?: string
  isOptional?: boolean
  autocomplete?: string
  inputmode?: 'numeric' | 'tel'
  problem?: string | undefined
  placeholder?: string
}

export function field({ texts }: Visit, it: FieldOptions): Html {
  const described = it.problem === undefined ? it.hint && `${it.name}-hint` : `${it.name}-problem`
  return html`<div class="field">
    <label for="${it.name}">${it.label}${it.isOptional && html` <small>(${texts.optional})</small>`}</label>
    <input
      id="${it.name}"
      name="${it.name}"
      type="${it.type ?? 'text'}"
      value="${it.value}"
      maxlength="200"
      ${it.autocomplete && html`autocomplete="${it.autocomplete}"`}
      ${it.inputmode && html`inputmode="${it.inputmode}"`}
      ${it.placeholder && html`placeholder="${it.placeholder}"`}
      ${!it.isOptional && html`required`}
      ${described && html`aria-describedby="${described}"`}
      ${it.problem !== undefined && html`aria-invalid="true"`}
    />
    ${it.problem !== undefined && html`<p class="field-problem" id="${it.name}-problem">${it.problem}</p>`}
    ${it.problem === undefined && it.hint && html`<small id="${it.name}-hint">${it.hint}</small>`}
  </div>`
}
