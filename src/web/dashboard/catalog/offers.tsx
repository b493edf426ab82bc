import { useState } from 'react'
import type { Offer } from '../../../sdk/index.ts'
import { money } from '../app/language.ts'
import { useSession, useTexts } from '../app/session.tsx'
import { Button } from '../ui/button.tsx'
import { InlineNumber } from '../ui/inline-number.tsx'
import { ListPage } from '../ui/list-page.tsx'
import type { Column } from '../ui/table.tsx'
import { BulkEdit } from './bulk-edit.tsx'
import { useEditInPlace } from './edit-in-place.ts'
import { OfferPanel, StockFigure, useOfferColumns } from './offer.tsx'
import { catalogTexts } from './texts.ts'

const table = {
  ...catalogTexts,
  edit: ['Edit', 'Изменить', 'O‘zgartirish'],
  lowStock: ['Low in stock', 'Мало на складе', 'Qoldiq kam'],
} as const

/** One dialog changes at most this many, one after the other. */
const maxChosen = 100

export function Page() {
  const t = useTexts(table)
  const { can } = useSession()
  const [open, setOpen] = useState<Offer | null>(null)
  const { chosen, choose, clear } = useChosen()
  const [isEditing, setIsEditing] = useState(false)
  const figures = useFigureColumns()
  const [partner, state] = useOfferColumns()
  const choices = [
    ['true', t.yes],
    ['false', t.no],
  ] as const
  const close = () => {
    setIsEditing(false)
    clear()
  }
  return (
    <>
      <ListPage
        title={t.offers}
        resource="offers"
        icon="offers"
        firstSort="quantity"
        empty={{ title: t.noOffers }}
        columns={[
          {
            head: t.offer,
            cell: (it: Offer) => (
              <span className="flex items-center gap-3">
                {can('catalog:write') && (
                  <Choice
                    label={`${t.offer} ${it.id}`}
                    isChosen={chosen.has(it.id)}
                    onChange={(isChosen) => choose(it, isChosen)}
                  />
                )}
                <span className="line-clamp-2 leading-snug max-sm:line-clamp-3">{it.name}</span>
              </span>
            ),
          },
          { ...partner!, isWide: true },
          state!,
          ...figures,
        ]}
        searchBy={{ name: 'product_id', label: t.productId }}
        filters={[
          { name: 'in_stock', label: t.inStock, choices },
          { name: 'low_stock', label: t.lowStock, choices },
          { name: 'is_visible', label: t.visible, choices },
        ]}
        load={(bozor, query) => bozor.offers.list({ sort: 'quantity', ...query })}
        idOf={(it) => it.id}
        onOpen={setOpen}
        actions={
          chosen.size > 0 && (
            <Button look="primary" onClick={() => setIsEditing(true)}>
              {t.edit} {chosen.size}
            </Button>
          )
        }
      />
      {open && <OfferPanel offerId={open.id} onClose={() => setOpen(null)} />}
      {isEditing && <BulkEdit offers={[...chosen.values()]} onClose={close} />}
    </>
  )
}

/** The offers that are ticked, at most as many as one dialog changes. */
function useChosen() {
  const [chosen, setChosen] = useState<ReadonlyMap<string, Offer>>(new Map())
  const choose = (it: Offer, isChosen: boolean) => {
    const next = new Map(chosen)
    if (!isChosen) next.delete(it.id)
    else if (next.size < maxChosen) next.set(it.id, it)
    setChosen(next)
  }
  return { chosen, choose, clear: () => setChosen(new Map()) }
}

/** Stock and price, edited in place by members who may. */
function useFigureColumns(): Column<Offer>[] {
  const t = useTexts(table)
  const { can, language } = useSession()
  const edit = useEditInPlace()
  return [
    {
      head: t.stock,
      isRight: true,
      sortBy: 'quantity',
      cell: (it: Offer) =>
        can('catalog:write') ? (
          <InlineNumber
            label={`${t.stock} ${it.id}`}
            value={it.quantity}
            onSave={(quantity) => edit({ offer: it, quantity })}
          >
            <StockFigure quantity={it.quantity} />
          </InlineNumber>
        ) : (
          <StockFigure quantity={it.quantity} />
        ),
    },
    {
      head: t.price,
      isRight: true,
      sortBy: 'price',
      cell: (it: Offer) =>
        can('catalog:write') ? (
          <InlineNumber
            label={`${t.price} ${it.id}`}
            value={it.usual_price.amount / 100}
            onSave={(sums) => edit({ offer: it, priceTiyin: Math.round(sums * 100) })}
          >
            {money(it.price, language)}
          </InlineNumber>
        ) : (
          money(it.price, language)
        ),
    },
  ]
}

/** A click on it does not open the row. */
const Choice = (it: { label: string; isChosen: boolean; onChange: (isChosen: boolean) => void }) => (
  <input
    type="checkbox"
    aria-label={it.label}
    checked={it.isChosen}
    className="accent-accent size-4 shrink-0"
    onClick={(event) => event.stopPropagation()}
    onChange={(event) => it.onChange(event.target.checked)}
  />
)
