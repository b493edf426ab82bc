import { deepEqual, equal, match } from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { completionScript } from './completion.ts'

const list = [
  { name: 'orders', summary: 'list orders', options: ['--json', '--env'] },
  { name: 'stock', summary: "the shop's stock", options: [] },
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

test('zsh uses the script of bash, and fish has one of its own', () => {
  match(completionScript('zsh', list), /^autoload -U \+X bashcompinit/)
  match(completionScript('fish', list), /-a stock -d 'the shops stock'/)
})
