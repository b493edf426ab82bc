// Commands about one resource: each action is a route of the API, called in this process.

import type { ParseArgsOptionsConfig } from 'node:util'
import { openApp } from '../app.ts'
import { elapsedMs } from '../base/clock.ts'
import { loadClockOffset } from '../base/shop.ts'
import { Refusal } from '../base/refusal.ts'
import { memoryCounter } from '../http/rate-limit.ts'
import { callRoute, type RouteCall } from './call-route.ts'
import {
  type Command,
  type CommandArguments,
  type CommandContext,
  CommandError,
  environmentOf,
  table,
  UsageError,
} from './command.ts'
import { refusalText } from './refusal-text.ts'
import { withStorage } from './storage.ts'

// The data of a reply, as JSON has it.
type Data = Record<string, unknown>

export interface Action {
  /** The arguments after the name of the action. */
  usage: string
  summary: string
  /** How many arguments are needed. */
  needs: number
  call(positionals: string[], flags: CommandArguments['flags']): RouteCall
  /** The reply for people. */
  show(data: Data): string
}

export interface ResourceDeclaration {
  name: string
  help: string
  options: ParseArgsOptionsConfig
  actions: Record<string, Action>
}

export function resourceCommand({ name, help, options, actions }: ResourceDeclaration): Command {
  const usages = Object.entries(actions).map(([action, it]) => `${action} ${it.usage}`.trim())
  const width = Math.max(...usages.map((it) => it.length))
  const lines = Object.values(actions).map((it, at) => `  ${usages[at]!.padEnd(width)}  ${it.summary}`)
  return {
    usage: `${Object.keys(actions).join(' | ')} [--env live|test] [--json]`,
    help: `${help}\n\n${lines.join('\n')}\n\n  --env ENV   live or test (default test)\n  --json      print the reply of the API as JSON`,
    actions: Object.keys(actions),
    // Each action has its own number.
    mostArguments: Infinity,
    options: { ...options, env: { type: 'string' }, json: { type: 'boolean' } },
    run: async (context, args) => {
      const [actionName = 'list', ...rest] = args.positionals
      const action = actions[actionName]
      if (!action) throw new UsageError(`use "${name} ${Object.keys(actions).join('", "')}"`)
      if (rest.length < action.needs) throw new UsageError(`use "${name} ${actionName} ${action.usage}"`)
      if (rest.length > mostOf(action)) throw new UsageError(`use "${name} ${actionName} ${action.usage}"`)
      const data = await perform(
        context,
        { name, environment: environmentOf(args) },
        action.call(rest, args.flags),
      ).catch((error: unknown) => {
        throw withHint(error, name)
      })
      context.print(args.flags['json'] ? JSON.stringify(data) : action.show(data))
      return 0
    },
  }
}

/** How many arguments an action takes: the words in capitals of its usage that belong to no option. */
const mostOf = ({ usage }: Action): number =>
  usage.replaceAll(/\[.*?\]|--\S+ \S+/g, '').match(/[A-Z_]{2,}/g)?.length ?? 0

/** Where to find what was named wrongly. */
function withHint(error: unknown, name: string): unknown {
  return error instanceof Refusal && error.code === 'not_found'
    ? new CommandError(`${refusalText(error)} "bozor ${name} list" lists what there is.`, 'not_found')
    : error
}

const perform = (
  context: CommandContext,
  { name, environment }: { name: string; environment: 'live' | 'test' },
  call: RouteCall,
): Promise<Data> =>
  withStorage(context, name, async ({ connection }) => {
    const app = openApp({ ...context, connection, counter: memoryCounter(elapsedMs) })
    try {
      await loadClockOffset(app.shops[environment])
      const { timezone } = context.config
      return (await callRoute(app, { environment, timezone }, call)) as Data
    } finally {
      await app.close()
    }
  })

/** A table of some fields of the rows; `total.amount` is a field within a field. */
export function rowsText(rows: unknown, fields: readonly string[]): string {
  const list = rows as Data[]
  if (list.length === 0) return 'none'
  return table([[...fields], ...list.map((row) => fields.map((it) => cellText(row, it)))])
}

/** One row as lines of `field  value`. */
export const rowText = (row: unknown, fields: readonly string[]): string =>
  table(fields.map((it) => [it, cellText(row as Data, it)]))

function cellText(row: Data, field: string): string {
  const value = field.split('.').reduce((at: unknown, part) => (at as Data | null)?.[part], row)
  if (value === null || value === undefined) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value as string | number | boolean)
}

/** The flags that are given, under the names of the query. */
export const queryOf = (
  flags: CommandArguments['flags'],
  names: Record<string, string>,
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(names).flatMap(([flag, name]) =>
      flags[flag] === undefined ? [] : [[name, String(flags[flag])]],
    ),
  )

/** Whole numbers become numbers; anything else stays text and fails the validation of the route. */
export const numberOf = (text: string | undefined): unknown =>
  text !== undefined && /^-?\d{1,15}$/.test(text) ? Number(text) : text
