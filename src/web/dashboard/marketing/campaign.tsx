import { useParams } from '@tanstack/react-router'
import type { Campaign, CampaignPreview, CampaignResults } from '../../../sdk/index.ts'
import { useAction, useData } from '../app/data.ts'
import { count, dateTime, percent } from '../app/language.ts'
import { useSession, useTexts } from '../app/session.tsx'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Card, PageHead, Pairs } from '../ui/card.tsx'
import { Failure, Skeleton } from '../ui/states.tsx'
import { campaignTexts, campaignTones } from './texts.ts'

export function Page() {
  const { id } = useParams({ strict: false }) as { id: string }
  const ids = { campaign_id: id }
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
          {results.data ? <Results results={results.data} /> : <Skeleton className="h-40" />}
          {preview.data ? <Message preview={preview.data} /> : <Skeleton className="h-40" />}
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
  const allowed = steps.filter((it) => campaign.allowed.includes(it))
  return (
    <PageHead
      title={campaign.name}
      badge={<Badge text={t[campaign.state]} tone={campaignTones[campaign.state]} />}
      {...(campaign.pause_reason && { text: campaign.pause_reason })}
    >
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

function Results({ results }: { results: CampaignResults }) {
  const t = useTexts(campaignTexts)
  const figures = [
    [t.sent, results.sent],
    [t.waiting, results.waiting],
    [t.opened, results.opened],
    [t.clicked, results.clicked],
    [t.failed, results.failed],
  ] as const
  const { uplift } = results
  return (
    <Card title={t.results}>
      <dl className="figures grid grid-cols-3 gap-4 sm:grid-cols-5">
        {figures.map(([name, value]) => (
          <div key={name}>
            <dt className="text-soft text-xs">{name}</dt>
            <dd className="text-xl font-semibold">{count(value)}</dd>
          </div>
        ))}
      </dl>
      <dl className="border-line figures mt-4 grid grid-cols-3 gap-4 border-t pt-4">
        <div>
          <dt className="text-soft text-xs">{t.conversion}</dt>
          <dd className="font-semibold">{percent(results.reached.conversion)}</dd>
        </div>
        <div>
          <dt className="text-soft text-xs">{t.holdout}</dt>
          <dd className="font-semibold">{percent(results.holdout.conversion)}</dd>
        </div>
        <div>
          <dt className="text-soft text-xs">{t.uplift}</dt>
          <dd className="font-semibold">
            {uplift?.difference === undefined
              ? t.noUplift
              : `${percent(uplift.difference)} (${percent(uplift.low ?? 0)} … ${percent(uplift.high ?? 0)})`}
          </dd>
        </div>
      </dl>
    </Card>
  )
}

/** The HTML of a mail is not trusted here: its text is shown. */
function Message({ preview: { message } }: { preview: CampaignPreview }) {
  const t = useTexts(campaignTexts)
  if (!message) return null
  return (
    <Card title={t.preview}>
      {message.subject && <p className="mb-2 text-base font-semibold">{message.subject}</p>}
      <p className="max-w-prose whitespace-pre-line">{message.text}</p>
    </Card>
  )
}

function Details({ campaign, preview }: { campaign: Campaign; preview: CampaignPreview | undefined }) {
  const t = useTexts(campaignTexts)
  const { language } = useSession()
  return (
    <Card title={t.details}>
      <Pairs
        rows={[
          [
            t.audience,
            preview && `${preview.audience.is_exact ? '' : '≈ '}${count(preview.audience.size)} ${t.clients}`,
          ],
          [t.channel, t[campaign.channel]],
          [t.template, campaign.template],
          [t.trigger, Object.keys(campaign.when).join(', ').replaceAll('_', ' ')],
          [t.group, `${campaign.holdout_percent} %`],
          [t.created, dateTime(campaign.created_at, language)],
        ]}
      />
    </Card>
  )
}
