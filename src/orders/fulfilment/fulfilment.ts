// Fulfilments: units of an order that are shipped together, and their status.

/** Units of a line of an order. */
export interface LineUnits {
  line: number
  quantity: number
}

export type FulfilmentStatus = 'created' | 'shipped' | 'delivered' | 'cancelled'

export interface Fulfilment {
  id: string
  status: FulfilmentStatus
  lines: LineUnits[]
  carrier: string | null
  trackingNumber: string | null
  createdAt: Date
  shippedAt: Date | null
  deliveredAt: Date | null
}

/** The transitions of a fulfilment. */
export const fulfilmentSteps = {
  ship: { from: 'created', to: 'shipped' },
  deliver: { from: 'shipped', to: 'delivered' },
  cancel: { from: 'created', to: 'cancelled' },
} as const satisfies Record<string, { from: FulfilmentStatus; to: FulfilmentStatus }>

export type FulfilmentStep = keyof typeof fulfilmentSteps

/** The steps that a status allows. */
export const stepsFrom = (status: FulfilmentStatus): FulfilmentStep[] =>
  (Object.keys(fulfilmentSteps) as FulfilmentStep[]).filter((it) => fulfilmentSteps[it].from === status)

/** Units by line in fulfilments with these statuses. */
export function unitsIn(
  fulfilments: readonly Fulfilment[],
  statuses: readonly FulfilmentStatus[],
): Map<number, number> {
  const units = new Map<number, number>()
  for (const it of fulfilments.filter(({ status }) => statuses.includes(status)))
    for (const { line, quantity } of it.lines) units.set(line, (units.get(line) ?? 0) + quantity)
  return units
}
