import { deepEqual, equal, match } from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { completionScript } from './completion.ts'
import { commands } from './index.ts'

const list = [
  { name: 'orders', summary: 'list orders', actions: ['list', 'show'], options: ['--json', '--env'] },
  { name: 'stock', summary: "the shop's stock", actions: [], options: [] },
]

/** What bash offers for these words, by the script itself. */
function offered(words: string[]): string[] {
  const script = `${completionScript('bash', list)}
COMP_WORDS=(${words.map((it) => `'${it}'`).join(' ')}); COMP_CWORD=${words.length - 1}; _bozor; echo "\${COMPREPLY[@]}"`
  const { stdout, status } = spawnSync('bash', ['-c', script], { encoding: 'utf8' })
  equal(status, 0)
  return stdout.trim().split(' ')
}

test('bash completes commands, then the options of the command', () => {
  deepEqual(offered(['bozor', 'o']), ['orders'])
  deepEqual(offered(['bozor', 'orders', '--']), ['--json', '--env', '--help'])
  deepEqual(offered(['bozor', 'stock', '--']), ['--help'])
})

test('bash completes the actions of a command, values of options, and the topics of help', () => {
  deepEqual(offered(['bozor', 'orders', '']), ['list', 'show', '--json', '--env', '--help'])
  deepEqual(offered(['bozor', 'orders', 's']), ['show'])
  deepEqual(offered(['bozor', 'orders', 'list', 's']), [''])
  deepEqual(offered(['bozor', 'orders', '--env', '']), ['live', 'test'])
  deepEqual(offered(['bozor', 'help', 'st']), ['stock'])
  match(completionScript('fish', list), /-eq 2' -a 'list show'/)
  match(completionScript('fish', list), /-l env -x -a 'live test'/)
})

test('every action that the usage of a command names is completed', async () => {
  for (const { name, load } of commands) {
    const { usage, actions = [] } = await load()
    const [words = ''] = /^[a-z][a-z-]*(?:[ |]+[a-z][a-z-]*)*/.exec(usage) ?? []
    const named = words.split(/[ |]+/).filter(Boolean)
    deepEqual(
      named.filter((it) => !actions.includes(it)),
      [],
      name,
    )
  }
})

test('zsh uses the script of bash, and fish has one of its own', () => {
  match(completionScript('zsh', list), /^autoload -U \+X bashcompinit/)
  match(completionScript('fish', list), /-a stock -d 'the shops stock'/)
})
