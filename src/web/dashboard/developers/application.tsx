import { useNavigate, useParams } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import type { Operations } from '../../../sdk/index.ts'
import { useAgo } from '../app/clock.ts'
import { useData } from '../app/data.ts'
import { count, dateTime, day } from '../app/language.ts'
import { useSession, useTexts } from '../app/session.tsx'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Card, PageHead, Pairs } from '../ui/card.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { FormDialog } from '../ui/form.tsx'
import { daysOf } from '../ui/chart-ticks.ts'
import { Empty, Failure, Skeleton } from '../ui/states.tsx'
import { Credentials, type Issued } from './credentials.tsx'
import { applicationTexts, scopeTexts } from './texts.ts'

const Chart = lazy(async () => ({ default: (await import('../ui/chart.tsx')).Chart }))

type Found = Operations['applications.get']['reply']
type Key = Found['keys'][number]

export function Page() {
  const { id } = useParams({ strict: false }) as { id: string }
  const found = useData(['applications', id], (bozor) => bozor.applications.get({ client_id: id }))
  if (found.error) return <Failure error={found.error} onRetry={() => void found.refetch()} />
  if (!found.data) return <Skeleton className="h-80 w-full" />
  return (
    <>
      <Head application={found.data.application} />
      <div className="grid gap-4 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="flex min-w-0 flex-col gap-4">
          <Keys found={found.data} />
          <Usage clientId={id} />
        </div>
        <Details application={found.data.application} />
      </div>
    </>
  )
}

function Head({ application }: { application: Found['application'] }) {
  const t = useTexts(applicationTexts)
  const navigate = useNavigate()
  const [isRemoving, setIsRemoving] = useState(false)
  const [isEditing, setIsEditing] = useState(false)
  return (
    <PageHead title={application.name} badge={<Badge text={t[application.type]} isPlain tone="accent" />}>
      <Button
        icon="requests"
        onClick={() => void navigate({ to: '/requests', search: { q: application.client_id } } as never)}
      >
        {t.calls}
      </Button>
      <Button onClick={() => setIsEditing(true)}>{t.edit}</Button>
      <Button look="danger" icon="trash" onClick={() => setIsRemoving(true)}>
        {t.remove}
      </Button>
      {isEditing && <EditApplication application={application} onClose={() => setIsEditing(false)} />}
      {isRemoving && (
        <FormDialog
          title={`${t.remove}: ${application.name}`}
          text={t.removeText}
          submit={t.remove}
          isDanger
          done={t.removed}
          refreshes={['applications']}
          fields={[{ name: 'name', label: t.name }]}
          run={async (bozor, values) => {
            if (values['name']?.trim() !== application.name) throw new Error(t.removeText)
            return bozor.applications.delete({ client_id: application.client_id })
          }}
          onDone={() => void navigate({ to: '/applications' })}
          onClose={() => setIsRemoving(false)}
        />
      )}
    </PageHead>
  )
}

interface EditProps {
  application: Found['application']
  onClose(): void
}

function EditApplication({ application, onClose }: EditProps) {
  const t = useTexts(applicationTexts)
  const hasRedirects = application.type !== 'server'
  return (
    <FormDialog
      title={t.edit}
      submit={t.save}
      done={t.saved}
      refreshes={['applications']}
      fields={[
        { name: 'name', label: t.name, value: application.name },
        ...(hasRedirects
          ? [
              {
                name: 'redirect_urls',
                label: t.redirects,
                value: application.redirect_urls.join('\n'),
                kind: 'area' as const,
              },
            ]
          : []),
        {
          name: 'rate_limit',
          label: t.rateLimit,
          value: application.rate_limit ?? '',
          hint: t.rateLimitHint,
          isOptional: true,
        },
      ]}
      run={(bozor, values) =>
        bozor.applications.update({
          client_id: application.client_id,
          name: values['name']?.trim() ?? '',
          rate_limit: values['rate_limit']?.trim() || null,
          ...(hasRedirects && {
            redirect_urls: (values['redirect_urls'] ?? '').split(/\s+/).filter(Boolean),
          }),
        })
      }
      onClose={onClose}
    />
  )
}

type KeyAction = { kind: 'new' } | { kind: 'rotate' | 'revoke'; key: Key }

function Keys({ found }: { found: Found }) {
  const t = useTexts(applicationTexts)
  const [action, setAction] = useState<KeyAction | null>(null)
  const [issued, setIssued] = useState<Issued | null>(null)
  return (
    <Card
      title={t.keys}
      isFlush
      action={
        <Button isSmall icon="plus" onClick={() => setAction({ kind: 'new' })}>
          {t.newKey}
        </Button>
      }
    >
      <ul className="divide-line divide-y">
        {found.keys.map((it) => (
          <KeyRow key={it.id} value={it} onAction={(kind) => setAction({ kind, key: it })} />
        ))}
      </ul>
      {action && (
        <KeyDialog
          clientId={found.application.client_id}
          action={action}
          onIssued={setIssued}
          onClose={() => setAction(null)}
        />
      )}
      {issued && (
        <Dialog title={t.copyNow} isOpen onClose={() => setIssued(null)}>
          <Credentials issued={issued} onClose={() => setIssued(null)} />
        </Dialog>
      )}
    </Card>
  )
}

function KeyRow({ value, onAction }: { value: Key; onAction(kind: 'rotate' | 'revoke'): void }) {
  const t = useTexts(applicationTexts)
  const { language } = useSession()
  const ago = useAgo()
  const isOver = value.revoked_at !== null
  return (
    <li className="flex min-h-12 flex-wrap items-center gap-x-4 gap-y-2 px-4 py-2">
      <div className="min-w-40 flex-1">
        <div className="font-medium">{value.name}</div>
        <div className="text-soft text-xs">
          <code className="font-mono">{value.hint}</code> · {t.lastUsed}:{' '}
          {value.last_used_at ? ago(value.last_used_at) : t.never}
          {value.expires_at && ` · ${t.expires}: ${dateTime(value.expires_at, language)}`}
        </div>
      </div>
      <Badge text={isOver ? t.revoked : t.working} tone={isOver ? 'neutral' : 'good'} />
      {!isOver && (
        <div className="flex gap-2">
          <Button isSmall onClick={() => onAction('rotate')}>
            {t.rotate}
          </Button>
          <Button isSmall look="danger" onClick={() => onAction('revoke')}>
            {t.revoke}
          </Button>
        </div>
      )}
    </li>
  )
}

interface KeyDialogProps {
  clientId: string
  action: KeyAction
  onIssued(issued: Issued): void
  onClose(): void
}

function KeyDialog({ clientId, action, onIssued, onClose }: KeyDialogProps) {
  const t = useTexts(applicationTexts)
  const shared = { refreshes: ['applications'], onClose }
  const onDone = ({ api_key: apiKey }: { api_key: string | null }) => onIssued({ clientId, apiKey })
  if (action.kind === 'new')
    return (
      <FormDialog
        {...shared}
        title={t.newKey}
        submit={t.newKey}
        fields={[{ name: 'name', label: t.name }]}
        run={(bozor, values) =>
          bozor.applications.createKey({ client_id: clientId, name: values['name'] ?? '' })
        }
        onDone={onDone}
      />
    )
  const ids = { client_id: clientId, key_id: action.key.id }
  if (action.kind === 'rotate')
    return (
      <FormDialog
        {...shared}
        title={`${t.rotate}: ${action.key.name}`}
        text={t.rotateText}
        submit={t.rotate}
        fields={[]}
        run={(bozor) => bozor.applications.rotateKey(ids)}
        onDone={onDone}
      />
    )
  return (
    <FormDialog
      {...shared}
      title={`${t.revoke}: ${action.key.name}`}
      text={t.revokeText}
      submit={t.revoke}
      isDanger
      done={t.revoked}
      fields={[]}
      run={(bozor) => bozor.applications.revokeKey(ids)}
    />
  )
}

function Usage({ clientId }: { clientId: string }) {
  const t = useTexts(applicationTexts)
  const { language } = useSession()
  const usage = useData(['applications', clientId, 'usage'], (bozor) =>
    bozor.applications.getUsage({ client_id: clientId }),
  )
  const called = new Map(usage.data?.usage.map((it) => [it.day, it]))
  // Days without calls are left out of the reply.
  const days = usage.data ? daysOf(usage.data) : []
  return (
    <Card title={t.usage}>
      {usage.data && called.size === 0 ? (
        <Empty icon="requests" title={t.noCalls} />
      ) : usage.data ? (
        <Suspense fallback={<Skeleton className="h-48" />}>
          <Chart
            label={t.usage}
            height={180}
            days={days}
            dayText={(it) => day(it, language)}
            format={count}
            isWhole
            series={[
              { label: t.calls, values: days.map((it) => called.get(it)?.calls ?? 0) },
              {
                label: t.refused,
                values: days.map((it) => called.get(it)?.refused ?? 0),
                isReference: true,
              },
            ]}
          />
        </Suspense>
      ) : (
        <Skeleton className="h-48" />
      )}
    </Card>
  )
}

function Details({ application }: { application: Found['application'] }) {
  const t = useTexts(applicationTexts)
  const names = useTexts(scopeTexts)
  const { language } = useSession()
  return (
    <div className="flex flex-col gap-4">
      <Card title={t.details}>
        <Pairs
          rows={[
            [
              t.clientId,
              <code key="id" className="font-mono text-xs break-all">
                {application.client_id}
              </code>,
            ],
            [t.rateLimit, application.rate_limit ?? t.standard],
            [t.created, dateTime(application.created_at, language)],
            ...(application.redirect_urls.length > 0
              ? [[t.redirects, application.redirect_urls.join('\n')] as const]
              : []),
          ]}
        />
      </Card>
      <Card title={t.scopes}>
        <ul className="flex flex-col gap-2">
          {application.scopes.map((it) => (
            <li key={it}>
              <code className="font-mono text-xs">{it}</code>
              <span className="text-soft block text-xs">{names[it]}</span>
            </li>
          ))}
        </ul>
      </Card>
    </div>
  )
}
