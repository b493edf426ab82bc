// Makes an event happen in the test environment by the calls of the API that cause it, so that its effects are real too.

import type { EventType } from '../events.ts'
import type { Bozor, Event } from '../sdk/index.ts'
import { type Command, type CommandContext, CommandError, meant, UsageError } from './command.ts'
import { clientOf, credentialsFor, explainErrors } from './credentials.ts'
import { lineOf } from './events.ts'
import { pollUntil, steps } from './trigger-steps.ts'
import { untriggered, untriggeredReason } from './untriggered.ts'

const names = Object.keys(steps) as EventType[]

export const triggerCommand: Command = {
  usage: 'EVENT [--all] [--json]',
  help: `Makes an event happen in the test environment, by real calls: what they create stays there. Run "bozor login" first.
Without EVENT it lists the events that it can make happen, and with --all also the others, with what causes them.

  --all   list all events
  --json  print the event as JSON

Events: ${names.join(', ')}`,
  actions: names,
  options: { all: { type: 'boolean' }, json: { type: 'boolean' } },
  async run(context, { positionals: [name], flags }) {
    if (name === undefined) {
      printList(context, { isJson: flags['json'] === true, isAll: flags['all'] === true })
      return 0
    }
    const run = (steps as Partial<Record<string, (bozor: Bozor) => Promise<unknown>>>)[name]
    if (!run) throw notTriggered(name)
    const credentials = credentialsFor(context.config, 'test')
    if (credentials.key.startsWith('ak_live_'))
      throw new UsageError('events are triggered in the test environment only; BOZOR_KEY is a live key')
    const bozor = clientOf(credentials)
    return explainErrors(credentials, async () => {
      const before = await newest(bozor, name)
      await run(bozor)
      const event = await pollUntil(`the event ${name}`, async () => {
        const found = await newest(bozor, name)
        return found?.id === before?.id ? undefined : found
      })
      context.print(flags['json'] ? JSON.stringify(event) : lineOf(event))
      return 0
    })
  },
}

function printList(context: CommandContext, { isJson, isAll }: { isJson: boolean; isAll: boolean }): void {
  const others = isAll ? untriggered.map((it) => ({ event: it, reason: untriggeredReason(it)! })) : []
  if (isJson) context.print(JSON.stringify(isAll ? { events: names, others } : names))
  else context.print([...names, ...others.map((it) => `${it.event}: ${it.reason}`)].join('\n'))
}

function notTriggered(name: string): CommandError {
  const reason = untriggeredReason(name)
  return reason === undefined
    ? new UsageError(`there is no event "${name}"; ${meant(name, names)}"trigger --all" lists the events`)
    : new CommandError(`"${name}" cannot be triggered: ${reason}`, 'refused')
}

const newest = async (bozor: Bozor, type: string): Promise<Event | undefined> =>
  (await bozor.events.list({ type, sort: '-position', per_page: 1 })).items[0]
