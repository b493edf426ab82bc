import type { Tx } from '../base/db.ts'
import { changeGood } from './change-good.ts'
import type { Offer } from './goods.ts'
import { offerKind } from './kinds.ts'

/** Brings an offer to what somebody outside says of it; refuses when there is no such offer. */
export const changeOffer = (
  tx: Tx,
  id: number,
  said: Partial<Pick<Offer, 'priceTiyin' | 'quantity' | 'isActive'>>,
): Promise<Offer> =>
  changeGood(tx, offerKind, { id, ifMatch: undefined, said: (before) => ({ ...before, ...said }) })
