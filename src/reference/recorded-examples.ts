// The calls that `npm run record:examples` recorded from the demo shop.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RecordedCall } from '../http/openapi.ts'

/** Stands for the origin of the server in recorded replies. */
const recordedOrigin = 'https://origin.invalid'

export function recordedExamples(origin: string): Record<string, RecordedCall> {
  const text = readFileSync(join(import.meta.dirname, 'examples.json'), 'utf8')
  return JSON.parse(text.replaceAll(recordedOrigin, origin)) as Record<string, RecordedCall>
}
