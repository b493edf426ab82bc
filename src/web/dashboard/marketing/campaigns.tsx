import { useNavigate } from '@tanstack/react-router'
import type { Campaign } from '../../../sdk/index.ts'
import { useAgo } from '../app/clock.ts'
import { count } from '../app/language.ts'
import { useSession, useTexts } from '../app/session.tsx'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { ListPage } from '../ui/list-page.tsx'
import type { Column } from '../ui/table.tsx'
import { builderTexts } from './builder-texts.ts'
import { triggerFormOf } from './draft.ts'
import { campaignTexts, campaignTones, channels } from './texts.ts'
import { triggerNames } from './trigger-editor.tsx'

const states = ['draft', 'running', 'paused', 'finished'] as const

export function Page() {
  const t = useTexts(campaignTexts)
  const triggers = triggerNames(useTexts(builderTexts))
  const ago = useAgo()
  const { can } = useSession()
  const navigate = useNavigate()
  const create = can('marketing:write') && (
    <Button look="primary" icon="plus" onClick={() => void navigate({ to: '/campaigns/new' })}>
      {t.create}
    </Button>
  )
  const columns: Column<Campaign>[] = [
    { head: t.name, sortBy: 'name', cell: (it) => it.name },
    { head: t.state, cell: (it) => <Badge text={t[it.state]} tone={campaignTones[it.state]} /> },
    { head: t.channel, isWide: true, cell: (it) => t[it.channel] },
    {
      head: t.trigger,
      isWide: true,
      cell: (it) => <span className="text-soft">{triggers[triggerFormOf(it.when)]}</span>,
    },
    { head: t.sent, isRight: true, cell: (it) => count(it.sent) },
    {
      head: t.created,
      sortBy: 'created_at',
      isWide: true,
      cell: (it) => <span className="text-soft whitespace-nowrap">{ago(it.created_at)}</span>,
    },
  ]
  return (
    <ListPage
      title={t.campaigns}
      text={t.text}
      resource="campaigns"
      icon="campaigns"
      firstSort="-created_at"
      actions={create}
      empty={{ title: t.none, action: create }}
      columns={columns}
      filters={[
        { name: 'state', label: t.state, choices: states.map((it) => [it, t[it]] as const) },
        { name: 'channel', label: t.channel, choices: channels.map((it) => [it, t[it]] as const) },
      ]}
      load={(bozor, query) => bozor.campaigns.list({ sort: '-created_at', ...query })}
      idOf={(it) => it.id}
      to={(it) => `/campaigns/${it.id}`}
    />
  )
}
