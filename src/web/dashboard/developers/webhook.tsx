import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import type { Webhook, WebhookDelivery } from '../../../sdk/index.ts'
import { useAction, useData, useList } from '../app/data.ts'
import { dateTime } from '../app/language.ts'
import { useSession, useTexts } from '../app/session.tsx'
import { Badge, type Tone } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Card, PageHead } from '../ui/card.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { FormDialog } from '../ui/form.tsx'
import { Empty, Failure, Skeleton, SkeletonRows } from '../ui/states.tsx'
import { type Column, Table } from '../ui/table.tsx'
import { webhookTexts } from './webhook-texts.ts'
import { SecretDialog, webhookState } from './webhooks.tsx'

const tones: Record<WebhookDelivery['status'], Tone> = {
  waiting: 'info',
  succeeded: 'good',
  failed: 'bad',
  cancelled: 'neutral',
}

export function Page() {
  const t = useTexts(webhookTexts)
  const { id } = useParams({ strict: false }) as { id: string }
  const webhook = useData(
    ['webhooks', id],
    async (bozor) => (await bozor.webhooks.get({ webhook_id: id })).webhook,
  )
  if (webhook.error) return <Failure error={webhook.error} onRetry={() => void webhook.refetch()} />
  if (!webhook.data) return <Skeleton className="h-80 w-full" />
  const state = webhookState(webhook.data)
  return (
    <>
      <PageHead
        title={webhook.data.url}
        badge={<Badge text={t[state.key]} tone={state.tone} />}
        text={webhook.data.disabled_reason ?? (webhook.data.description || webhook.data.filters.join(', '))}
      >
        <Actions webhook={webhook.data} />
      </PageHead>
      <Deliveries webhookId={id} />
    </>
  )
}

function Actions({ webhook }: { webhook: Webhook }) {
  const t = useTexts(webhookTexts)
  const navigate = useNavigate()
  const [secret, setSecret] = useState<string | null>(null)
  const [isRemoving, setIsRemoving] = useState(false)
  const ids = { webhook_id: webhook.id }
  const ping = useAction((bozor) => bozor.webhooks.ping(ids), { refreshes: ['webhooks'], done: t.pinged })
  const toggle = useAction(
    async (bozor): Promise<unknown> =>
      webhook.enabled ? bozor.webhooks.disable(ids) : bozor.webhooks.enable(ids),
    { refreshes: ['webhooks', 'home'], done: t.done },
  )
  const rotate = useAction((bozor) => bozor.webhooks.rotateSecret(ids), {
    refreshes: ['webhooks'],
    onDone: (reply) => setSecret(reply.secret),
  })
  return (
    <>
      <Button look="primary" icon="bolt" isBusy={ping.isPending} onClick={() => ping.mutate(undefined)}>
        {t.ping}
      </Button>
      <Button isBusy={toggle.isPending} onClick={() => toggle.mutate(undefined)}>
        {webhook.enabled ? t.disable : t.enable}
      </Button>
      <Button isBusy={rotate.isPending} onClick={() => rotate.mutate(undefined)}>
        {t.rotate}
      </Button>
      <Button look="danger" onClick={() => setIsRemoving(true)}>
        {t.remove}
      </Button>
      {secret && <SecretDialog secret={secret} onClose={() => setSecret(null)} />}
      {isRemoving && (
        <FormDialog
          title={t.remove}
          text={t.removeText}
          submit={t.remove}
          isDanger
          fields={[]}
          done={t.removed}
          refreshes={['webhooks', 'home']}
          run={(bozor) => bozor.webhooks.delete(ids)}
          onDone={() => void navigate({ to: '/webhooks' })}
          onClose={() => setIsRemoving(false)}
        />
      )}
    </>
  )
}

function Deliveries({ webhookId }: { webhookId: string }) {
  const t = useTexts(webhookTexts)
  const { language } = useSession()
  const [open, setOpen] = useState<WebhookDelivery | null>(null)
  const list = useList<WebhookDelivery>(['webhooks', webhookId, 'deliveries'], (bozor, page) =>
    bozor.webhooks.listDeliveries({ webhook_id: webhookId, sort: '-id', ...page }),
  )
  const columns: Column<WebhookDelivery>[] = [
    { head: t.event, cell: (it) => it.type },
    { head: t.state, cell: (it) => <Badge text={t[it.status]} tone={tones[it.status]} /> },
    { head: t.subject, isWide: true, cell: (it) => <code className="font-mono text-xs">{it.subject}</code> },
    { head: t.attempts, isRight: true, isWide: true, cell: (it) => it.attempts },
    { head: t.time, isWide: true, cell: (it) => dateTime(it.created_at, language) },
  ]
  return (
    <Card title={t.deliveries} isFlush>
      {list.error ? (
        <Failure error={list.error} onRetry={list.reload} />
      ) : !list.items ? (
        <SkeletonRows />
      ) : list.items.length === 0 ? (
        <Empty icon="webhooks" title={t.noDeliveries} />
      ) : (
        <Table
          label={t.deliveries}
          items={list.items}
          columns={columns}
          idOf={(it) => it.id}
          onOpen={setOpen}
          onEnd={list.hasMore ? list.loadMore : undefined}
        />
      )}
      {open && <DeliveryPanel delivery={open} onClose={() => setOpen(null)} />}
    </Card>
  )
}

function DeliveryPanel({ delivery, onClose }: { delivery: WebhookDelivery; onClose(): void }) {
  const t = useTexts(webhookTexts)
  const { language } = useSession()
  const ids = { webhook_id: delivery.webhook_id, delivery_id: delivery.id }
  const found = useData(
    ['webhooks', delivery.webhook_id, delivery.id],
    async (bozor) => (await bozor.webhooks.getDelivery(ids)).delivery,
  )
  const again = useAction((bozor) => bozor.webhooks.redeliverDelivery(ids), {
    refreshes: ['webhooks'],
    done: t.done,
  })
  return (
    <Dialog title={`${delivery.type} · ${delivery.subject}`} isOpen onClose={onClose} place="side">
      <div className="flex flex-col gap-4 p-4">
        <div>
          <Button look="primary" isBusy={again.isPending} onClick={() => again.mutate(undefined)}>
            {t.redeliver}
          </Button>
        </div>
        {!found.data && <Skeleton className="h-40" />}
        {found.data?.log.toReversed().map((it) => (
          <Card key={it.number} title={`#${it.number} · ${dateTime(it.at, language)} · ${it.duration_ms} ms`}>
            <p className="mb-2 font-medium">
              {it.reply ? `${t.reply} ${it.reply.status}` : (it.error ?? t.noReply)}
            </p>
            {it.reply?.body && <Code text={it.reply.body} />}
            <p className="mt-3 mb-2 font-medium">{t.request}</p>
            <Code text={pretty(it.request.body ?? '')} />
          </Card>
        ))}
      </div>
    </Dialog>
  )
}

export const Code = ({ text }: { text: string }) => (
  <pre className="bg-canvas border-line max-h-80 overflow-auto rounded-md border p-3 font-mono text-xs whitespace-pre-wrap break-all">
    {text}
  </pre>
)

export function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
