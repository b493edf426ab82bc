// Compares the published events with src/events.ts: their fields, no others, and of the declared types. Every platform
// of a test checks its events when it closes; the runner lists the types that no test published.

import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { Type } from 'typebox'
import type { Reader } from '../../src/base/transaction.ts'
import { events, type EventType } from '../../src/events.ts'

/** More are not read: a test that publishes so many repeats itself. */
const maxRead = 5_000

interface Published {
  type: EventType
  fields: Record<string, unknown>
}

const formats = { 'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/ }
const ajv = new Ajv2020({ strict: false, formats })
const compiled = new Map<EventType, ValidateFunction>()

function validatorOf(type: EventType): ValidateFunction {
  const known = compiled.get(type)
  if (known) return known
  const made = ajv.compile(Type.Object(events[type].fields, { additionalProperties: false }))
  compiled.set(type, made)
  return made
}

/** What is wrong with an event; undefined when it is as declared. */
export function faultOf({ type, fields }: Published): string | undefined {
  if (!Object.hasOwn(events, type)) return `${type} is not in src/events.ts`
  const validate = validatorOf(type)
  if (validate(fields)) return undefined
  return `${type}: ${ajv.errorsText(validate.errors?.slice(0, 5))} in ${JSON.stringify(fields).slice(0, 500)}`
}

/** Checks the stored events, and notes their types for the runner. */
export async function faultyEvents(reader: Reader): Promise<string[]> {
  const published = await reader.all<Published>(
    `select type, fields from outbox_events order by sequence limit ${maxRead}`,
  )
  recordSeen(new Set(published.map((it) => it.type)))
  return [...new Set(published.map(faultOf).filter((it) => it !== undefined))]
}

const noteOfRun = () => process.env['BOZOR_TEST_EVENTS']

function recordSeen(types: ReadonlySet<string>): void {
  const file = noteOfRun()
  if (file && types.size > 0) appendFileSync(file, `${[...types].join('\n')}\n`)
}

/** The types that no platform of the run published. */
export function unseenEvents(): string[] {
  const file = noteOfRun()
  const seen = new Set(file && existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [])
  return Object.keys(events).filter((it) => !seen.has(it))
}
