import { useState } from 'react'
import type { Webhook } from '../../../sdk/index.ts'
import { useAgo } from '../app/clock.ts'
import { useTexts } from '../app/session.tsx'
import { Badge, type Tone } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { CopyText } from '../ui/copy.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { FormDialog } from '../ui/form.tsx'
import { ListPage } from '../ui/list-page.tsx'
import type { Column } from '../ui/table.tsx'
import { webhookTexts } from './webhook-texts.ts'

export const webhookState = (it: Webhook): { key: 'works' | 'failing' | 'off'; tone: Tone } =>
  !it.enabled
    ? { key: 'off', tone: 'neutral' }
    : it.failing_since
      ? { key: 'failing', tone: 'bad' }
      : { key: 'works', tone: 'good' }

export function Page() {
  const t = useTexts(webhookTexts)
  const ago = useAgo()
  const [isAdding, setIsAdding] = useState(false)
  const [secret, setSecret] = useState<string | null>(null)
  const columns: Column<Webhook>[] = [
    { head: t.url, cell: (it) => <span className="break-all">{it.url}</span> },
    { head: t.state, cell: (it) => <Badge text={t[webhookState(it).key]} tone={webhookState(it).tone} /> },
    {
      head: t.filters,
      isWide: true,
      cell: (it) => <span className="text-soft">{it.filters.join(', ')}</span>,
    },
    { head: t.waiting, isWide: true, isRight: true, cell: (it) => it.waiting },
    {
      head: t.created,
      isWide: true,
      cell: (it) => <span className="text-soft whitespace-nowrap">{ago(it.created_at)}</span>,
    },
  ]
  const add = (
    <Button look="primary" icon="plus" onClick={() => setIsAdding(true)}>
      {t.add}
    </Button>
  )
  return (
    <>
      <ListPage
        title={t.webhooks}
        text={t.text}
        resource="webhooks"
        icon="webhooks"
        empty={{ title: t.none, text: t.noneText, action: add }}
        actions={add}
        columns={columns}
        load={(bozor, query) => bozor.webhooks.list(query)}
        idOf={(it) => it.id}
        to={(it) => `/webhooks/${it.id}`}
      />
      {isAdding && <AddWebhook onClose={() => setIsAdding(false)} onSecret={setSecret} />}
      {secret && <SecretDialog secret={secret} onClose={() => setSecret(null)} />}
    </>
  )
}

function AddWebhook({ onClose, onSecret }: { onClose(): void; onSecret(secret: string): void }) {
  const t = useTexts(webhookTexts)
  return (
    <FormDialog
      title={t.add}
      submit={t.add}
      refreshes={['webhooks', 'home']}
      fields={[
        { name: 'url', label: t.url, hint: 'https://example.uz/hooks' },
        { name: 'filters', label: t.filters, value: 'Order*', hint: t.filtersHint },
        { name: 'description', label: t.description },
      ]}
      run={(bozor, values) =>
        bozor.webhooks.create({
          url: values['url']?.trim() ?? '',
          filters: (values['filters'] ?? '').split(/[\s,]+/).filter(Boolean),
          ...(values['description'] && { description: values['description'] }),
        })
      }
      onDone={({ secret }) => secret !== null && onSecret(secret)}
      onClose={onClose}
    />
  )
}

export function SecretDialog({ secret, onClose }: { secret: string; onClose(): void }) {
  const t = useTexts(webhookTexts)
  return (
    <Dialog title={t.secret} isOpen onClose={onClose}>
      <div className="flex flex-col gap-4 p-4">
        <p className="bg-warn-soft text-warn rounded-md px-3 py-2">{t.secretText}</p>
        <CopyText label={t.secret} value={secret} />
        <Button look="primary" className="self-end" onClick={onClose}>
          {t.ready}
        </Button>
      </div>
    </Dialog>
  )
}
