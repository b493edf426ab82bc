// Rates in which prices are shown in other currencies.

import { useState } from 'react'
import type { Operations } from '../../../sdk/index.ts'
import { useAction, useData } from '../app/data.ts'
import { dateTime, money } from '../app/language.ts'
import { useSession, useTexts } from '../app/session.tsx'
import { Button, IconButton } from '../ui/button.tsx'
import { Card, PageHead } from '../ui/card.tsx'
import { FormDialog } from '../ui/form.tsx'
import { Empty, Failure, SkeletonRows } from '../ui/states.tsx'

type Rate = Operations['exchangeRates.list']['reply']['exchange_rates'][number]

const table = {
  title: ['Exchange rates', 'Курсы валют', 'Valyuta kurslari'],
  text: [
    'Prices are shown in these currencies. Orders are always charged in sums.',
    'Цены показываются в этих валютах. Заказы всегда оплачиваются в сумах.',
    'Narxlar shu valyutalarda ko‘rsatiladi. Buyurtmalar doim so‘mda to‘lanadi.',
  ],
  add: ['Set a rate', 'Задать курс', 'Kurs belgilash'],
  currency: ['Currency', 'Валюта', 'Valyuta'],
  currencyHint: ['Three letters, such as USD', 'Три буквы, например USD', 'Uch harf, masalan USD'],
  rate: ['Soums for one unit', 'Сумов за единицу', 'Bir birlik uchun so‘m'],
  updated: ['Changed', 'Изменён', 'O‘zgartirilgan'],
  change: ['Change', 'Изменить', 'O‘zgartirish'],
  remove: ['Delete', 'Удалить', 'O‘chirish'],
  save: ['Save', 'Сохранить', 'Saqlash'],
  saved: ['Saved', 'Сохранено', 'Saqlandi'],
  none: ['No exchange rates', 'Курсов валют нет', 'Valyuta kurslari yo‘q'],
} as const

const tiyinPerSoum = 100

export function Page() {
  const t = useTexts(table)
  const { can } = useSession()
  const [edited, setEdited] = useState<Rate | 'new' | null>(null)
  const found = useData(['rates'], async (bozor) => (await bozor.exchangeRates.list()).exchange_rates)
  return (
    <>
      <PageHead title={t.title} text={t.text}>
        {can('admin:write') && (
          <Button look="primary" icon="plus" onClick={() => setEdited('new')}>
            {t.add}
          </Button>
        )}
      </PageHead>
      <Card isFlush>
        {found.error && <Failure error={found.error} onRetry={() => void found.refetch()} />}
        {!found.data && !found.error && <SkeletonRows rows={3} />}
        {found.data?.length === 0 && <Empty icon="card" title={t.none} />}
        <ul className="divide-line divide-y">
          {found.data?.map((it) => (
            <RateRow key={it.currency} rate={it} onEdit={() => setEdited(it)} />
          ))}
        </ul>
      </Card>
      {edited && <EditRate rate={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />}
    </>
  )
}

function RateRow({ rate, onEdit }: { rate: Rate; onEdit(): void }) {
  const t = useTexts(table)
  const { can, language } = useSession()
  const remove = useAction((bozor) => bozor.exchangeRates.delete({ currency: rate.currency }), {
    refreshes: ['rates'],
    done: t.saved,
  })
  return (
    <li className="flex h-12 items-center gap-4 px-4">
      <span className="w-12 font-medium">{rate.currency}</span>
      <span className="figures min-w-0 flex-1">
        {money({ amount: rate.tiyin, currency: 'UZS' }, language)}
      </span>
      <span className="text-soft text-xs max-sm:hidden">
        {t.updated} {dateTime(rate.updated_at, language)}
      </span>
      {can('admin:write') && (
        <>
          <Button isSmall onClick={onEdit}>
            {t.change}
          </Button>
          <IconButton
            icon="trash"
            label={`${t.remove}: ${rate.currency}`}
            onClick={() => remove.mutate(undefined)}
          />
        </>
      )}
    </li>
  )
}

function EditRate({ rate, onClose }: { rate: Rate | null; onClose(): void }) {
  const t = useTexts(table)
  return (
    <FormDialog
      title={rate ? `${t.change}: ${rate.currency}` : t.add}
      submit={t.save}
      done={t.saved}
      refreshes={['rates']}
      fields={[
        ...(rate ? [] : [{ name: 'currency', label: t.currency, hint: t.currencyHint }]),
        {
          name: 'tiyin',
          label: t.rate,
          kind: 'number' as const,
          ...(rate && { value: String(rate.tiyin / tiyinPerSoum) }),
        },
      ]}
      run={(bozor, values) =>
        bozor.exchangeRates.set({
          currency: rate?.currency ?? values['currency']?.trim().toUpperCase() ?? '',
          tiyin: Math.round(Number(values['tiyin']) * tiyinPerSoum),
        })
      }
      onClose={onClose}
    />
  )
}
