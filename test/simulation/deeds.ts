// All that can happen, and how often it does.

import { add, change, merge, order, orderAgain } from './deeds/buying.ts'
import { carriedOut, type Deed } from './deeds/deed.ts'
import { meanwhile } from './deeds/meanwhile.ts'
import { cancel, giveBack, pay, send, sendBack, takeMoney } from './deeds/paying.ts'
import { endEarly, promote } from './deeds/promoting.ts'
import { adjust, hear, reprice, showOrHide } from './deeds/stocking.ts'
import { deliver, runJob, wait } from './deeds/time.ts'

const weights: [Deed, number][] = [
  [carriedOut(add), 24],
  [carriedOut(change), 5],
  [merge, 3],
  [carriedOut(order), 14],
  [orderAgain, 4],
  [meanwhile, 10],
  [pay, 10],
  [cancel, 4],
  [takeMoney, 5],
  [giveBack, 5],
  [send, 12],
  [sendBack, 5],
  [carriedOut(adjust), 5],
  [carriedOut(reprice), 2],
  [carriedOut(showOrHide), 2],
  [carriedOut(promote), 3],
  [carriedOut(endEarly), 2],
  [hear, 5],
  [deliver, 4],
  [wait, 5],
  [runJob, 8],
]

export const deeds: readonly Deed[] = weights.flatMap(([deed, weight]) =>
  Array.from({ length: weight }, () => deed),
)
