import { useState } from 'react'
import type { Offer } from '../../../sdk/index.ts'
import { useTexts } from '../app/session.tsx'
import { ListPage } from '../ui/list-page.tsx'
import { OfferPanel, useOfferColumns } from './offer.tsx'
import { catalogTexts } from './texts.ts'

export function Page() {
  const t = useTexts(catalogTexts)
  const [open, setOpen] = useState<Offer | null>(null)
  const [partner, ...rest] = useOfferColumns()
  const choices = [
    ['true', t.yes],
    ['false', t.no],
  ] as const
  return (
    <>
      <ListPage
        title={t.offers}
        resource="offers"
        icon="offers"
        empty={{ title: t.noOffers }}
        columns={[
          {
            head: t.offer,
            cell: (it: Offer) => <span className="line-clamp-2 leading-snug">{it.name}</span>,
          },
          { ...partner!, isWide: true },
          ...rest,
        ]}
        searchBy={{ name: 'product_id', label: t.productId }}
        filters={[
          { name: 'in_stock', label: t.inStock, choices },
          { name: 'is_visible', label: t.visible, choices },
        ]}
        load={(bozor, query) => bozor.offers.list({ sort: 'quantity', ...query })}
        idOf={(it) => it.id}
        onOpen={setOpen}
      />
      {open && <OfferPanel offerId={open.id} onClose={() => setOpen(null)} />}
    </>
  )
}
