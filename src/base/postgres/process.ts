// Process information. Pids are reused, especially in restarted containers, so a process is identified by its pid and its
// start time.

import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** The start time as an opaque text for comparison; undefined when the process is gone or a zombie. */
export function processStartTime(pid: number): string | undefined {
  return process.platform === 'linux' ? startTimeFromProc(pid) : startTimeFromPs(pid)
}

export function isAlive(pid: number): boolean {
  return processStartTime(pid) !== undefined
}

/** The command line with arguments separated by spaces; empty when it cannot be read. */
export function commandLine(pid: number): string {
  if (process.platform !== 'linux') return ps('command=', pid)
  return (readIfThere(`/proc/${pid}/cmdline`) ?? '').replaceAll('\0', ' ')
}

function startTimeFromProc(pid: number): string | undefined {
  const stat = readIfThere(`/proc/${pid}/stat`)
  if (stat === undefined) return undefined
  const born = startTimeInStat(stat)
  // Ticks count from the boot, so the boot id makes them unique.
  return born && `${readIfThere('/proc/sys/kernel/random/boot_id')?.trim() ?? ''}/${born}`
}

/** The start tick in /proc/PID/stat. The process name before it may contain ") Z 1". */
export function startTimeInStat(stat: string): string | undefined {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [state] = fields
  return state === 'Z' || state === 'X' ? undefined : fields[19]
}

function startTimeFromPs(pid: number): string | undefined {
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
