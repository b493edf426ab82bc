import { equal, ok, rejects } from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { readConfig } from '../base/config.ts'
import { silentLog } from '../base/log.ts'
import { type CommandContext, parseArguments } from './command.ts'
import { busiestFunctions, profileOnSignal } from './cpu-profile.ts'
import { profileCommand } from './profile.ts'
import { recordAddress } from './server-address.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'bozor-profile-'))
after(() => rmSync(dataDir, { recursive: true }))
const config = readConfig({ DATA_DIR: dataDir })

async function printed(...args: string[]): Promise<string[]> {
  const lines: string[] = []
  const print = (text: string) => void lines.push(text)
  const context = { config, isColoured: false, print } as unknown as CommandContext
  equal(await profileCommand.run(context, parseArguments(profileCommand, args)), 0)
  return lines
}

test('without a server the command says what is missing', () =>
  rejects(printed(), /no server runs on this data folder/))

test('a profile of the running process names its busiest function', async () => {
  recordAddress(config, 'http://127.0.0.1:1')
  profileOnSignal(config, silentLog())
  const work = setInterval(burnCpu, 5)
  const output = await printed('--seconds', '1', '--json').finally(() => clearInterval(work))
  const { profiles } = JSON.parse(output.join('')) as {
    profiles: { file: string; functions: { name: string; place: string; share: number }[] }[]
  }
  equal(profiles.length, 1)
  ok(existsSync(profiles[0]!.file))
  const burner = profiles[0]!.functions.find((it) => it.name === 'burnCpu')
  ok(burner && burner.share > 0.01, output.join(''))
  ok(burner.place.startsWith('src/cli/profile.test.ts:'))
})

test('a wrong duration is refused', async () => {
  await rejects(printed('--seconds', '0'), /--seconds must be a whole number from 1 to 300/)
  await rejects(printed('--seconds', 'ten'), /not "ten"/)
})

test('the share of a function is its own time in all samples', () => {
  const frame = (functionName: string) => ({
    functionName,
    url: 'file:///app/src/cart/add.ts',
    lineNumber: 9,
    columnNumber: 0,
    scriptId: '1',
  })
  const nodes = [
    { id: 1, callFrame: frame('outer') },
    { id: 2, callFrame: frame('inner') },
  ]
  const profile = {
    nodes,
    startTime: 0,
    endTime: 400,
    samples: [1, 2, 2, 2],
    timeDeltas: [100, 100, 100, 100],
  }
  const [first, second] = busiestFunctions(profile, 5)
  equal(first!.name, 'inner')
  equal(first!.share, 0.75)
  equal(second!.place, 'src/cart/add.ts:10')
})

function burnCpu(): void {
  const until = performance.now() + 10
  let value = 0
  while (performance.now() < until) value += Math.sqrt(value + 1)
}
