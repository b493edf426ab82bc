// What a campaign has done: its messages, both groups, and the uplift with its interval and a plain verdict.

import type { CampaignResults } from '../../../sdk/index.ts'
import { count, fillIn, type Language, percent } from '../app/language.ts'
import { useSession, useTexts } from '../app/session.tsx'
import { Card } from '../ui/card.tsx'
import { campaignTexts } from './texts.ts'

const reasons = [
  'no_consent',
  'no_address',
  'left_audience',
  'occasion_over',
  'repeated',
  'frequency_cap',
  'budget_reached',
] as const

export function CampaignResultsCard({ results }: { results: CampaignResults }) {
  const t = useTexts(campaignTexts)
  const figures = [
    [t.sent, results.sent],
    [t.waiting, results.waiting],
    [t.opened, results.opened],
    [t.clicked, results.clicked],
    [t.failed, results.failed],
  ] as const
  const withheld = reasons.filter((it) => results.suppressed[it])
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
      <Effect results={results} />
      {withheld.length > 0 && (
        <p className="text-soft mt-4 text-xs">
          {t.withheld}:{' '}
          {withheld.map((it) => `${t[it]} ${count(Number(results.suppressed[it]))}`).join(' · ')}
        </p>
      )}
    </Card>
  )
}

function Effect({ results: { reached, holdout, uplift } }: { results: CampaignResults }) {
  const t = useTexts(campaignTexts)
  const { language } = useSession()
  const groups = [
    [t.withMessage, reached],
    [t.holdout, holdout],
  ] as const
  const per100 = (share: number) => count(Number(Math.abs(share * 100).toFixed(1)))
  const range = (near: number, far: number) => ({ low: per100(near), high: per100(far) })
  const verdict = !uplift
    ? t.noUplift
    : uplift.low > 0
      ? fillIn(t.gain, range(uplift.low, uplift.high))
      : uplift.high < 0
        ? fillIn(t.loss, range(uplift.high, uplift.low))
        : t.unclear
  return (
    <div className="border-line mt-4 border-t pt-4">
      <p className="font-medium">{verdict}</p>
      <dl className="figures mt-3 grid grid-cols-2 gap-4">
        {groups.map(([name, it]) => (
          <div key={name}>
            <dt className="text-soft text-xs">{name}</dt>
            <dd className="text-xl font-semibold">{percent(it.conversion, language)}</dd>
            <dd className="text-soft text-xs">
              {fillIn(t.buyersOf, { buyers: count(it.buyers), clients: count(it.clients) })}
            </dd>
          </div>
        ))}
      </dl>
      {uplift && <IntervalPlot {...uplift} />}
    </div>
  )
}

const signed = (share: number, language: Language): string =>
  `${share > 0 ? '+' : share < 0 ? '−' : ''}${percent(Math.abs(share), language)}`

/** The interval as a bar, the estimate as a dot, and a line at zero. */
function IntervalPlot({ difference, low, high }: { difference: number; low: number; high: number }) {
  const t = useTexts(campaignTexts)
  const { language } = useSession()
  const most = Math.max(Math.abs(low), Math.abs(high), 0.001) * 1.15
  const placeOf = (share: number) => `${50 + (share / most) * 50}%`
  const tone = low > 0 ? 'bg-good' : high < 0 ? 'bg-bad' : 'bg-faint'
  return (
    <figure className="mt-4">
      <figcaption className="figures text-xs">
        <span className="text-soft">{t.uplift} </span>
        <strong className="font-semibold">{signed(difference, language)}</strong>
        <span className="text-soft">
          {' '}
          ({t.interval}: {signed(low, language)} … {signed(high, language)})
        </span>
      </figcaption>
      <div aria-hidden="true" className="bg-canvas relative mt-2 h-6 rounded-md">
        <span className="bg-strong absolute inset-y-0 left-1/2 w-px" />
        <span
          className={`absolute inset-y-2.5 rounded-full ${tone}`}
          style={{ left: placeOf(low), width: `${((high - low) / most) * 50}%` }}
        />
        <span
          className={`absolute top-1/2 size-3 -translate-x-1/2 -translate-y-1/2 rounded-full ${tone}`}
          style={{ left: placeOf(difference) }}
        />
      </div>
      <p aria-hidden="true" className="text-faint text-center text-xs">
        {t.noEffect}
      </p>
    </figure>
  )
}
