import { useNavigate, useParams } from '@tanstack/react-router'
import type { Campaign, CampaignPreview } from '../../../sdk/index.ts'
import { useAction, useData } from '../app/data.ts'
import { count, dateTime } from '../app/language.ts'
import { useSession, useTexts } from '../app/session.tsx'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Card, PageHead, Pairs } from '../ui/card.tsx'
import { Failure, Skeleton } from '../ui/states.tsx'
import { builderTexts } from './builder-texts.ts'
import { CampaignResultsCard } from './campaign-results.tsx'
import { triggerFormOf } from './draft.ts'
import { Messages, useDraftPreview } from './draft-preview.tsx'
import { campaignTexts, campaignTones } from './texts.ts'
import { triggerNames } from './trigger-editor.tsx'

export function Page() {
  const { id } = useParams({ strict: false }) as { id: string }
  const ids = { campaign_id: id }
  const { can } = useSession()
  const campaign = useData(['campaigns', id], async (bozor) => (await bozor.campaigns.get(ids)).campaign)
  const preview = useData(
    ['campaigns', id, 'preview'],
    async (bozor) => (await bozor.campaigns.getPreview(ids)).preview,
  )
  const results = useData(
    ['campaigns', id, 'results'],
    async (bozor) => (await bozor.campaigns.getResults(ids)).results,
  )
  if (campaign.error) return <Failure error={campaign.error} onRetry={() => void campaign.refetch()} />
  if (!campaign.data) return <Skeleton className="h-80 w-full" />
  return (
    <>
      <Head campaign={campaign.data} />
      <div className="grid gap-4 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="flex min-w-0 flex-col gap-4">
          {results.data ? <CampaignResultsCard results={results.data} /> : <Skeleton className="h-40" />}
          {can('marketing:write') ? (
            <CampaignMessages campaign={campaign.data} />
          ) : (
            <SavedMessage preview={preview.data} />
          )}
        </div>
        <Details campaign={campaign.data} preview={preview.data} />
      </div>
    </>
  )
}

const steps = ['start', 'pause', 'resume', 'finish'] as const
type Step = (typeof steps)[number]

function Head({ campaign }: { campaign: Campaign }) {
  const t = useTexts(campaignTexts)
  const { can } = useSession()
  const step = useAction(
    (bozor, name: Step): Promise<unknown> => bozor.campaigns[name]({ campaign_id: campaign.id }),
    {
      refreshes: ['campaigns'],
      done: t.done,
    },
  )
  const navigate = useNavigate()
  const remove = useAction((bozor) => bozor.campaigns.delete({ campaign_id: campaign.id }), {
    refreshes: [],
    done: t.removed,
    onDone: () => void navigate({ to: '/campaigns' }),
  })
  const allowed = steps.filter((it) => campaign.allowed.includes(it))
  return (
    <PageHead
      title={campaign.name}
      badge={<Badge text={t[campaign.state]} tone={campaignTones[campaign.state]} />}
      {...(campaign.pause_reason && { text: campaign.pause_reason })}
    >
      {can('marketing:write') && campaign.allowed.includes('delete') && (
        <Button look="danger" isBusy={remove.isPending} onClick={() => remove.mutate(undefined)}>
          {t.remove}
        </Button>
      )}
      {can('marketing:write') && campaign.allowed.includes('change') && (
        <Button onClick={() => void navigate({ to: `/campaigns/${campaign.id}/edit` })}>{t.edit}</Button>
      )}
      {can('marketing:write') &&
        allowed.map((it) => (
          <Button
            key={it}
            look={it === 'finish' ? 'danger' : 'primary'}
            isBusy={step.isPending}
            onClick={() => step.mutate(it)}
          >
            {t[it]}
          </Button>
        ))}
    </PageHead>
  )
}

/** The message as it would be sent now, in every language of its template. */
function CampaignMessages({ campaign }: { campaign: Campaign }) {
  const { channel, template, when, audience, variables } = campaign
  return <Messages preview={useDraftPreview({ channel, template, when, audience, variables }).data} />
}

/** For members who only read: the server shows them what is saved, and no drafts. */
const SavedMessage = ({ preview }: { preview: CampaignPreview | undefined }) => (
  <Messages
    preview={preview && { messages: preview.message ? [preview.message] : [], missing_variables: [] }}
  />
)

function Details({ campaign, preview }: { campaign: Campaign; preview: CampaignPreview | undefined }) {
  const t = useTexts(campaignTexts)
  const names = triggerNames(useTexts(builderTexts))
  const { language } = useSession()
  const sentAt = (when: Campaign['when']) =>
    when.at ? dateTime(when.at, language) : names[triggerFormOf(when)]
  return (
    <Card title={t.details}>
      <Pairs
        rows={[
          [t.audience, preview && `${preview.audience.is_exact ? '' : '≈ '}${count(preview.audience.size)}`],
          [t.channel, t[campaign.channel]],
          [t.template, campaign.template],
          [t.trigger, sentAt(campaign.when)],
          [t.group, `${campaign.holdout_percent} %`],
          [t.created, dateTime(campaign.created_at, language)],
        ]}
      />
    </Card>
  )
}
