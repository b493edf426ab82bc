// A form that sends the operation to the test environment. The script of the page sends it; without the script it is hidden.

import { type Html, html } from '../http/html.ts'
import type { OpenApi, Parameter } from '../http/openapi.ts'
import { exampleOf } from '../http/openapi-example.ts'
import { codeText } from './code.ts'
import { type Call, isInSdk, isStream } from './snippets.ts'

/** Streams do not end, uploads are files, and OAuth is for the credentials of an application. */
const isSendable = (call: Call): boolean =>
  isInSdk(call) &&
  !isStream(call) &&
  Object.values(call.operation.requestBody?.content ?? {}).every((it) => typeof it.example !== 'string')

/** `document` shows where the ids of path parameters can be listed. */
export function tryPanel(call: Call, document: OpenApi): Html | false {
  if (!isSendable(call)) return false
  const { operation, method, path, parameters } = call
  const id = operation.operationId
  const fields = parameters.filter((it) => it.in === 'path' || it.in === 'query')
  const body = operation.requestBody?.content['application/json']?.example
  return html`<details class="card try on-script">
    <summary>Try it</summary>
    <form data-method="${method}" data-path="${path}" aria-label="Try ${operation.summary}">
      ${fields.map((it) => fieldOf(it, id, listOf(call, it, document)))}
      ${
        body !== undefined &&
        html`<label for="try-${id}-body">Body</label>
          <textarea id="try-${id}-body" name="body" rows="6" spellcheck="false">
${codeText(JSON.stringify(body, null, 2))}</textarea>`
      }
      <p class="row-of-buttons">
        <button type="submit">Send</button>
        ${method !== 'GET' && html`<label><input type="checkbox" name="dry-run" checked /> Dry run</label>`}
      </p>
      <output hidden></output>
    </form>
  </details>`
}

/** The address that lists the objects of a path parameter, and the field of its reply that holds them. */
function listOf({ path, operation }: Call, { name, in: place }: Parameter, document: OpenApi) {
  const needs = operation['x-example']?.needs ?? []
  if (place !== 'path' || needs.every((it) => it.field !== name)) return undefined
  const [before = ''] = path.split(`/{${name}}`)
  const lists = [before, `/v1${before}`].filter((it) => !it.includes('{') && document.paths[it]?.['get'])
  return lists[0]
}

function fieldOf(
  { name, in: place, required, example, schema }: Parameter,
  id: string,
  list: string | undefined,
): Html {
  const given = String(example ?? (required ? exampleOf(schema) : ''))
  const choices = schema.type === 'boolean' ? ['true', 'false'] : schema.enum?.map(String)
  if (choices) return choiceOf({ name, place, required: required === true, given, choices }, id)
  return html`<label for="try-${id}-${name}">${name}${required && html` <span>required</span>`}</label>
    <input
      id="try-${id}-${name}"
      name="${name}"
      data-in="${place}"
      ${list && html`data-list="${list}"`}
      value="${given}"
      spellcheck="false"
      autocomplete="off"
    />`
}

interface Choice {
  name: string
  place: string
  required: boolean
  given: string
  choices: string[]
}

const choiceOf = ({ name, place, required, given, choices }: Choice, id: string): Html =>
  html`<label for="try-${id}-${name}">${name}${required && html` <span>required</span>`}</label>
    <select id="try-${id}-${name}" name="${name}" data-in="${place}">
      ${!required && html`<option value="">–</option>`}
      ${choices.map((it) =>
        it === given
          ? html`<option value="${it}" selected>${it}</option>`
          : html`<option value="${it}">${it}</option>`,
      )}
    </select>`
