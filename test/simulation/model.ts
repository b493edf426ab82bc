// A sequential model of carts, wishlists, stock and orders around one offer. Pure: it says what every operation does when
// nothing runs beside it. A history is legal when some order of its operations explains all replies and the final state.

export type BuyerName = 'anna' | 'bek' | 'guest'
export const buyerNames: readonly BuyerName[] = ['anna', 'bek', 'guest']

export type Operation =
  | { kind: 'add'; buyer: BuyerName; units: number }
  | { kind: 'set'; buyer: BuyerName; units: number }
  | { kind: 'remove'; buyer: BuyerName }
  | { kind: 'clear'; buyer: BuyerName }
  | { kind: 'order'; buyer: BuyerName }
  | { kind: 'drop-cart'; buyer: BuyerName }
  | { kind: 'merge'; client: BuyerName; strategy: 'sum' | 'max' }
  | { kind: 'clean-up' }
  | { kind: 'list'; buyer: BuyerName }
  | { kind: 'unlist'; buyer: BuyerName }
  | { kind: 'merge-wishlists'; client: BuyerName }
  | { kind: 'adjust'; units: number }

/** What a caller learns: units in the cart or on the list afterwards, units ordered, or buyers whose carts were removed. */
export type Reply = { units: number } | { removed: BuyerName[] } | 'ok' | 'refused'

export interface State {
  stock: number
  sold: number
  /** Whether units in carts are reserved for their buyers. */
  isReserved: boolean
  carts: Record<BuyerName, number>
  listed: Record<BuyerName, boolean>
  /** Carts that the history has changed; the clean-up keeps them. */
  changed: readonly BuyerName[]
  mergedCarts: number
  mergedWishlists: number
}

interface Step {
  state: State
  reply: Reply
}

/** One operation alone. `observed` is used where the shop has a choice: the clean-up may skip carts that are in use. */
function apply(state: State, operation: Operation, observed: Reply): Step {
  const { stock, carts } = state
  const refused: Step = { state, reply: 'refused' }
  const withCart = (buyer: BuyerName, units: number, more: Partial<State> = {}): State => ({
    ...state,
    ...more,
    carts: { ...carts, ...more.carts, [buyer]: units },
    changed: [...state.changed, buyer],
  })
  switch (operation.kind) {
    case 'add': {
      const units = carts[operation.buyer] + operation.units
      if (units > availableTo(state, operation.buyer)) return refused
      return { state: withCart(operation.buyer, units), reply: { units } }
    }
    case 'set': {
      // A cart may always shrink, whatever the stock is.
      const { buyer, units } = operation
      const isGrowing = units > carts[buyer]
      if (carts[buyer] === 0 || (isGrowing && units > availableTo(state, buyer))) return refused
      return { state: withCart(buyer, units), reply: { units } }
    }
    case 'remove':
      if (carts[operation.buyer] === 0) return refused
      return { state: withCart(operation.buyer, 0), reply: { units: 0 } }
    case 'clear':
      return { state: withCart(operation.buyer, 0), reply: { units: 0 } }
    case 'drop-cart':
      return { state: withCart(operation.buyer, 0), reply: 'ok' }
    case 'order': {
      const units = carts[operation.buyer]
      if (units === 0 || units > availableTo(state, operation.buyer)) return refused
      const after = withCart(operation.buyer, 0, { stock: stock - units, sold: state.sold + units })
      return { state: after, reply: { units } }
    }
    case 'merge':
      return merged(state, operation)
    case 'clean-up':
      return cleanedUp(state, observed)
    case 'adjust':
      if (stock + operation.units < 0) return refused
      return { state: { ...state, stock: stock + operation.units }, reply: 'ok' }
    default:
      return applyToWishlist(state, operation)
  }
}

const availableTo = ({ isReserved, stock, carts }: State, buyer: BuyerName): number =>
  isReserved ? stock - buyerNames.filter((it) => it !== buyer).reduce((sum, it) => sum + carts[it], 0) : stock

function merged(state: State, { client, strategy }: Operation & { kind: 'merge' }): Step {
  const { guest, [client]: own } = state.carts
  if (guest === 0)
    return {
      state: { ...state, changed: [...state.changed, 'guest'] },
      reply: { units: own },
    }
  const wanted = strategy === 'sum' || own === 0 ? own + guest : Math.max(own, guest)
  // A sold-out line keeps its units; otherwise the stock caps what is added to the client's own units.
  const units = state.stock === 0 ? wanted : Math.max(own, Math.min(wanted, state.stock))
  const after: State = {
    ...state,
    carts: { ...state.carts, guest: 0, [client]: units },
    changed: [...state.changed, 'guest', client],
    mergedCarts: state.mergedCarts + 1,
  }
  return { state: after, reply: { units } }
}

/** Removes carts that the history has not changed. A cart that is in use meanwhile may stay. */
function cleanedUp(state: State, observed: Reply): Step {
  const removed = typeof observed === 'object' && 'removed' in observed ? observed.removed : []
  const isLegal = removed.every((it) => state.carts[it] > 0 && !state.changed.includes(it))
  if (!isLegal) return { state, reply: 'refused' }
  const carts = { ...state.carts }
  for (const it of removed) carts[it] = 0
  return { state: { ...state, carts, changed: [...state.changed, ...removed] }, reply: { removed } }
}

function applyToWishlist(
  state: State,
  operation: Operation & { kind: 'list' | 'unlist' | 'merge-wishlists' },
): Step {
  const { listed } = state
  if (operation.kind === 'merge-wishlists') {
    const has = listed.guest || listed[operation.client]
    return {
      state: {
        ...state,
        listed: { ...listed, guest: false, [operation.client]: has },
        mergedWishlists: state.mergedWishlists + Number(listed.guest),
      },
      reply: { units: Number(has) },
    }
  }
  const { buyer } = operation
  if (operation.kind === 'unlist' && !listed[buyer]) return { state, reply: 'refused' }
  const has = operation.kind === 'list'
  return { state: { ...state, listed: { ...listed, [buyer]: has } }, reply: { units: Number(has) } }
}

export interface History {
  before: State
  operations: readonly Operation[]
  replies: readonly Reply[]
  after: State
}

/** An order of the operations that explains the history; undefined when there is none. */
export function legalOrder({ before, operations, replies, after }: History): number[] | undefined {
  return permutations(operations.map((_, at) => at)).find((order) => {
    let state = before
    for (const at of order) {
      const step = apply(state, operations[at]!, replies[at]!)
      if (JSON.stringify(step.reply) !== JSON.stringify(replies[at])) return false
      state = step.state
    }
    return sameState(state, after)
  })
}

const sameState = (a: State, b: State): boolean =>
  JSON.stringify([a.stock, a.sold, a.carts, a.listed, a.mergedCarts, a.mergedWishlists]) ===
  JSON.stringify([b.stock, b.sold, b.carts, b.listed, b.mergedCarts, b.mergedWishlists])

const permutations = (them: readonly number[]): number[][] =>
  them.length <= 1
    ? [[...them]]
    : them.flatMap((first) => permutations(them.filter((it) => it !== first)).map((rest) => [first, ...rest]))
