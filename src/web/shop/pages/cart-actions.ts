// What buyers do with cart and wishlist: each is a form, answered with a redirect or, to the script, with a short note.

import { BozorError } from '../../../sdk/index.ts'
import { leaveNote, type NoteKey } from '../notes.ts'
import { safeReturn } from '../path.ts'
import type { Reply } from '../storefront.ts'
import type { Visit } from '../visit.ts'
import { cartPage } from './cart.ts'
import { report } from './report.ts'

const offerOf = ({ form }: Visit): number => Number(form['offer']) || 0
/** A larger number would be refused as an invalid field; this one is refused with the number that can be bought. */
const mostUnits = 9_999

const quantityOf = ({ form }: Visit): number =>
  Math.min(mostUnits, Math.max(1, Math.floor(Number(form['quantity'] ?? 1)) || 1))
const conditionOf = ({ form }: Visit): number | undefined => Number(form['condition']) || undefined

export async function addToCart(visit: Visit): Promise<Reply> {
  const { form, query } = visit
  const [list, search] = ['list', 'search'].map((it) => query.get(it) ?? undefined)
  const condition = conditionOf(visit)
  const item = {
    ...visit.buyer,
    Quantity: quantityOf(visit),
    ...(condition !== undefined && { LoanConditionId: condition }),
  }
  const cart = isModerated(visit)
    ? await visit.bozor.cart.addModeratedItem({ ...item, ModeratedOfferId: offerOf(visit) })
    : await visit.bozor.cart.addItem({ ...item, OfferId: offerOf(visit) })
  if (list ?? search) await report(visit, 'cart', { offer: form['offer'], list, search })
  return done(visit, 'added', { count: cart.TotalItemsCount, otherwise: '/cart' })
}

/** Names the offer of a line: ordinary or moderated. */
const isModerated = ({ form }: Visit): boolean => form['moderated'] === 'true'

export const changeCart = (visit: Visit): Promise<Reply> =>
  inCart(visit, async () => {
    const { bozor, buyer, form } = visit
    // The buttons − and + send the change, the field sends the quantity.
    const NewQuantity = Math.max(1, quantityOf(visit) + (Number(form['step']) || 0))
    if (isModerated(visit))
      await bozor.cart.setModeratedQuantity({ ...buyer, ModeratedOfferId: offerOf(visit), NewQuantity })
    else await bozor.cart.setQuantity({ ...buyer, OfferId: offerOf(visit), NewQuantity })
  })

export const changeCondition = (visit: Visit): Promise<Reply> =>
  inCart(visit, async () => {
    const { bozor, buyer } = visit
    const LoanConditionId = conditionOf(visit) ?? null
    if (isModerated(visit))
      await bozor.cart.setModeratedLoanCondition({
        ...buyer,
        ModeratedOfferId: offerOf(visit),
        LoanConditionId,
      })
    else await bozor.cart.setLoanCondition({ ...buyer, OfferId: offerOf(visit), LoanConditionId })
  })

export const removeFromCart = (visit: Visit): Promise<Reply> =>
  inCart(visit, async () => {
    const { bozor, buyer } = visit
    if (isModerated(visit))
      await bozor.cart.removeModeratedItem({ moderatedOfferId: offerOf(visit), ...buyer })
    else await bozor.cart.removeItem({ offerId: offerOf(visit), ...buyer })
  })

export const clearCart = (visit: Visit): Promise<Reply> =>
  inCart(visit, async () => {
    await visit.bozor.cart.clear({ ...visit.buyer })
  })

export const applyCoupon = (visit: Visit): Promise<Reply> =>
  inCart(visit, async () => {
    await visit.bozor.cart.applyCoupon({ ...visit.buyer, Code: visit.form['code'] ?? '' })
  })

export const removeCoupon = (visit: Visit): Promise<Reply> =>
  inCart(visit, async () => {
    await visit.bozor.cart.removeCoupon({ ...visit.buyer })
  })

/** A refused change shows the cart with the reason and the remedy that the API gives. */
async function inCart(visit: Visit, change: () => Promise<void>): Promise<Reply> {
  try {
    await change()
  } catch (error) {
    if (!(error instanceof BozorError) || error.status === 401) throw error
    // Another tab may have removed the line: show what there is.
    if (error.status !== 404) return cartPage(visit, error)
  }
  return { kind: 'redirect', status: 303, to: visit.at('/cart') }
}

export async function addToWishlist(visit: Visit): Promise<Reply> {
  await visit.bozor.wishlist.addOffer({ ...visit.buyer, OfferId: offerOf(visit) })
  return done(visit, 'saved', { otherwise: '/wishlist' })
}

export async function removeFromWishlist(visit: Visit): Promise<Reply> {
  try {
    if (isModerated(visit))
      await visit.bozor.wishlist.removeAnyOffer({ ...visit.buyer, ModeratedOfferId: offerOf(visit) })
    else await visit.bozor.wishlist.removeOffer({ offerId: offerOf(visit), ...visit.buyer })
  } catch (error) {
    if (!(error instanceof BozorError) || error.status !== 404) throw error
  }
  return { kind: 'redirect', status: 303, to: visit.at('/wishlist') }
}

function done(visit: Visit, key: NoteKey, it: { count?: number; otherwise: string }): Reply {
  if (visit.isScript)
    return {
      kind: 'json',
      value: { note: visit.texts[key], ...(it.count !== undefined && { count: it.count }) },
    }
  leaveNote(visit, key)
  return { kind: 'redirect', status: 303, to: safeReturn(visit.referer, visit.at(it.otherwise)) }
}
