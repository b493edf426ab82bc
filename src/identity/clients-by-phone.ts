import type { Reader } from '../base/db.ts'
import type { MemoryKind } from '../base/memory.ts'
import { holdersOf } from './store/clients.ts'

interface Holder {
  clientId: number
}

const holderMemory: MemoryKind<Holder> = {
  max: 20_000,
  subjects: ({ clientId }) => [`client/${clientId}`],
}

/** Whose telephone numbers these are, as they are kept; numbers that nobody has are left out. */
export async function clientsByPhone(read: Reader, phones: readonly string[]): Promise<Map<string, number>> {
  const holders = await read.recall(holderMemory, phones, async (missing) => {
    const found = await holdersOf(read, missing, [])
    return new Map(found.map((it): [string, Holder] => [it.phone!, { clientId: it.id }]))
  })
  return new Map([...holders].map(([phone, { clientId }]) => [phone, clientId]))
}
