// What the operating system knows about a process. A number alone is no identity: numbers are given out
// again, soonest of all in a container that restarts, so a process is its number and its moment of birth.

import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** When the process began, in a spelling that only serves comparison; undefined when it is gone or a zombie. */
export function processBirth(pid: number): string | undefined {
  return process.platform === 'linux' ? birthFromProc(pid) : birthFromPs(pid)
}

export function isAlive(pid: number): boolean {
  return processBirth(pid) !== undefined
}

/** The command line with its arguments separated by spaces, or nothing when it cannot be read. */
export function commandLine(pid: number): string {
  if (process.platform !== 'linux') return ps('command=', pid)
  return (readIfThere(`/proc/${pid}/cmdline`) ?? '').replaceAll('\0', ' ')
}

function birthFromProc(pid: number): string | undefined {
  const stat = readIfThere(`/proc/${pid}/stat`)
  if (stat === undefined) return undefined
  const born = birthInStat(stat)
  // Ticks count from the boot, so the same figure may come again after the next one.
  return born && `${readIfThere('/proc/sys/kernel/random/boot_id')?.trim() ?? ''}/${born}`
}

/** The start tick in a line of /proc/PID/stat; the process's name before it may itself hold ") Z 1". */
export function birthInStat(stat: string): string | undefined {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [state] = fields
  return state === 'Z' || state === 'X' ? undefined : fields[19]
}

function birthFromPs(pid: number): string | undefined {
  const [state = '', ...born] = ps('stat=,lstart=', pid).trim().split(/\s+/)
  return state === '' || state.startsWith('Z') ? undefined : born.join(' ')
}

function ps(format: string, pid: number): string {
  try {
    const columns = format.split(',').flatMap((column) => ['-o', column])
    return execFileSync('/bin/ps', [...columns, '-p', String(pid)], {
      encoding: 'utf8',
      env: { LC_ALL: 'C' },
      stdio: ['ignore', 'pipe', 'ignore'],
    })
  } catch {
    return ''
  }
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
