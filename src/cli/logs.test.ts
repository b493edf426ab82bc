import { deepEqual, equal, rejects } from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { readConfig } from '../base/config.ts'
import { type CommandContext, parseArguments } from './command.ts'
import { logsCommand } from './logs.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'bozor-logs-'))
after(() => rmSync(dataDir, { recursive: true }))

async function printed(...args: string[]): Promise<string[]> {
  const lines: string[] = []
  const context = {
    config: readConfig({ DATA_DIR: dataDir }),
    isColoured: false,
    print: (text: string) => void lines.push(text),
  } as unknown as CommandContext
  equal(await logsCommand.run(context, parseArguments(logsCommand, args)), 0)
  return lines
}

test('says where the log would be when there is none', () => rejects(printed(), /there is no log yet/))

test('shows the latest lines of a level, for people or as JSON', async () => {
  const line = (level: string, message: string) =>
    JSON.stringify({ time: '2026-11-16T10:00:00.000Z', level, message, job: 'sweep' })
  mkdirSync(join(dataDir, 'logs'))
  writeFileSync(join(dataDir, 'logs', 'bozor.log.1'), `${line('info', 'old')}\n`)
  const all = [line('info', 'one'), line('warn', 'two'), line('error', 'three')]
  writeFileSync(join(dataDir, 'logs', 'bozor.log'), `${all.join('\n')}\n`)
  deepEqual(await printed('--lines', '2'), [
    '10:00:00 warn  two  job=sweep',
    '10:00:00 error three  job=sweep',
  ])
  equal((await printed()).length, 4)
  deepEqual(await printed('--level', 'error', '--json'), [all[2]])
  await rejects(printed('--level', 'loud'), /--level must be one of/)
  await rejects(printed('--lines', '0'), /--lines must be/)
})
