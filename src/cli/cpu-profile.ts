// CPU profiles of the running server. `bozor profile` writes a request file into the data directory and sends SIGUSR2;
// every serving process then writes a profile beside it.

import { globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { type Profiler, Session } from 'node:inspector/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../base/config.ts'
import type { Log } from '../base/log.ts'

export const profileSignal = 'SIGUSR2'
/** Microseconds between samples; V8's default. It costs the server a few percent. */
const samplingInterval = 1_000
const keptProfiles = 20

export interface ProfileRequest {
  id: string
  seconds: number
}

export const profileFolder = ({ dataDir }: Pick<Config, 'dataDir'>): string => join(dataDir, 'profiles')
const requestFile = (folder: string): string => join(folder, 'request.json')

export function writeRequest(folder: string, request: ProfileRequest): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  // Names begin with the time, so the oldest come first.
  const kept = globSync('*.cpuprofile*', { cwd: folder }).toSorted()
  for (const name of kept.slice(0, -keptProfiles)) rmSync(join(folder, name), { force: true })
  writeFileSync(requestFile(folder), JSON.stringify(request))
}

/** A profile that is being taken has this ending; it is renamed at its end. */
export const partEnding = '.part'

/** Takes a profile at every signal. One runs at a time. */
export function profileOnSignal(config: Pick<Config, 'dataDir'>, log: Log): void {
  let isRunning = false
  const profile = async () => {
    const folder = profileFolder(config)
    const { id, seconds } = JSON.parse(readFileSync(requestFile(folder), 'utf8')) as ProfileRequest
    const path = join(folder, `${id}-${process.pid}.cpuprofile`)
    writeFileSync(path + partEnding, '')
    log.info('a CPU profile is taken', { seconds })
    writeFileSync(path + partEnding, JSON.stringify(await profileFor(seconds)))
    renameSync(path + partEnding, path)
    log.info('the CPU profile is written', { path })
  }
  process.on(profileSignal, () => {
    if (isRunning) return
    isRunning = true
    profile()
      .catch((error: unknown) => log.warn('the CPU profile failed', { error: String(error) }))
      .finally(() => (isRunning = false))
  })
}

async function profileFor(seconds: number): Promise<Profiler.Profile> {
  const session = new Session()
  session.connect()
  try {
    await session.post('Profiler.enable')
    await session.post('Profiler.setSamplingInterval', { interval: samplingInterval })
    await session.post('Profiler.start')
    // A stop of the server must not wait for the profile.
    await sleep(seconds * 1_000, undefined, { ref: false })
    return (await session.post('Profiler.stop')).profile
  } finally {
    session.disconnect()
  }
}

export interface FunctionShare {
  /** Share of the time, idle time included, from 0 to 1. */
  share: number
  name: string
  /** File and line, relative to the project; empty for parts of the runtime. */
  place: string
}

/** The functions that took the most time themselves, without what they call. */
export function busiestFunctions(profile: Profiler.Profile, most: number): FunctionShare[] {
  const nodes = new Map(profile.nodes.map((it) => [it.id, it]))
  const times = new Map<string, { microseconds: number; name: string; place: string }>()
  let total = 0
  for (const [at, id] of (profile.samples ?? []).entries()) {
    const { functionName, url, lineNumber } = nodes.get(id)!.callFrame
    const file = url.replace(/^file:\/\//, '').replace(/^.*\/(?=(src|node_modules)\/)/, '')
    const found = { name: functionName || '(anonymous)', place: file && `${file}:${lineNumber + 1}` }
    const key = `${found.name} ${found.place}`
    const entry = times.get(key) ?? { microseconds: 0, ...found }
    entry.microseconds += profile.timeDeltas![at]!
    total += profile.timeDeltas![at]!
    times.set(key, entry)
  }
  return [...times.values()]
    .toSorted((one, other) => other.microseconds - one.microseconds)
    .slice(0, most)
    .map(({ microseconds, name, place }) => ({ share: total === 0 ? 0 : microseconds / total, name, place }))
}
