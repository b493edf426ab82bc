import assert from 'node:assert/strict'
import { test } from 'node:test'
import { evaluateCommand } from './evaluate.ts'

async function run(...words: string[]) {
  const said = { status: 0, stdout: '', stderr: '' }
  said.status = await evaluateCommand(words, {
    print: (text) => (said.stdout += text),
    tell: (text) => (said.stderr += text),
  })
  return said
}

test('help teaches every task', async () => {
  const { status, stdout } = await run('--help')
  assert.equal(status, 0)
  for (const task of ['users', 'sequences', 'sessions', 'baskets', 'rank', 'classify'])
    assert.ok(stdout.includes(task))
})

test('wrong words are told in a sentence and end with 2, wrong files with 1', async () => {
  for (const [words, says] of [
    [['--task', 'dance'], /--task must be one of/],
    [['--task', 'users'], /--train FILE is needed/],
    [['--task', 'users', '--train', 'x'], /needs --test/],
    [['--task', 'users', '--train', 'x', '--test', 'y', '--seed', '-1'], /--seed/],
    [['--nonsense'], /nonsense/],
  ] as const) {
    const { status, stderr } = await run(...words)
    assert.equal(status, 2)
    assert.match(stderr, says)
  }
  const { status, stderr } = await run('--task', 'users', '--train', 'absent.txt', '--test', 'absent.txt')
  assert.equal(status, 1)
  assert.equal(stderr, 'evaluate: absent.txt: there is no such file\n')
})
