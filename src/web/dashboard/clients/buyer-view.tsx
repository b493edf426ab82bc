// What a client would see and be allowed now: the cart, payment methods with reasons, and recommendations. The limits are
// in a card of their own.

import type { Cart } from '../../../sdk/index.ts'
import { useData } from '../app/data.ts'
import { count, money, type Texts } from '../app/language.ts'
import { useSession, useTexts } from '../app/session.tsx'
import { sourceTexts, whyOf } from '../recommendations/source-texts.ts'
import { Badge } from '../ui/badge.tsx'
import { Card } from '../ui/card.tsx'
import { Failure, Skeleton } from '../ui/states.tsx'
import { buyerViewTexts } from './buyer-view-texts.ts'

type T = Texts<typeof buyerViewTexts>

/** A reason in words; an unknown code is shown as it is. */
const reasonText = (t: T, code: string): string =>
  code in t ? t[code as keyof T] : code.replaceAll('_', ' ')

export function BuyerView({ clientId }: { clientId: string }) {
  const t = useTexts(buyerViewTexts)
  const cart = useData(['clients', clientId, 'buyer-cart'], (bozor) =>
    bozor.cart.get({ ClientId: Number(clientId) }),
  )
  return (
    <Card title={t.title}>
      <p className="text-soft mb-4">{t.text}</p>
      <div className="grid gap-x-8 gap-y-5 md:grid-cols-2">
        {cart.error ? (
          <Failure error={cart.error} onRetry={() => void cart.refetch()} />
        ) : cart.data ? (
          <>
            <CartPart cart={cart.data} />
            <MethodsPart cart={cart.data} />
          </>
        ) : (
          <Skeleton className="h-32" />
        )}
        <RecommendationsPart clientId={clientId} />
      </div>
    </Card>
  )
}

const Heading = ({ text }: { text: string }) => <h3 className="mb-2 font-semibold">{text}</h3>

function CartPart({ cart }: { cart: Cart }) {
  const t = useTexts(buyerViewTexts)
  const { language } = useSession()
  const sum = (amount: number) => money({ amount: amount * 100, currency: cart.Currency }, language)
  const lines = [
    ...cart.Items.map((it) => ({ ...it, key: `o${it.OfferId}` })),
    ...cart.ModeratedItems.map((it) => ({ ...it, key: `m${it.ModeratedOfferId}` })),
  ]
  return (
    <section aria-label={t.cart}>
      <Heading text={t.cart} />
      {lines.length === 0 ? (
        <p className="text-soft">{t.emptyCart}</p>
      ) : (
        <>
          <ul className="flex flex-col gap-1.5">
            {lines.map(({ key, Title, Quantity, Price, PurchaseRestrictions: { Reason: reason } }) => (
              <li key={key} className="flex gap-3">
                <span className={`min-w-0 flex-1 ${reason ? 'text-soft line-through' : ''}`}>{Title}</span>
                {reason && <Badge text={reasonText(t, reason)} tone="warn" isPlain />}
                <span className="figures whitespace-nowrap">
                  {count(Quantity)} × {sum(Price)}
                </span>
              </li>
            ))}
          </ul>
          <p className="border-line mt-2 flex justify-between gap-3 border-t pt-2 font-medium">
            <span>{t.total}</span>
            <span className="figures">{sum(cart.TotalAmount)}</span>
          </p>
          <p className="mt-2">
            <Badge text={cart.CanOrder ? t.canOrder : t.cannotOrder} tone={cart.CanOrder ? 'good' : 'bad'} />
          </p>
          {cart.Messages.map((it) => (
            <p key={it.Code} className="text-soft mt-1 text-xs">
              {it.Message}
            </p>
          ))}
        </>
      )}
    </section>
  )
}

function MethodsPart({ cart }: { cart: Cart }) {
  const t = useTexts(buyerViewTexts)
  // Every method is refused for an empty cart, which says nothing about the client.
  const isEmpty = cart.Items.length + cart.ModeratedItems.length === 0
  return (
    <section aria-label={t.methods}>
      <Heading text={t.methods} />
      {isEmpty && <p className="text-soft mb-2">{t.decidedByCart}</p>}
      <ul className="flex flex-col gap-2">
        {cart.AvailablePaymentMethods.map((it) => (
          <li key={it.Id} className="flex items-start gap-3">
            <span className="min-w-0 flex-1">
              {it.Name}
              {it.Reason && !isEmpty && (
                <span className="text-soft block text-xs">{reasonText(t, it.Reason)}</span>
              )}
            </span>
            {!isEmpty && (
              <Badge
                text={it.IsAvailable ? t.allowed : t.refused}
                tone={it.IsAvailable ? 'good' : 'neutral'}
              />
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

const shownOffers = 6

function RecommendationsPart({ clientId }: { clientId: string }) {
  const t = useTexts(buyerViewTexts)
  const { can } = useSession()
  const sources = useTexts(sourceTexts)
  const found = useData(
    ['clients', clientId, 'recommended'],
    (bozor) => bozor.recommendations.explain({ user_id: clientId, from_layer: 'main_page' }),
    { isEnabled: can('admin:read') },
  )
  if (found.error) return <Failure error={found.error} onRetry={() => void found.refetch()} />
  return (
    <section aria-label={t.recommendations} className="md:col-span-2">
      <Heading text={t.recommendations} />
      {found.data?.offers.length === 0 && <p className="text-soft">{t.nothing}</p>}
      <ol className="grid gap-x-8 gap-y-2 md:grid-cols-2">
        {found.data?.offers.slice(0, shownOffers).map((it) => (
          <li key={it.position}>
            <span className="font-medium">{it.name ?? it.offer_id}</span>
            <span className="text-soft block text-xs">{whyOf(it, sources)}</span>
          </li>
        ))}
      </ol>
    </section>
  )
}
