// Price and stock of an offer, changed in its table. The table shows the change at once; a refusal puts the old figure
// back and says why.

import { type InfiniteData, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Offer, Page } from '../../../sdk/index.ts'
import { refresh } from '../app/data.ts'
import { fillIn } from '../app/language.ts'
import { useSession, useTexts } from '../app/session.tsx'
import { useToast } from '../ui/toast.tsx'

const table = {
  saved: ['Saved', 'Сохранено', 'Saqlandi'],
  undo: ['Undo', 'Отменить', 'Qaytarish'],
  refused: [
    'Not saved, the old figure is back: {message}',
    'Не сохранено, прежнее значение возвращено: {message}',
    'Saqlanmadi, avvalgi qiymat qaytarildi: {message}',
  ],
  reason: ['Corrected in the table', 'Исправлено в таблице', 'Jadvalda tuzatildi'],
} as const

type Lists = InfiniteData<Page<Offer>>
export type OfferEdit = { offer: Offer } & ({ priceTiyin: number } | { quantity: number })

/** The offer as it is shown before the server has answered. */
export const editedOffer = (it: Offer, edit: OfferEdit): Offer =>
  'quantity' in edit
    ? { ...it, quantity: edit.quantity }
    : {
        ...it,
        usual_price: { ...it.usual_price, amount: edit.priceTiyin },
        // A promotion may lower the price further; the reply of the server shows it.
        price: { ...it.price, amount: edit.priceTiyin },
      }

const reversed = (edit: OfferEdit): OfferEdit =>
  'quantity' in edit
    ? { offer: { ...edit.offer, quantity: edit.quantity }, quantity: edit.offer.quantity }
    : { offer: edit.offer, priceTiyin: edit.offer.usual_price.amount }

export function useEditInPlace() {
  const t = useTexts(table)
  const toast = useToast()
  const queries = useQueryClient()
  const { bozor } = useSession()
  const key = { queryKey: ['offers', 'list'] }
  const edit = useMutation({
    mutationFn: async (it: OfferEdit & { isUndo?: boolean }): Promise<unknown> =>
      'quantity' in it
        ? bozor.offers.createStockAdjustment({
            offer_id: it.offer.id,
            change: it.quantity - it.offer.quantity,
            reason: t.reason,
          })
        : bozor.offers.update({ offer_id: it.offer.id, price_tiyin: it.priceTiyin }),
    onMutate: async (it) => {
      await queries.cancelQueries(key)
      const before = queries.getQueriesData<Lists>(key)
      queries.setQueriesData<Lists>(key, (lists) => lists && withOffer(lists, it))
      return { before }
    },
    onError: (error, _edit, context) => {
      for (const [name, lists] of context?.before ?? []) queries.setQueryData(name, lists)
      toast({ text: fillIn(t.refused, { message: error.message }), tone: 'bad' })
    },
    onSuccess: (_reply, it) => {
      const undo = { label: t.undo, run: () => edit.mutate({ ...reversed(it), isUndo: true }) }
      toast({ text: t.saved, ...(!it.isUndo && { undo }) })
    },
    onSettled: () => refresh(queries, ['offers']),
  })
  return (it: OfferEdit) => edit.mutate(it)
}

const withOffer = (lists: Lists, edit: OfferEdit): Lists => ({
  ...lists,
  pages: lists.pages.map((page) => ({
    ...page,
    items: page.items.map((it) => (it.id === edit.offer.id ? editedOffer(it, edit) : it)),
  })),
})
