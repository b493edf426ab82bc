// An offer in a panel: price, visibility, stock with its movements.

import { useState } from 'react'
import type { Offer } from '../../../sdk/index.ts'
import { useAction, useData } from '../app/data.ts'
import { count, dateTime, money } from '../app/language.ts'
import { useSession, useTexts } from '../app/session.tsx'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Card, Pairs } from '../ui/card.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { FormDialog } from '../ui/form.tsx'
import { Failure, Skeleton } from '../ui/states.tsx'
import type { Column } from '../ui/table.tsx'
import { catalogTexts } from './texts.ts'

const table = {
  ...catalogTexts,
  usual: ['Usual price', 'Обычная цена', 'Odatiy narx'],
  priceNow: ['Price now', 'Цена сейчас', 'Hozirgi narx'],
  oldPrice: ['Old price', 'Старая цена', 'Eski narx'],
  reserved: ['Reserved', 'В резерве', 'Band qilingan'],
  available: ['Available', 'Доступно', 'Mavjud'],
  movements: ['Stock movements', 'Движения остатка', 'Qoldiq harakatlari'],
  changePrice: ['Change the price', 'Изменить цену', 'Narxni o‘zgartirish'],
  newPrice: ['New price in sums', 'Новая цена, сум', 'Yangi narx, so‘m'],
  adjust: ['Adjust the stock', 'Изменить остаток', 'Qoldiqni o‘zgartirish'],
  change: ['Change (−2 or 10)', 'Изменение (−2 или 10)', 'O‘zgarish (−2 yoki 10)'],
  reason: ['Reason', 'Причина', 'Sabab'],
  hide: ['Hide', 'Скрыть', 'Yashirish'],
  show: ['Put on sale', 'В продажу', 'Sotuvga qo‘yish'],
  save: ['Save', 'Сохранить', 'Saqlash'],
  saved: ['Saved', 'Сохранено', 'Saqlandi'],
  stocked: ['Stocked', 'Поступление', 'Kirim'],
  adjusted: ['Adjusted', 'Правка', 'Tuzatish'],
  ordered: ['Ordered', 'Заказ', 'Buyurtma'],
  cancelled: ['Cancelled', 'Отмена', 'Bekor qilish'],
  returned: ['Returned', 'Возврат', 'Qaytarish'],
  removed: ['Removed', 'Удаление', 'O‘chirish'],
  none: ['No movements', 'Движений нет', 'Harakat yo‘q'],
} as const

export function useOfferColumns(): Column<Offer>[] {
  const t = useTexts(table)
  const { language } = useSession()
  return [
    { head: t.partner, cell: (it) => it.partner.name },
    {
      head: t.state,
      isWide: true,
      cell: (it) => (
        <Badge
          text={it.is_visible && it.is_active ? t.visible : t.hidden}
          tone={it.is_visible && it.is_active ? 'good' : 'neutral'}
        />
      ),
    },
    { head: t.stock, isRight: true, cell: (it) => <StockFigure quantity={it.quantity} /> },
    {
      head: t.price,
      isRight: true,
      cell: (it) => <span className="whitespace-nowrap">{money(it.price, language)}</span>,
    },
  ]
}

/** As in `OfferStockLow`. */
const lowStock = 5

export const StockFigure = ({ quantity }: { quantity: number }) => (
  <span
    className={quantity === 0 ? 'text-bad font-medium' : quantity <= lowStock ? 'text-warn font-medium' : ''}
  >
    {count(quantity)}
  </span>
)

export function OfferPanel({ offerId, onClose }: { offerId: string; onClose(): void }) {
  const t = useTexts(table)
  const { can } = useSession()
  const [form, setForm] = useState<'price' | 'stock' | null>(null)
  const offer = useData(
    ['offers', offerId],
    async (bozor) => (await bozor.offers.get({ offer_id: offerId })).offer,
  )
  const visibility = useAction(
    (bozor, is_visible: boolean) => bozor.offers.update({ offer_id: offerId, is_visible }),
    { refreshes: ['offers', 'products'], done: t.saved },
  )
  const it = offer.data
  return (
    <Dialog title={it?.name ?? t.offer} isOpen onClose={onClose} place="side">
      {offer.error && <Failure error={offer.error} />}
      {!it && !offer.error && <Skeleton className="m-4 h-40" />}
      {it && (
        <div className="flex flex-col gap-4 p-4">
          {can('catalog:write') && (
            <div className="flex flex-wrap gap-2">
              <Button onClick={() => setForm('price')}>{t.changePrice}</Button>
              <Button onClick={() => setForm('stock')}>{t.adjust}</Button>
              <Button isBusy={visibility.isPending} onClick={() => visibility.mutate(!it.is_visible)}>
                {it.is_visible ? t.hide : t.show}
              </Button>
            </div>
          )}
          <OfferDetails offer={it} />
          <Movements offerId={offerId} />
        </div>
      )}
      {it && form === 'price' && <PriceForm offer={it} onClose={() => setForm(null)} />}
      {form === 'stock' && <StockForm offerId={offerId} onClose={() => setForm(null)} />}
    </Dialog>
  )
}

function OfferDetails({ offer }: { offer: Offer }) {
  const t = useTexts(table)
  const { language } = useSession()
  const stock = useData(['offers', offer.id, 'stock'], (bozor) =>
    bozor.offers.getStock({ offer_id: offer.id }),
  )
  const figures = (stock.data as { stock?: { reserved: number; available: number } } | undefined)?.stock
  return (
    <Card>
      <Pairs
        rows={[
          [t.partner, offer.partner.name],
          [t.priceNow, money(offer.price, language)],
          [t.usual, money(offer.usual_price, language)],
          [t.oldPrice, offer.old_price && money(offer.old_price, language)],
          [t.stock, <StockFigure key="stock" quantity={offer.quantity} />],
          [t.reserved, figures && count(figures.reserved)],
          [t.available, figures && count(figures.available)],
          [t.state, offer.is_visible && offer.is_active ? t.visible : t.hidden],
        ]}
      />
    </Card>
  )
}

function Movements({ offerId }: { offerId: string }) {
  const t = useTexts(table)
  const { language } = useSession()
  const movements = useData(['offers', offerId, 'movements'], (bozor) =>
    bozor.offers.listStockMovements({ offer_id: offerId, per_page: 20 }),
  )
  if (!movements.data) return <Skeleton className="h-32" />
  return (
    <Card title={t.movements} isFlush>
      {movements.data.items.length === 0 && <p className="text-soft px-4 py-3">{t.none}</p>}
      <ul className="divide-line divide-y">
        {movements.data.items.map((it) => (
          <li key={it.id} className="figures flex h-10 items-center gap-4 px-4">
            <span className={`w-14 text-right font-medium ${it.change < 0 ? 'text-bad' : 'text-good'}`}>
              {it.change > 0 ? '+' : '−'}
              {Math.abs(it.change)}
            </span>
            <span className="min-w-0 flex-1 truncate">
              {t[it.cause]} <span className="text-soft">{it.reference}</span>
            </span>
            <span className="text-soft">{count(it.on_hand)}</span>
            <span className="text-faint text-xs">{dateTime(it.at, language)}</span>
          </li>
        ))}
      </ul>
    </Card>
  )
}

function PriceForm({ offer, onClose }: { offer: Offer; onClose(): void }) {
  const t = useTexts(table)
  return (
    <FormDialog
      title={t.changePrice}
      submit={t.save}
      done={t.saved}
      refreshes={['offers', 'products']}
      fields={[{ name: 'price_tiyin', label: t.newPrice, value: String(offer.usual_price.amount / 100) }]}
      run={(bozor, values) =>
        bozor.offers.update({
          offer_id: offer.id,
          price_tiyin: Math.round(Number((values['price_tiyin'] ?? '').replaceAll(/\s/g, '')) * 100),
        })
      }
      onClose={onClose}
    />
  )
}

function StockForm({ offerId, onClose }: { offerId: string; onClose(): void }) {
  const t = useTexts(table)
  return (
    <FormDialog
      title={t.adjust}
      submit={t.save}
      done={t.saved}
      refreshes={['offers', 'products']}
      fields={[
        { name: 'change', label: t.change },
        { name: 'reason', label: t.reason },
      ]}
      run={(bozor, values) =>
        bozor.offers.createStockAdjustment({
          offer_id: offerId,
          change: Number((values['change'] ?? '').replace('−', '-')),
          reason: values['reason'] ?? '',
        })
      }
      onClose={onClose}
    />
  )
}
