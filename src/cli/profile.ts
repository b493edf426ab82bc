import { globSync, readFileSync } from 'node:fs'
import type { Profiler } from 'node:inspector'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { elapsedMs, systemClock } from '../base/clock.ts'
import { type Command, type CommandContext, CommandError, UsageError } from './command.ts'
import { busiestFunctions, partEnding, profileFolder, profileSignal, writeRequest } from './cpu-profile.ts'
import { runningProcess } from './server-address.ts'

const defaultSeconds = 10
const maxSeconds = 300
const shownFunctions = 15
/** How long a busy server may take to begin, and to write the profile. */
const answerTimeoutMs = 20_000
const pollMs = 100

export const profileCommand: Command = {
  usage: '[--seconds N] [--json]',
  help: `Takes a CPU profile of the running server on this data folder and lists the busiest functions. The server goes on
serving; it is a few percent slower meanwhile. Profiles are kept in DATA_DIR/profiles and open in Chrome's developer
tools and in editors. They hold names of functions and files, and no data.

  --seconds N  how long (default ${defaultSeconds}, at most ${maxSeconds})
  --json       print JSON`,
  options: { seconds: { type: 'string' }, json: { type: 'boolean' } },
  async run(context, { flags }) {
    const seconds = secondsIn(flags['seconds'])
    const pid = runningProcess(context.config)
    if (pid === undefined)
      throw new CommandError(
        'no server runs on this data folder; set DATA_DIR to its folder, on the machine where it runs',
        'unreachable',
      )
    const folder = profileFolder(context.config)
    const id = `${systemClock().now().toISOString().replaceAll(/[:.]/g, '-')}-${seconds}s`
    writeRequest(folder, { id, seconds })
    process.kill(pid, profileSignal)
    const files = await writtenProfiles(folder, { id, seconds })
    if (flags['json']) context.print(JSON.stringify({ seconds, profiles: files.map(summaryOf) }))
    else for (const file of files) printSummary(context, file)
    return 0
  },
}

function secondsIn(text: unknown): number {
  const seconds = Number(text ?? defaultSeconds)
  if (Number.isInteger(seconds) && seconds >= 1 && seconds <= maxSeconds) return seconds
  throw new UsageError(`--seconds must be a whole number from 1 to ${maxSeconds}, not "${String(text)}"`)
}

/** Waits until every process that began has written its profile. */
async function writtenProfiles(folder: string, { id, seconds }: { id: string; seconds: number }) {
  const startedMs = elapsedMs()
  const find = (ending: string) => globSync(`${id}-*.cpuprofile${ending}`, { cwd: folder })
  while (elapsedMs() - startedMs < seconds * 1_000 + answerTimeoutMs) {
    await sleep(pollMs)
    const written = find('')
    if (written.length > 0 && find(partEnding).length === 0)
      return written.toSorted().map((it) => join(folder, it))
    if (written.length === 0 && find(partEnding).length === 0 && elapsedMs() - startedMs > answerTimeoutMs)
      break
  }
  throw new CommandError(`the server has written no profile in ${folder}; see "bozor logs"`)
}

function summaryOf(file: string) {
  const profile = JSON.parse(readFileSync(file, 'utf8')) as Profiler.Profile
  return { file, functions: busiestFunctions(profile, shownFunctions) }
}

function printSummary(context: CommandContext, file: string): void {
  const { functions } = summaryOf(file)
  const pid = /-(\d+)\.cpuprofile$/.exec(basename(file))?.[1]
  context.print(`process ${pid}: share of the time, function, place`)
  for (const { share, name, place } of functions)
    context.print(`${(100 * share).toFixed(1).padStart(6)} %  ${name.padEnd(32)} ${place}`.trimEnd())
  context.print(file)
}
