// What modules above keep about clients. Their functions are injected by app.ts, because imports point down.

import type { Reader, Tx } from '../../base/database.ts'
import type { OrderStatus } from '../../events.ts'

export interface ClientSummary {
  orders: {
    count: number
    recent: { id: number; status: OrderStatus; amountTiyin: number; createdAt: Date }[]
  }
  cart: { id: string; units: number; updatedAt: Date } | null
  /** What counts against the client's limits now. */
  limits: { todayTiyin: number; creditTiyin: number }
}

/** The data about clients of one module. */
export interface ClientData {
  summary?(read: Reader, clientId: number): Promise<Partial<ClientSummary>>
  /** Moves everything of a duplicate to the remaining client. */
  merge?(tx: Tx, move: { from: number; into: number }): Promise<void>
  /** Deletes what no law requires to keep. */
  erase?(tx: Tx, clientId: number): Promise<void>
}

const noSummary: ClientSummary = {
  orders: { count: 0, recent: [] },
  cart: null,
  limits: { todayTiyin: 0, creditTiyin: 0 },
}

export async function summaryOf(
  read: Reader,
  clientId: number,
  data: readonly ClientData[],
): Promise<ClientSummary> {
  const parts = await Promise.all(data.map((it) => it.summary?.(read, clientId)))
  return Object.assign({}, noSummary, ...parts) as ClientSummary
}
