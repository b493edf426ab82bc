import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import type { Operations } from '../../../sdk/index.ts'
import { useData } from '../app/data.ts'
import { count, dateTime, money } from '../app/language.ts'
import { useSession, useTexts } from '../app/session.tsx'
import { Status } from '../orders/status.tsx'
import type { StatusName } from '../orders/texts.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Card, PageHead, Pairs } from '../ui/card.tsx'
import { FormDialog } from '../ui/form.tsx'
import { Empty, Failure, Skeleton } from '../ui/states.tsx'
import { BuyerView } from './buyer-view.tsx'
import { ClientSessions } from './sessions.tsx'
import { clientTexts } from './texts.ts'

type Found = Operations['clients.get']['reply']
type Amount = Parameters<typeof money>[0]

export function Page() {
  const { id } = useParams({ strict: false }) as { id: string }
  const found = useData(['clients', id], (bozor) => bozor.clients.get({ client_id: id }))
  if (found.error) return <Failure error={found.error} onRetry={() => void found.refetch()} />
  if (!found.data) return <Skeleton className="h-80 w-full" />
  return (
    <>
      <Head client={found.data.client} />
      <div className="grid gap-4 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="flex min-w-0 flex-col gap-4">
          {!found.data.client.erased_at && !found.data.client.merged_into && <BuyerView clientId={id} />}
          <Orders found={found.data} />
        </div>
        <div className="flex min-w-0 flex-col gap-4">
          <Details found={found.data} />
          <Limits found={found.data} />
          <Consents clientId={id} />
          {!found.data.client.erased_at && <ClientSessions clientId={id} />}
        </div>
      </div>
    </>
  )
}

function Head({ client }: { client: Found['client'] }) {
  const t = useTexts(clientTexts)
  const { can } = useSession()
  const [form, setForm] = useState<ClientForm | null>(null)
  const isActive = !client.erased_at && !client.merged_into
  return (
    <PageHead
      title={client.name || `${t.client} ${client.id}`}
      badge={!isActive && <Badge text={client.erased_at ? t.erased : t.merged} />}
    >
      {can('admin:write') && isActive && (
        <>
          <Button onClick={() => setForm('edit')}>{t.edit}</Button>
          <Button onClick={() => setForm('merge')}>{t.merge}</Button>
          <Button look="danger" onClick={() => setForm('erase')}>
            {t.erase}
          </Button>
        </>
      )}
      {form && <ClientDialog client={client} form={form} onClose={() => setForm(null)} />}
    </PageHead>
  )
}

type ClientForm = 'edit' | 'merge' | 'erase'

function ClientDialog({
  client,
  form,
  onClose,
}: {
  client: Found['client']
  form: ClientForm
  onClose(): void
}) {
  const t = useTexts(clientTexts)
  const shared = { refreshes: ['clients'], done: t.saved, onClose }
  const client_id = client.id
  if (form === 'edit')
    return (
      <FormDialog
        {...shared}
        title={t.edit}
        submit={t.save}
        fields={[{ name: 'name', label: t.name, value: client.name }]}
        run={(bozor, values) => bozor.clients.update({ client_id, name: values['name'] ?? '' })}
      />
    )
  if (form === 'merge')
    return (
      <FormDialog
        {...shared}
        title={t.merge}
        text={t.mergeText}
        submit={t.merge}
        fields={[{ name: 'duplicate_id', label: t.duplicate }]}
        run={(bozor, values) =>
          bozor.clients.merge({ client_id: values['duplicate_id'] ?? '', into: Number(client.id) })
        }
      />
    )
  return (
    <FormDialog
      {...shared}
      title={t.erase}
      text={t.eraseText}
      submit={t.erase}
      isDanger
      fields={[]}
      run={(bozor) => bozor.clients.erase({ client_id })}
    />
  )
}

function Orders({ found }: { found: Found }) {
  const t = useTexts(clientTexts)
  const { language } = useSession()
  return (
    <Card title={`${t.orders} · ${found.orders.count}`} isFlush>
      {found.orders.recent.length === 0 ? (
        <Empty icon="orders" title={t.noOrders} />
      ) : (
        <ul className="divide-line divide-y">
          {found.orders.recent.map((it) => (
            <li key={it.id}>
              <Link to={`/orders/${it.id}`} className="hover:bg-hover flex h-11 items-center gap-4 px-4">
                <span className="figures w-14 font-medium">#{it.id}</span>
                <Status value={it.status as StatusName} />
                <span className="figures ml-auto">{money(it.amount, language)}</span>
                <span className="text-soft w-36 text-right text-xs max-sm:hidden">
                  {dateTime(it.created_at, language)}
                </span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

function Details({ found: { client, cart } }: { found: Found }) {
  const t = useTexts(clientTexts)
  const { language } = useSession()
  return (
    <Card title={t.details}>
      <Pairs
        rows={[
          ['Id', client.id],
          [t.phone, client.phone],
          [t.email, client.email],
          [t.created, dateTime(client.created_at, language)],
          [
            t.cart,
            cart ? `${t.units}: ${count(cart.units)} · ${dateTime(cart.updated_at, language)}` : t.emptyCart,
          ],
          ...(client.external_ids.length > 0
            ? [[t.externalIds, client.external_ids.join(', ')] as const]
            : []),
        ]}
      />
    </Card>
  )
}

function Limits({ found }: { found: Found }) {
  const t = useTexts(clientTexts)
  const { language } = useSession()
  const { id } = found.client
  const allowance = useData(
    ['clients', id, 'allowance'],
    async (bozor) => (await bozor.orders.getAllowance({ customer_id: id })).allowance,
  )
  const of = (it: { left: Amount; limit: Amount } | undefined) =>
    it && `${money(it.left, language)} / ${money(it.limit, language)}`
  return (
    <Card title={t.limits}>
      <Pairs
        rows={[
          [t.today, money(found.limits.ordered_today, language)],
          [t.left, of(allowance.data?.daily_amount)],
          [t.credit, money(found.limits.credit_outstanding, language)],
          [t.creditLeft, of(allowance.data?.credit)],
          [t.perOrder, allowance.data && count(allowance.data.product_units.per_order)],
          [t.perMonth, allowance.data && count(allowance.data.product_units.per_30_days)],
        ]}
      />
    </Card>
  )
}

/** What the client agreed to receive. */
function Consents({ clientId }: { clientId: string }) {
  const t = useTexts(clientTexts)
  const { can } = useSession()
  const consents = useData(
    ['clients', clientId, 'consents'],
    async (bozor) => (await bozor.consents.list({ client_id: clientId, per_page: 20 })).items,
    { isEnabled: can('marketing:read') },
  )
  if (!consents.data) return null
  return (
    <Card title={t.consents}>
      {consents.data.length === 0 ? (
        <p className="text-soft">{t.noConsents}</p>
      ) : (
        <ul className="flex flex-col gap-2">
          {consents.data.map((it) => (
            <li key={it.id} className="flex items-center justify-between gap-3">
              <span>{t[it.channel]}</span>
              <Badge text={it.granted ? t.granted : t.withdrawn} tone={it.granted ? 'good' : 'neutral'} />
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
