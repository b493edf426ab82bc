// Changes the price or the visibility of several offers at once. The change can be undone from its message.

import type { Bozor, Offer } from '../../../sdk/index.ts'
import { useQueryClient } from '@tanstack/react-query'
import { refresh } from '../app/data.ts'
import { fillIn } from '../app/language.ts'
import { useSession, useTexts } from '../app/session.tsx'
import { FormDialog } from '../ui/form.tsx'
import { useToast } from '../ui/toast.tsx'

const table = {
  title: ['Edit offers: {count}', 'Изменить предложения: {count}', '{count} ta taklifni o‘zgartirish'],
  percent: ['Change of the price in percent', 'Изменение цены в процентах', 'Narx o‘zgarishi, foizda'],
  percentHint: [
    '−10 lowers, 5 raises; empty leaves it.',
    '−10 снижает, 5 повышает; пусто — без изменений.',
    '−10 tushiradi, 5 oshiradi; bo‘sh bo‘lsa, o‘zgarmaydi.',
  ],
  visibility: ['Visibility', 'Видимость', 'Ko‘rinishi'],
  keep: ['Leave as it is', 'Не менять', 'O‘zgartirilmasin'],
  show: ['Put on sale', 'В продажу', 'Sotuvga qo‘yish'],
  hide: ['Hide', 'Скрыть', 'Yashirish'],
  wrong: [
    'Enter a number from −90 to 500.',
    'Введите число от −90 до 500.',
    '−90 dan 500 gacha son kiriting.',
  ],
  save: ['Save', 'Сохранить', 'Saqlash'],
  saved: ['Offers changed: {count}', 'Изменено предложений: {count}', '{count} ta taklif o‘zgardi'],
  undo: ['Undo', 'Отменить', 'Qaytarish'],
} as const

/** Prices are whole sums. */
const changedPrice = (tiyin: number, percent: number): number =>
  Math.max(100, Math.round((tiyin * (1 + percent / 100)) / 100) * 100)

interface OfferChange {
  offer_id: string
  price_tiyin?: number
  is_visible?: boolean
}

async function apply(bozor: Bozor, changes: readonly OfferChange[]): Promise<void> {
  for (const it of changes) await bozor.offers.update(it)
}

const refreshed = ['offers', 'products']

export function BulkEdit({ offers, onClose }: { offers: readonly Offer[]; onClose(): void }) {
  const t = useTexts(table)
  const toast = useToast()
  const queries = useQueryClient()
  const { bozor } = useSession()
  const readAgain = () => void refresh(queries, refreshed)
  const undo = (changes: readonly OfferChange[]) => {
    const isPriced = changes.some((it) => it.price_tiyin !== undefined)
    const before = offers.map((it) => ({
      offer_id: it.id,
      ...(isPriced ? { price_tiyin: it.usual_price.amount } : { is_visible: it.is_visible }),
      ...(changes[0]?.is_visible !== undefined && { is_visible: it.is_visible }),
    }))
    apply(bozor, before).then(readAgain, (error: unknown) =>
      toast({ text: (error as Error).message, tone: 'bad' }),
    )
  }
  return (
    <FormDialog
      title={fillIn(t.title, { count: offers.length })}
      submit={t.save}
      refreshes={refreshed}
      fields={[
        { name: 'percent', label: t.percent, hint: t.percentHint },
        {
          name: 'visibility',
          label: t.visibility,
          kind: 'select',
          choices: [
            ['', t.keep],
            ['true', t.show],
            ['false', t.hide],
          ],
        },
      ]}
      run={async (client, values) => {
        const percent = Number((values['percent'] ?? '').replace('−', '-').replace(',', '.'))
        if (!(percent >= -90 && percent <= 500)) throw new Error(t.wrong)
        const changes = offers.map((it) => ({
          offer_id: it.id,
          ...(percent !== 0 && { price_tiyin: changedPrice(it.usual_price.amount, percent) }),
          ...(values['visibility'] && { is_visible: values['visibility'] === 'true' }),
        }))
        if (percent === 0 && !values['visibility']) return []
        await apply(client, changes)
        return changes
      }}
      onDone={(changes) => {
        if (changes.length === 0) return
        const text = fillIn(t.saved, { count: changes.length })
        toast({ text, undo: { label: t.undo, run: () => undo(changes) } })
      }}
      onClose={onClose}
    />
  )
}
