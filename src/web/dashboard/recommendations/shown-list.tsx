// A recommended list as buyers see it: on a phone, on a web page and in a mini-app.

import type { Operations } from '../../../sdk/index.ts'
import { useData } from '../app/data.ts'
import { money } from '../app/language.ts'
import { useSession, useTexts } from '../app/session.tsx'
import { Card } from '../ui/card.tsx'
import { Failure, Skeleton } from '../ui/states.tsx'

export const devices = ['phone', 'web', 'miniApp'] as const
export type Device = (typeof devices)[number]

const table = {
  forYou: ['For you', 'Для вас', 'Siz uchun'],
  similar: ['Goes with it', 'С этим берут', 'Bunga mos'],
  phone: ['On a phone', 'На телефоне', 'Telefonda'],
  web: ['On a web page', 'На сайте', 'Saytda'],
  miniApp: ['In a mini-app', 'В мини-приложении', 'Mini-ilovada'],
} as const

type Offer = Operations['recommendations.explain']['reply']['offers'][number]
type Product = Operations['products.get']['reply']['product']

/** As many as fit into the frames. */
const shown = 8

interface ShownListProps {
  offers: readonly Offer[]
  device: Device
  isMainPage: boolean
}

export function ShownList({ offers, device, isMainPage }: ShownListProps) {
  const t = useTexts(table)
  const ids = [...new Set(offers.flatMap((it) => it.product_id ?? []))].slice(0, shown)
  const found = useData(['products', 'shown', ids], ({ products }) =>
    Promise.all(ids.map(async (it) => (await products.get({ product_id: it })).product)),
  )
  const title = isMainPage ? t.forYou : t.similar
  return (
    <Card title={t[device]}>
      {found.error ? (
        <Failure error={found.error} onRetry={() => void found.refetch()} />
      ) : found.data ? (
        <Frame device={device}>
          <p className="mb-2 text-base font-semibold">{title}</p>
          <ul className={layouts[device]}>
            {found.data.map((it) => (
              <Tile key={it.id} product={it} isRow={device === 'miniApp'} />
            ))}
          </ul>
        </Frame>
      ) : (
        <Skeleton className="h-80" />
      )}
    </Card>
  )
}

const layouts: Record<Device, string> = {
  phone: 'grid grid-cols-2 gap-2',
  web: 'grid grid-cols-2 gap-3 sm:grid-cols-4',
  miniApp: 'divide-line divide-y',
}

function Frame({ device, children }: { device: Device; children: React.ReactNode }) {
  if (device === 'web')
    return (
      <div className="border-strong overflow-hidden rounded-lg border">
        <p className="bg-hover border-line text-faint border-b px-3 py-1.5 text-xs">shop.uz</p>
        <div className="p-4">{children}</div>
      </div>
    )
  return (
    <div className="border-strong mx-auto w-full max-w-80 overflow-hidden rounded-3xl border-4">
      <p
        className={`px-4 py-2 text-center text-xs font-medium ${device === 'miniApp' ? 'bg-info-soft text-info' : 'bg-hover text-faint'}`}
      >
        {device === 'miniApp' ? '@bozor' : '9:41'}
      </p>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrollable region must take the focus */}
      <div className="max-h-130 overflow-y-auto p-3" tabIndex={0} role="group">
        {children}
      </div>
    </div>
  )
}

function Tile({ product, isRow }: { product: Product; isRow: boolean }) {
  const { language } = useSession()
  const price = product.price && money(product.price, language)
  const image = product.images[0]?.sm_path
  const picture = image && (
    <img
      src={image}
      alt=""
      loading="lazy"
      className={`bg-canvas rounded-md object-contain ${isRow ? 'size-12 shrink-0' : 'aspect-square w-full'}`}
    />
  )
  return (
    <li className={isRow ? 'flex items-center gap-3 py-2' : 'border-line rounded-lg border p-2'}>
      {picture}
      <div className="min-w-0 flex-1">
        <p className="line-clamp-2 text-xs leading-snug">{product.name}</p>
        <p className="figures mt-1 font-semibold">{price}</p>
      </div>
    </li>
  )
}
