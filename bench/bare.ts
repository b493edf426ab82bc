// The simplest possible servers, as separate processes under the same load.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type Measured, measure } from './measure.ts'

/** What a request costs a server that answers with this many bytes and does nothing else. */
export async function bareServer(
  kind: 'fastify' | 'node',
  size: number,
  call: { request: string; connections?: number },
): Promise<Measured> {
  const child = spawn(process.execPath, ['bench/bare-server.ts', kind, String(size)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = (await once(child.stdout!, 'data')) as [Buffer]
  const measured = await measure(line.toString().trim(), [child.pid!], {
    ...call,
    request: () => call.request,
    expect: 200,
  })
  child.kill()
  return measured
}
