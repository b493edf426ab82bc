// The limits of the shop: what clients and guests may buy, and what a client may owe.

import { useState } from 'react'
import type { Operations } from '../../../sdk/index.ts'
import { useData } from '../app/data.ts'
import { count, money } from '../app/language.ts'
import { useSession, useTexts } from '../app/session.tsx'
import { Button } from '../ui/button.tsx'
import { Card, PageHead, Pairs } from '../ui/card.tsx'
import { FormDialog } from '../ui/form.tsx'
import { Failure, SkeletonRows } from '../ui/states.tsx'

const table = {
  title: ['Limits', 'Лимиты', 'Cheklovlar'],
  text: [
    'What buyers may order and owe. A new limit holds for the next order.',
    'Сколько покупатели могут заказать и задолжать. Новый лимит действует со следующего заказа.',
    'Xaridorlar qancha buyurtma bera oladi va qarzdor bo‘la oladi. Yangi cheklov keyingi buyurtmadan boshlab.',
  ],
  clients: ['Clients', 'Клиенты', 'Mijozlar'],
  guests: ['Guests', 'Гости', 'Mehmonlar'],
  daily_amount_tiyin: ['Orders of one day', 'Заказы за день', 'Bir kunlik buyurtmalar'],
  credit_tiyin: ['Debt of a client', 'Долг клиента', 'Mijoz qarzi'],
  product_units_per_order: [
    'Units of a product in one order',
    'Единиц товара в одном заказе',
    'Bitta buyurtmada mahsulot soni',
  ],
  product_units_per_30_days: [
    'Units of a product in 30 days',
    'Единиц товара за 30 дней',
    '30 kunda mahsulot soni',
  ],
  guest_units_per_product: [
    'Units of a product in the cart',
    'Единиц товара в корзине',
    'Savatda mahsulot soni',
  ],
  guest_amount_tiyin: ['Value of the cart', 'Сумма корзины', 'Savat summasi'],
  guest_authorization_tiyin: [
    'Must sign in to order above',
    'Нужен вход для заказа свыше',
    'Bundan ortiq buyurtma uchun kirish kerak',
  ],
  inSums: ['In sums', 'В сумах', 'So‘mda'],
  edit: ['Change', 'Изменить', 'O‘zgartirish'],
  save: ['Save', 'Сохранить', 'Saqlash'],
  saved: ['Saved', 'Сохранено', 'Saqlandi'],
} as const

type Limits = Operations['limits.get']['reply']['limits']

const ofClients = [
  'daily_amount_tiyin',
  'credit_tiyin',
  'product_units_per_order',
  'product_units_per_30_days',
] as const
const ofGuests = ['guest_units_per_product', 'guest_amount_tiyin', 'guest_authorization_tiyin'] as const
type Name = (typeof ofClients)[number] | (typeof ofGuests)[number]

const tiyinPerSum = 100
const isMoney = (name: Name): boolean => name.endsWith('_tiyin')

export function Page() {
  const t = useTexts(table)
  const { can, language } = useSession()
  const [isEditing, setIsEditing] = useState(false)
  const found = useData(['limits'], async (bozor) => (await bozor.limits.get()).limits)
  const shown = (limits: Limits, name: Name) =>
    isMoney(name) ? money({ amount: limits[name], currency: 'UZS' }, language) : count(limits[name])
  const card = (title: string, limits: Limits, names: readonly Name[]) => (
    <Card title={title}>
      <div className="figures">
        <Pairs rows={names.map((it) => [t[it], shown(limits, it)] as const)} />
      </div>
    </Card>
  )
  return (
    <>
      <PageHead title={t.title} text={t.text}>
        {can('admin:write') && found.data && (
          <Button look="primary" onClick={() => setIsEditing(true)}>
            {t.edit}
          </Button>
        )}
      </PageHead>
      {found.error && <Failure error={found.error} onRetry={() => void found.refetch()} />}
      {!found.data && !found.error && <SkeletonRows rows={4} />}
      {found.data && (
        <div className="grid gap-4 lg:grid-cols-2">
          {card(t.clients, found.data, ofClients)}
          {card(t.guests, found.data, ofGuests)}
        </div>
      )}
      {isEditing && found.data && <EditLimits limits={found.data} onClose={() => setIsEditing(false)} />}
    </>
  )
}

function EditLimits({ limits, onClose }: { limits: Limits; onClose(): void }) {
  const t = useTexts(table)
  const names: readonly Name[] = [...ofClients, ...ofGuests]
  const factor = (name: Name) => (isMoney(name) ? tiyinPerSum : 1)
  return (
    <FormDialog
      title={t.title}
      submit={t.save}
      done={t.saved}
      refreshes={['limits', 'clients']}
      fields={names.map((name) => ({
        name,
        label: t[name],
        kind: 'number' as const,
        value: String(limits[name] / factor(name)),
        ...(isMoney(name) && { hint: t.inSums }),
      }))}
      run={(bozor, values) =>
        bozor.limits.update(
          Object.fromEntries(
            names.map((name) => [name, Math.round(Number(values[name]) * factor(name))]),
          ) as Record<Name, number>,
        )
      }
      onClose={onClose}
    />
  )
}
