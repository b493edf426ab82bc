// All actions of the simulation and their weights.

import { add, change, merge, order, orderAgain } from './actions/buying.ts'
import { type Action, runAlone } from './actions/action.ts'
import { runConcurrently } from './actions/concurrently.ts'
import { cancel, fulfil, pay, receiveMoney, refund, returnUnits } from './actions/paying.ts'
import { endEarly, promote } from './actions/promoting.ts'
import { adjust, receiveMessage, reprice, showOrHide } from './actions/stocking.ts'
import { deliverEvents, runJob, wait } from './actions/time.ts'

const weights: [Action, number][] = [
  [runAlone(add), 24],
  [runAlone(change), 5],
  [merge, 3],
  [runAlone(order), 14],
  [orderAgain, 4],
  [runConcurrently, 10],
  [pay, 10],
  [cancel, 4],
  [receiveMoney, 5],
  [refund, 5],
  [fulfil, 12],
  [returnUnits, 5],
  [runAlone(adjust), 5],
  [runAlone(reprice), 2],
  [runAlone(showOrHide), 2],
  [runAlone(promote), 3],
  [runAlone(endEarly), 2],
  [receiveMessage, 5],
  [deliverEvents, 4],
  [wait, 5],
  [runJob, 8],
]

export const actions: readonly Action[] = weights.flatMap(([action, weight]) =>
  Array.from({ length: weight }, () => action),
)
