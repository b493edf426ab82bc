import { equal } from 'node:assert/strict'
import { test } from 'node:test'
import { returnPathOf } from './return-path.ts'

const other = 'https://evil.example'

// oxfmt-ignore
const paths: [given: unknown, expected: string | undefined][] = [
  ['/oauth/interaction/x?y=1',     '/oauth/interaction/x?y=1'],
  ['/',                            '/'],
  ['/a/../b',                      '/b'],
  ['/search?q=//x',                '/search?q=//x'],
  ['/.//evil.example',             undefined],
  ['/..//evil.example',            undefined],
  ['/%2e//evil.example',           undefined],
  ['/a/..//evil.example',          undefined],
  ['/.//',                         undefined],
  ['/./\\evil.example',            undefined],
  ['//evil.example',               undefined],
  ['/\\evil.example',              undefined],
  ['/\t/evil.example',             undefined],
  [other,                          undefined],
  ['evil.example',                 undefined],
  ['javascript:alert(1)',          undefined],
  [`/${'a'.repeat(5_000)}`,        undefined],
  [undefined,                      undefined],
]

test('return_to leads only to paths of this server', () => {
  for (const [given, expected] of paths) {
    const path = returnPathOf({ return_to: given })
    equal(path, expected, String(given))
    if (path !== undefined) equal(new URL(path, other).origin, other, String(given))
  }
})
