// The moderation queue, worked by keyboard: one offer at a time, a approves, r rejects with a reason, j and k move.

import { useState } from 'react'
import type { ModeratedOffer } from '../../../sdk/index.ts'
import { useAgo } from '../app/clock.ts'
import { useAction, useData, useList } from '../app/data.ts'
import { useKeys } from '../app/keys.ts'
import { count, money } from '../app/language.ts'
import { useSession, useTexts } from '../app/session.tsx'
import { Button, Kbd } from '../ui/button.tsx'
import { Card, PageHead, Pairs } from '../ui/card.tsx'
import { FormDialog } from '../ui/form.tsx'
import { Empty, Failure, Skeleton, SkeletonRows } from '../ui/states.tsx'
import { catalogTexts } from './texts.ts'

const table = {
  ...catalogTexts,
  title: ['Moderation', 'Модерация', 'Moderatsiya'],
  waiting: ['waiting', 'в очереди', 'navbatda'],
  approve: ['Approve', 'Одобрить', 'Tasdiqlash'],
  reject: ['Reject', 'Отклонить', 'Rad etish'],
  approved: ['Approved', 'Одобрено', 'Tasdiqlandi'],
  rejected: ['Rejected', 'Отклонено', 'Rad etildi'],
  reason: ['What the partner should change', 'Что партнёру исправить', 'Hamkor nimani tuzatishi kerak'],
  keys: ['move', 'вверх и вниз', 'yuqori va past'],
  empty: ['The queue is empty', 'Очередь пуста', 'Navbat bo‘sh'],
  emptyText: [
    'New offers of partners appear here.',
    'Здесь появятся новые предложения партнёров.',
    'Hamkorlarning yangi takliflari shu yerda chiqadi.',
  ],
  submitted: ['Submitted', 'Отправлено', 'Yuborilgan'],
  usual: ['Price of other offers', 'Цена других предложений', 'Boshqa takliflar narxi'],
  queue: ['Queue', 'Очередь', 'Navbat'],
} as const

export function Page() {
  const t = useTexts(table)
  const queue = useList<ModeratedOffer>(['moderation'], (bozor, page) =>
    bozor.moderatedOffers.list({ ...page, status: 'pending' }),
  )
  const [chosenId, setChosenId] = useState<string | null>(null)
  const [isRejecting, setIsRejecting] = useState(false)
  const items = queue.items ?? []
  const at = Math.max(
    0,
    items.findIndex((it) => it.id === chosenId),
  )
  const current = items[at]
  const move = (step: number) =>
    setChosenId(items[Math.max(0, Math.min(items.length - 1, at + step))]?.id ?? null)
  const approve = useAction(
    (bozor, id: string) => bozor.moderatedOffers.approve({ moderated_offer_id: id }),
    { refreshes: ['moderation', 'home'], done: (reply) => `${t.approved}: ${reply.moderated_offer.name}` },
  )
  const approveCurrent = () => {
    if (!current || approve.isPending) return
    setChosenId((items[at + 1] ?? items[at - 1])?.id ?? null)
    approve.mutate(current.id)
  }
  const reject = () => current && setIsRejecting(true)
  useKeys({
    j: () => move(1),
    ArrowDown: () => move(1),
    k: () => move(-1),
    ArrowUp: () => move(-1),
    a: approveCurrent,
    r: reject,
  })
  return (
    <>
      <QueueHead total={queue.total} />
      {queue.error ? (
        <Failure error={queue.error} onRetry={queue.reload} />
      ) : !queue.items ? (
        <SkeletonRows />
      ) : !current ? (
        <Card isFlush>
          <Empty icon="moderation" title={t.empty} text={t.emptyText} />
        </Card>
      ) : (
        <div className="grid gap-4 lg:grid-cols-[22rem_minmax(0,1fr)]">
          <Queue
            items={items}
            chosen={current.id}
            onChoose={setChosenId}
            onEnd={queue.hasMore ? queue.loadMore : undefined}
          />
          <OfferUnderReview
            offer={current}
            isBusy={approve.isPending}
            onApprove={approveCurrent}
            onReject={reject}
          />
        </div>
      )}
      {isRejecting && current && <RejectForm offer={current} onClose={() => setIsRejecting(false)} />}
    </>
  )
}

function QueueHead({ total }: { total: number | null }) {
  const t = useTexts(table)
  return (
    <PageHead
      title={t.title}
      badge={
        total !== null && (
          <span className="text-soft figures">
            {count(total)} {t.waiting}
          </span>
        )
      }
    >
      <span className="text-soft hidden items-center gap-1 text-xs sm:flex">
        <Kbd text="j" /> <Kbd text="k" /> {t.keys}
      </span>
    </PageHead>
  )
}

function RejectForm({ offer, onClose }: { offer: ModeratedOffer; onClose(): void }) {
  const t = useTexts(table)
  return (
    <FormDialog
      title={t.reject}
      text={offer.name}
      submit={t.reject}
      isDanger
      done={t.rejected}
      refreshes={['moderation', 'home']}
      fields={[{ name: 'reason', label: t.reason, kind: 'area' }]}
      run={(bozor, values) =>
        bozor.moderatedOffers.reject({ moderated_offer_id: offer.id, reason: values['reason'] ?? '' })
      }
      onClose={onClose}
    />
  )
}

function Queue({
  items,
  chosen,
  onChoose,
  onEnd,
}: {
  items: ModeratedOffer[]
  chosen: string
  onChoose(id: string): void
  onEnd: (() => void) | undefined
}) {
  const t = useTexts(table)
  const { language } = useSession()
  return (
    <div className="max-lg:order-2">
      <Card title={t.queue} isFlush>
        <ul
          className="divide-line max-h-[70dvh] divide-y overflow-y-auto"
          onScroll={
            onEnd &&
            (({ currentTarget: it }) => it.scrollTop + it.clientHeight > it.scrollHeight - 200 && onEnd())
          }
        >
          {items.map((it) => (
            <li key={it.id}>
              <button
                type="button"
                aria-current={it.id === chosen || undefined}
                onClick={() => onChoose(it.id)}
                className="hover:bg-hover aria-[current]:bg-accent-soft w-full px-4 py-2 text-left"
              >
                <span className="line-clamp-1 font-medium">{it.name}</span>
                <span className="text-soft figures flex justify-between gap-3 text-xs">
                  <span className="truncate">{it.partner.name}</span>
                  {money(it.usual_price, language)}
                </span>
              </button>
            </li>
          ))}
        </ul>
      </Card>
    </div>
  )
}

interface ReviewProps {
  offer: ModeratedOffer
  isBusy: boolean
  onApprove(): void
  onReject(): void
}

function OfferUnderReview({ offer, isBusy, onApprove, onReject }: ReviewProps) {
  const t = useTexts(table)
  const { language } = useSession()
  const ago = useAgo()
  const product = useData(
    ['products', offer.product_id],
    async (bozor) => (await bozor.products.get({ product_id: offer.product_id })).product,
  )
  const others = product.data?.price
  return (
    <Card>
      <div className="flex flex-col gap-5 sm:flex-row">
        <div className="border-line bg-canvas grid size-44 shrink-0 place-items-center rounded-lg border p-3 max-sm:w-full">
          {product.data ? (
            product.data.images[0] && (
              <img
                src={product.data.images[0].md_path}
                alt=""
                className="max-h-36 max-w-full object-contain"
              />
            )
          ) : (
            <Skeleton className="size-full" />
          )}
        </div>
        <div className="min-w-0 flex-1">
          <h2 className="mb-3 text-lg leading-snug font-semibold">{offer.name}</h2>
          <Pairs
            rows={[
              [t.partner, `${offer.partner.name} · ${offer.partner.rating.toFixed(1)}`],
              [
                t.price,
                <strong key="price" className="figures">
                  {money(offer.usual_price, language)}
                </strong>,
              ],
              [t.usual, others && money(others, language)],
              [t.stock, count(offer.quantity)],
              [t.category, product.data?.category.name],
              [t.submitted, ago(offer.updated_at)],
            ]}
          />
        </div>
      </div>
      <div className="border-line mt-5 flex gap-2 border-t pt-4">
        <Button look="primary" icon="check" shortcut="a" isBusy={isBusy} onClick={onApprove}>
          {t.approve}
        </Button>
        <Button look="danger" icon="close" shortcut="r" onClick={onReject}>
          {t.reject}
        </Button>
      </div>
    </Card>
  )
}
