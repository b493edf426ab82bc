import { useNavigate } from '@tanstack/react-router'
import type { Product } from '../../../sdk/index.ts'
import { money } from '../app/language.ts'
import { useSession, useTexts } from '../app/session.tsx'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { ListPage } from '../ui/list-page.tsx'
import type { Column } from '../ui/table.tsx'
import { catalogTexts } from './texts.ts'

export const ProductName = ({ name, image }: { name: string; image: string | undefined }) => (
  <span className="flex min-w-0 items-center gap-3">
    {image ? (
      <img
        src={image}
        alt=""
        loading="lazy"
        className="border-line bg-canvas size-8 shrink-0 rounded border object-contain"
      />
    ) : (
      <span className="bg-hover size-8 shrink-0 rounded" />
    )}
    <span className="line-clamp-2 min-w-0 leading-snug">{name}</span>
  </span>
)

export function Page() {
  const t = useTexts(catalogTexts)
  const { language } = useSession()
  const navigate = useNavigate()
  const columns: Column<Product>[] = [
    { head: t.product, cell: (it) => <ProductName name={it.name} image={it.images[0]?.sm_path} /> },
    { head: t.category, isWide: true, cell: (it) => <span className="text-soft">{it.category.name}</span> },
    { head: t.brand, isWide: true, cell: (it) => <span className="text-soft">{it.brand?.name}</span> },
    { head: t.rating, isWide: true, isRight: true, cell: (it) => it.rating?.toFixed(1) ?? '–' },
    {
      head: t.stock,
      isWide: true,
      cell: (it) => (
        <Badge text={it.in_stock ? t.inStock : t.outOfStock} tone={it.in_stock ? 'good' : 'neutral'} />
      ),
    },
    {
      head: t.price,
      isRight: true,
      cell: (it) => (
        <span className="whitespace-nowrap">
          {it.discount ? <span className="text-good mr-2 text-xs">−{Math.abs(it.discount)}%</span> : null}
          {it.price ? money(it.price, language) : '–'}
        </span>
      ),
    },
  ]
  return (
    <ListPage
      title={t.products}
      resource="products"
      icon="products"
      empty={{
        title: t.noProducts,
        text: t.noProductsText,
        action: <Button onClick={() => void navigate({ to: '/import' })}>{t.import}</Button>,
      }}
      columns={columns}
      searchBy={{ name: 'q', label: t.search }}
      filters={[
        {
          name: 'in_stock',
          label: t.inStock,
          choices: [
            ['true', t.yes],
            ['false', t.no],
          ],
        },
        {
          name: 'discounted',
          label: t.discount,
          choices: [
            ['true', t.yes],
            ['false', t.no],
          ],
        },
      ]}
      load={(bozor, query) => (query['q'] ? bozor.products.search(query) : bozor.products.list(query))}
      idOf={(it) => it.id}
      to={(it) => `/products/${it.id}`}
    />
  )
}
