import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { test } from 'node:test'

const command = fileURLToPath(new URL('./evaluate.ts', import.meta.url))
const run = (...words: string[]) => spawnSync(process.execPath, [command, ...words], { encoding: 'utf8' })

test('help teaches every task', () => {
  const { status, stdout } = run('--help')
  assert.equal(status, 0)
  for (const task of ['users', 'sequences', 'sessions', 'baskets', 'rank', 'classify'])
    assert.ok(stdout.includes(task))
})

test('wrong words are told in a sentence and end with 2, wrong files with 1', () => {
  for (const [words, says] of [
    [['--task', 'dance'], /--task must be one of/],
    [['--task', 'users'], /--train FILE is needed/],
    [['--task', 'users', '--train', 'x'], /needs --test/],
    [['--task', 'users', '--train', 'x', '--test', 'y', '--seed', '-1'], /--seed/],
    [['--nonsense'], /nonsense/],
  ] as const) {
    const { status, stderr } = run(...words)
    assert.equal(status, 2)
    assert.match(stderr, says)
  }
  const { status, stderr } = run('--task', 'users', '--train', 'absent.txt', '--test', 'absent.txt')
  assert.equal(status, 1)
  assert.equal(stderr, 'evaluate: absent.txt: there is no such file\n')
})
