import { equal, match, ok } from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { bozor } from '../../test/support/process.ts'

const folder = mkdtempSync(join(tmpdir(), 'bozor-evaluate-'))
after(() => rmSync(folder, { recursive: true }))
const evaluate = (...words: string[]) => bozor(['evaluate', ...words], {})

test('help lists every task', async () => {
  const { code, stdout } = await evaluate('--help')
  equal(code, 0)
  for (const task of ['users', 'sequences', 'sessions', 'baskets', 'rank', 'classify'])
    ok(stdout.includes(task))
})

test('wrong arguments and files get one sentence', async () => {
  for (const [words, says] of [
    [['--task', 'dance'], /--task must be one of/],
    [['--task', 'users'], /--train FILE is required/],
    [['--task', 'users', '--train', 'x'], /needs --test/],
    [['--task', 'users', '--train', 'x', '--test', 'y', '--seed=-1'], /--seed/],
    [['--nonsense'], /nonsense/],
    [['--task', 'users', '--train', 'absent', '--test', 'absent', '--oldest-first'], /only baskets/],
    [
      ['--task', 'users', '--train', 'absent.txt', '--test', 'absent.txt'],
      /absent.txt: there is no such file/,
    ],
  ] as const) {
    const { code, stderr } = await evaluate(...words)
    equal(code, /absent/.test(words.join(' ')) ? 1 : 2)
    match(stderr, says)
  }
})

test('baskets that go together are found, and the figures come as JSON', async () => {
  const file = join(folder, 'baskets.txt')
  const lines = Array.from({ length: 400 }, (_, at) => (at % 2 ? '1 2 3' : '4 5 6'))
  writeFileSync(file, lines.join('\n'))
  const { code, stdout, stderr } = await evaluate(
    '--task',
    'baskets',
    '--train',
    file,
    '--test',
    file,
    '--budget-seconds',
    '5',
    '--json',
  )
  equal(code, 0, stderr)
  equal((JSON.parse(stdout) as { metrics: Record<string, number> }).metrics['hr@10'], 1)
})
