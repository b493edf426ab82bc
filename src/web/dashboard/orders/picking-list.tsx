// What to pick in the warehouse: a page per partner of the checkout, large figures, boxes to tick, no prices.

import { useParams } from '@tanstack/react-router'
import type { Bozor, Order } from '../../../sdk/index.ts'
import { useData } from '../app/data.ts'
import { fillIn, fullDate, textsIn } from '../app/language.ts'
import { Failure, Skeleton } from '../ui/states.tsx'
import { printTexts } from './print-texts.ts'
import { Entry, PrintPage, PrintBar, usePrintLanguage } from './print-page.tsx'
import { linesToPick, type PickedLine } from './print-figures.ts'

/** A checkout has one order per partner; a cart has at most 200 lines. */
const maxOrders = 100

async function ordersOfCheckout(
  { orders }: Bozor,
  id: string,
  language: 'en' | 'ru' | 'uz',
): Promise<Order[]> {
  const options = { language }
  const { order } = await orders.get({ id }, options)
  const { items } = await orders.list({ checkout_id: order.checkout_id, per_page: maxOrders, sort: 'id' })
  const others = items.filter((it) => it.id !== order.id && it.status !== 'cancelled')
  const loaded = await Promise.all(others.map(async (it) => (await orders.get({ id: it.id }, options)).order))
  return [order, ...loaded]
}

export function Page() {
  const { id } = useParams({ strict: false }) as { id: string }
  const language = usePrintLanguage()
  const found = useData(['orders', id, 'checkout', language], (bozor) =>
    ordersOfCheckout(bozor, id, language),
  )
  const t = textsIn(printTexts, language)
  return (
    <>
      <h1 className="sr-only">{`${t.pickingList} #${id}`}</h1>
      <PrintBar orderId={id} />
      {found.error && <Failure error={found.error} onRetry={() => void found.refetch()} />}
      {!found.data && !found.error && <Skeleton className="h-96 w-full" />}
      {found.data?.map((it) => (
        <PickingPage key={it.id} order={it} />
      ))}
    </>
  )
}

function PickingPage({ order }: { order: Order }) {
  const language = usePrintLanguage()
  const t = textsIn(printTexts, language)
  const picked = order.status === 'cancelled' ? [] : linesToPick(order)
  const units = picked.reduce((sum, it) => sum + it.units, 0)
  return (
    <PrintPage language={language} label={`${t.pickingList} #${order.id}`}>
      <header className="flex items-start justify-between gap-4 border-b-2 border-current pb-3">
        <div className="min-w-0">
          <h2 className="text-xl font-bold">{t.pickingList}</h2>
          <p className="break-words text-base">{order.partner_name}</p>
        </div>
        <p className="figures text-2xl font-bold whitespace-nowrap">#{order.id}</p>
      </header>
      <dl className="my-3 grid grid-cols-2 gap-x-6 gap-y-2 sm:grid-cols-4">
        <Entry name={t.date}>{fullDate(order.created_at)}</Entry>
        <Entry name={t.delivery}>{order.delivery?.name}</Entry>
        <Entry name={t.deliverBy}>
          {order.delivery?.promised_on && fullDate(order.delivery.promised_on)}
        </Entry>
        <Entry name={t.buyer}>{order.contact?.name ?? t.guest}</Entry>
      </dl>
      {picked.length === 0 ? (
        <p className="py-8 text-center">{t.nothingToPick}</p>
      ) : (
        <PickedLines lines={picked} />
      )}
      <footer className="mt-4 grid gap-4 sm:grid-cols-[1fr_1fr_1fr]">
        <p className="figures self-end font-semibold">
          {fillIn(t.linesAndUnits, { lines: picked.length, units })}
        </p>
        <SignHere name={t.pickedBy} />
        <SignHere name={t.checkedBy} />
      </footer>
    </PrintPage>
  )
}

const SignHere = ({ name }: { name: string }) => (
  <p className="text-2xs text-soft mt-6 border-t border-current pt-1">{name}</p>
)

function PickedLines({ lines }: { lines: PickedLine[] }) {
  const language = usePrintLanguage()
  const t = textsIn(printTexts, language)
  const offerOf = ({ line }: PickedLine) =>
    line.offer_id
      ? fillIn(t.offer, { id: line.offer_id })
      : fillIn(t.moderatedOffer, { id: line.moderated_offer_id ?? '' })
  return (
    <table className="w-full border-collapse">
      <thead>
        <tr className="text-2xs text-soft border-b border-current text-left">
          <th className="w-12 py-1 font-normal">{t.picked}</th>
          <th className="w-20 py-1 pr-3 text-right font-normal">{t.units}</th>
          <th className="py-1 font-normal">{t.product}</th>
        </tr>
      </thead>
      <tbody>
        {lines.map((it) => (
          <tr key={it.line.line} className="border-line break-inside-avoid border-b">
            <td className="py-2.5">
              <span className="block size-6 rounded-sm border-2 border-current" />
            </td>
            <td className="figures py-2.5 pr-3 text-right align-middle text-2xl leading-none font-bold">
              {it.units}
              {it.units !== it.line.quantity && (
                <span className="text-2xs block pt-1 font-normal">
                  {fillIn(t.ofAll, { count: it.line.quantity })}
                </span>
              )}
            </td>
            <td className="py-2.5">
              <span className="flex items-center gap-3">
                {it.line.image && (
                  <img src={it.line.image.sm_path} alt="" className="size-11 shrink-0 object-contain" />
                )}
                <span className="min-w-0">
                  <span className="block text-base leading-snug font-medium">{it.line.title}</span>
                  <span className="text-soft text-xs">
                    {offerOf(it)} · {t.product.toLowerCase()} {it.line.product_id}
                  </span>
                </span>
              </span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
