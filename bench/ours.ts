// Our platform as a process of its own, for a benchmark to call.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'

export interface Ours {
  child: ChildProcess
  url: string
  key: string
  testKey: string
}

/** Without the demo shop, whose loading and first training would take a core from the measurement. */
export async function startOurs(dataDir: string, more: Record<string, string> = {}): Promise<Ours> {
  const fixed = { DATA_DIR: dataDir, PORT: '0', RATE_LIMIT: 'none', LOG_LEVEL: 'info', DEMO: 'false' }
  const env = { ...process.env, ...fixed, ...more }
  const child = spawn(process.execPath, ['src/main.ts', 'start'], {
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  let output = ''
  for await (const chunk of child.stdout!) {
    output += String(chunk)
    if (output.includes('Ctrl-C')) break
  }
  const [key, testKey] = [/\bak_live_\w+/.exec(output)![0], /\bak_test_\w+/.exec(output)![0]]
  return { child, url: /API +(http\S+)\/v1/.exec(output)![1]!, key, testKey }
}

export async function stop(child: ChildProcess): Promise<void> {
  child.kill('SIGTERM')
  await once(child, 'exit')
}
