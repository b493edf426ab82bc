import { equal } from 'node:assert/strict'
import { test } from 'node:test'
import { deviceName } from './device-name.ts'

// oxfmt-ignore
const cases: [string, string][] = [
  ['Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36', 'Chrome, Linux'],
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1', 'Safari, iOS'],
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0', 'Edge, Windows'],
  ['curl/8.9.1', 'curl/8.9.1'],
]
for (const [userAgent, expected] of cases)
  test(`a session is named ${expected}`, () => equal(deviceName(userAgent), expected))
