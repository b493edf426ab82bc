import { equal } from 'node:assert/strict'
import { test } from 'node:test'
import { deviceOf } from './device.ts'

const cases = {
  'Mozilla/5.0 (Linux; Android 15; SM-A065F) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36':
    'Chrome · Android',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1':
    'Safari · iPhone',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 YaBrowser/25.8 Safari/537.36':
    'Yandex Browser · Windows',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:143.0) Gecko/20100101 Firefox/143.0': 'Firefox · macOS',
  'okhttp/4.12.0': 'okhttp/4.12.0',
  '': '–',
}

test('a user agent is named by its browser and system', () => {
  for (const [text, name] of Object.entries(cases)) equal(deviceOf(text), name)
})
