import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import type { Offer, ProductDetail } from '../../../sdk/index.ts'
import { useData } from '../app/data.ts'
import { dateTime, money } from '../app/language.ts'
import { useSession, useTexts } from '../app/session.tsx'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Card, PageHead, Pairs } from '../ui/card.tsx'
import { FormDialog } from '../ui/form.tsx'
import { Empty, Failure, Skeleton } from '../ui/states.tsx'
import { Table } from '../ui/table.tsx'
import { OfferPanel, useOfferColumns } from './offer.tsx'
import { Pictures } from './pictures.tsx'
import { catalogTexts } from './texts.ts'
import { Variants } from './variants.tsx'

const table = {
  ...catalogTexts,
  description: ['Description', 'Описание', 'Tavsif'],
  details: ['Details', 'Сведения', 'Ma’lumotlar'],
  edit: ['Edit', 'Изменить', 'Tahrirlash'],
  name: ['Name', 'Название', 'Nomi'],
  save: ['Save', 'Сохранить', 'Saqlash'],
  saved: ['Saved', 'Сохранено', 'Saqlandi'],
  created: ['Created', 'Создан', 'Yaratilgan'],
} as const

export function Page() {
  const t = useTexts(table)
  const { id } = useParams({ strict: false }) as { id: string }
  const { can, language } = useSession()
  const [isEditing, setIsEditing] = useState(false)
  const product = useData(
    ['products', id],
    async (bozor) => (await bozor.products.get({ product_id: id })).product,
  )
  if (product.error) return <Failure error={product.error} onRetry={() => void product.refetch()} />
  if (!product.data) return <Skeleton className="h-80 w-full" />
  const it = product.data
  return (
    <>
      <PageHead
        title={it.name}
        badge={
          <Badge text={it.in_stock ? t.inStock : t.outOfStock} tone={it.in_stock ? 'good' : 'neutral'} />
        }
      >
        {can('catalog:write') && <Button onClick={() => setIsEditing(true)}>{t.edit}</Button>}
      </PageHead>
      <div className="grid gap-4 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="flex min-w-0 flex-col gap-4">
          <Offers product={it} />
          <Variants product={it} />
          {it.description && (
            <Card title={t.description}>
              <p className="max-w-prose whitespace-pre-line">{it.description}</p>
            </Card>
          )}
        </div>
        <div className="flex min-w-0 flex-col gap-4">
          <Pictures product={it} />
          <Card title={t.details}>
            <Pairs
              rows={[
                [t.category, it.category.name],
                [t.brand, it.brand?.name],
                [t.price, it.price && money(it.price, language)],
                [t.rating, it.rating?.toFixed(1)],
                [t.created, dateTime(it.created_at, language)],
              ]}
            />
          </Card>
        </div>
      </div>
      {isEditing && <EditProduct product={it} onClose={() => setIsEditing(false)} />}
    </>
  )
}

function Offers({ product }: { product: ProductDetail }) {
  const t = useTexts(table)
  const columns = useOfferColumns()
  const [open, setOpen] = useState<Offer | null>(null)
  return (
    <Card title={t.offers} isFlush>
      {product.offers.length === 0 ? (
        <Empty icon="offers" title={t.noOffers} />
      ) : (
        <Table
          label={t.offers}
          items={product.offers}
          columns={columns}
          idOf={(it) => it.id}
          onOpen={setOpen}
        />
      )}
      {open && <OfferPanel offerId={open.id} onClose={() => setOpen(null)} />}
    </Card>
  )
}

function EditProduct({ product, onClose }: { product: ProductDetail; onClose(): void }) {
  const t = useTexts(table)
  const { language } = useSession()
  return (
    <FormDialog
      title={t.edit}
      submit={t.save}
      done={t.saved}
      refreshes={['products']}
      fields={[
        { name: 'name', label: `${t.name} (${language})`, value: product.name },
        {
          name: 'description',
          label: `${t.description} (${language})`,
          value: product.description,
          kind: 'area',
        },
      ]}
      run={(bozor, values) =>
        bozor.products.update({
          product_id: product.id,
          name: { [language]: values['name'] },
          description: { [language]: values['description'] },
        })
      }
      onClose={onClose}
    />
  )
}
