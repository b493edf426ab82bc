// Promotions on a timeline, with a form for a new one.

import { useState } from 'react'
import type { Promotion } from '../../../sdk/index.ts'
import { useNow } from '../app/clock.ts'
import { useAction, useData } from '../app/data.ts'
import { dateTime, day, money } from '../app/language.ts'
import { useSession, useTexts } from '../app/session.tsx'
import { Badge, type Tone } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Card, PageHead } from '../ui/card.tsx'
import { FormDialog } from '../ui/form.tsx'
import { Empty, Failure, SkeletonRows } from '../ui/states.tsx'

const table = {
  title: ['Promotions', 'Акции', 'Aksiyalar'],
  text: [
    'Prices that hold for a period. The cart uses them by itself.',
    'Цены на период. Корзина применяет их сама.',
    'Davr uchun narxlar. Savat ularni o‘zi qo‘llaydi.',
  ],
  plan: ['Plan a promotion', 'Запланировать акцию', 'Aksiya rejalash'],
  planned: ['Planned', 'Запланировано', 'Rejalandi'],
  name: ['Title', 'Название', 'Nomi'],
  slug: ['Short name for addresses', 'Короткое имя для адресов', 'Manzil uchun qisqa nom'],
  discount: ['Discount in percent', 'Скидка в процентах', 'Chegirma, foizda'],
  offers: [
    'Offer ids, separated by commas',
    'Номера предложений через запятую',
    'Taklif raqamlari, vergul bilan',
  ],
  categories: ['Or category ids', 'Или номера категорий', 'Yoki turkum raqamlari'],
  from: ['From', 'С', 'Boshlanishi'],
  until: ['Until', 'До', 'Tugashi'],
  scheduled: ['Scheduled', 'Запланирована', 'Rejalangan'],
  running: ['Running', 'Идёт', 'Davom etmoqda'],
  ended: ['Ended', 'Завершена', 'Tugagan'],
  end: ['End now', 'Завершить', 'Tugatish'],
  endDone: ['The promotion has ended', 'Акция завершена', 'Aksiya tugadi'],
  open: ['without end', 'без срока', 'muddatsiz'],
  none: ['No promotions yet', 'Акций пока нет', 'Hali aksiya yo‘q'],
  noneText: [
    'Plan one, and its prices appear in the catalog and in carts at the set time.',
    'Запланируйте акцию: её цены появятся в каталоге и корзинах в назначенное время.',
    'Aksiya rejalang: narxlari belgilangan vaqtda katalog va savatlarda paydo bo‘ladi.',
  ],
} as const

const tones: Record<Promotion['status'], Tone> = { scheduled: 'info', running: 'good', ended: 'neutral' }

export function Page() {
  const t = useTexts(table)
  const { can } = useSession()
  const [isPlanning, setIsPlanning] = useState(false)
  const found = useData(['promotions'], (bozor) =>
    bozor.promotions.list({ sort: '-starts_at', per_page: 100 }),
  )
  const plan = can('marketing:write') && (
    <Button look="primary" icon="plus" onClick={() => setIsPlanning(true)}>
      {t.plan}
    </Button>
  )
  return (
    <>
      <PageHead title={t.title} text={t.text}>
        {plan}
      </PageHead>
      <Card isFlush>
        {found.error ? (
          <Failure error={found.error} onRetry={() => void found.refetch()} />
        ) : !found.data ? (
          <SkeletonRows />
        ) : found.data.items.length === 0 ? (
          <Empty icon="promotions" title={t.none} text={t.noneText}>
            {plan}
          </Empty>
        ) : (
          <Timeline promotions={found.data.items} />
        )}
      </Card>
      {isPlanning && <PlanForm onClose={() => setIsPlanning(false)} />}
    </>
  )
}

const dayMs = 86_400_000

function Timeline({ promotions }: { promotions: Promotion[] }) {
  const { language } = useSession()
  const now = useNow()()
  const [from, to] = [now - 14 * dayMs, now + 30 * dayMs]
  const placeOf = (at: number) => Math.max(0, Math.min(100, ((at - from) / (to - from)) * 100))
  return (
    <ul className="divide-line divide-y">
      <li
        aria-hidden="true"
        className="text-faint grid h-8 items-center px-4 text-xs max-md:hidden md:grid-cols-[minmax(0,20rem)_1fr]"
      >
        <span />
        <span className="figures flex justify-between">
          {[0, 0.25, 0.5, 0.75, 1].map((it) => (
            <span key={it}>{day(new Date(from + (to - from) * it).toISOString(), language)}</span>
          ))}
        </span>
      </li>
      {promotions.map((it) => (
        <PromotionRow
          key={it.id}
          promotion={it}
          start={placeOf(Date.parse(it.starts_at))}
          end={placeOf(it.ends_at ? Date.parse(it.ends_at) : to)}
          now={placeOf(now)}
        />
      ))}
    </ul>
  )
}

function PromotionRow({
  promotion: it,
  start,
  end,
  now,
}: {
  promotion: Promotion
  start: number
  end: number
  now: number
}) {
  const t = useTexts(table)
  const { language, can } = useSession()
  const stop = useAction((bozor) => bozor.promotions.end({ promotion_id: it.id }), {
    refreshes: ['promotions'],
    done: t.endDone,
  })
  const terms = it.discount_percent ? `−${it.discount_percent}%` : it.price ? money(it.price, language) : ''
  return (
    <li className="grid items-center gap-x-4 gap-y-2 px-4 py-3 md:grid-cols-[minmax(0,20rem)_1fr]">
      <div className="min-w-0">
        <p className="truncate font-medium">{it.title}</p>
        <p className="text-soft figures text-xs">
          {dateTime(it.starts_at, language)} – {it.ends_at ? dateTime(it.ends_at, language) : t.open}
        </p>
        <p className="mt-1 flex items-center gap-2">
          <Badge text={t[it.status]} tone={tones[it.status]} />
          <span className="figures font-medium">{terms}</span>
          {it.status === 'running' && can('marketing:write') && (
            <Button isSmall isBusy={stop.isPending} onClick={() => stop.mutate(undefined)}>
              {t.end}
            </Button>
          )}
        </p>
      </div>
      <div aria-hidden="true" className="bg-canvas relative h-6 rounded-md max-md:hidden">
        <span
          className={`absolute inset-y-1 rounded ${it.status === 'ended' ? 'bg-strong' : 'bg-accent'}`}
          style={{ left: `${start}%`, width: `${Math.max(end - start, 0.6)}%` }}
        />
        <span className="bg-bad absolute inset-y-0 w-px" style={{ left: `${now}%` }} />
      </div>
    </li>
  )
}

const idsOf = (text: string | undefined): string[] => (text ?? '').split(/[\s,]+/).filter(Boolean)

function PlanForm({ onClose }: { onClose(): void }) {
  const t = useTexts(table)
  const instant = (text: string | undefined) => (text ? new Date(text).toISOString() : undefined)
  return (
    <FormDialog
      title={t.plan}
      submit={t.plan}
      done={t.planned}
      refreshes={['promotions', 'offers', 'products']}
      fields={[
        { name: 'title', label: t.name },
        { name: 'slug', label: t.slug, hint: 'spring-sale' },
        { name: 'discount_percent', label: t.discount, kind: 'number', value: '10' },
        { name: 'offer_ids', label: t.offers },
        { name: 'category_ids', label: t.categories },
        { name: 'starts_at', label: t.from, kind: 'datetime-local' },
        { name: 'ends_at', label: t.until, kind: 'datetime-local' },
      ]}
      run={(bozor, values) => {
        const [starts_at, ends_at] = [instant(values['starts_at']), instant(values['ends_at'])]
        return bozor.promotions.create({
          title: values['title'] ?? '',
          slug: values['slug'] ?? '',
          discount_percent: Number(values['discount_percent']),
          offer_ids: idsOf(values['offer_ids']),
          category_ids: idsOf(values['category_ids']),
          ...(starts_at && { starts_at }),
          ...(ends_at && { ends_at }),
        } as never)
      }}
      onClose={onClose}
    />
  )
}
