// The list that a buyer would get, with the reason for each offer, and as it looks on a phone, a web page and in a mini-app.

import { type FormEvent, useState } from 'react'
import type { Operations } from '../../../sdk/index.ts'
import { useData } from '../app/data.ts'
import { fillIn } from '../app/language.ts'
import { useSession, useTexts } from '../app/session.tsx'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Card, PageHead } from '../ui/card.tsx'
import { SelectField, TextField } from '../ui/field.tsx'
import { Empty, Failure, SkeletonRows } from '../ui/states.tsx'
import { type Device, devices, ShownList } from './shown-list.tsx'
import { becauseOf, relationTexts, sourceTexts, whyOf } from './source-texts.ts'

type Explained = Operations['recommendations.explain']['reply']
type Layer = 'main_page' | 'offer_page' | 'cart_page'

const table = {
  title: ['Playground', 'Песочница', 'Sinov maydoni'],
  text: [
    'What a buyer is recommended, and why.',
    'Что рекомендуется покупателю и почему.',
    'Xaridorga nima tavsiya etiladi va nega.',
  ],
  buyer: ['Client id', 'Номер клиента', 'Mijoz raqami'],
  buyerHint: ['Try 17', 'Например, 17', 'Masalan, 17'],
  channel: ['Channel', 'Канал', 'Kanal'],
  general: ['General, v3', 'Общий, v3', 'Umumiy, v3'],
  general2: ['General, v2', 'Общий, v2', 'Umumiy, v2'],
  general1: ['General, v1', 'Общий, v1', 'Umumiy, v1'],
  mobile: ['Mobile app, v3', 'Мобильное приложение, v3', 'Mobil ilova, v3'],
  mobileCf: [
    'Mobile app, collaborative filtering',
    'Мобильное приложение, коллаборативная фильтрация',
    'Mobil ilova, kollaborativ filtrlash',
  ],
  categories: ['Categories page', 'Страница категорий', 'Turkumlar sahifasi'],
  webClient: ['Web', 'Сайт', 'Sayt'],
  layer: ['Page', 'Страница', 'Sahifa'],
  main_page: ['Main page', 'Главная', 'Bosh sahifa'],
  offer_page: ['Page of an offer', 'Страница предложения', 'Taklif sahifasi'],
  cart_page: ['Cart', 'Корзина', 'Savat'],
  category: ['Category id', 'Номер категории', 'Turkum raqami'],
  categoryHint: [
    'Only offers of this category; empty for all',
    'Только из этой категории; пусто — все',
    'Faqat shu turkumdan; bo‘sh — hammasi',
  ],
  group: ['Test group', 'Тестовая группа', 'Sinov guruhi'],
  byExperiment: ['By the experiment', 'По эксперименту', 'Tajriba bo‘yicha'],
  why: ['Why', 'Почему', 'Nega'],
  phone: ['Phone', 'Телефон', 'Telefon'],
  web: ['Web page', 'Сайт', 'Sayt'],
  miniApp: ['Mini-app', 'Мини-приложение', 'Mini-ilova'],
  shownAs: ['Shown as', 'Показать как', 'Ko‘rinishi'],
  experiment: ['Experiment group', 'Группа эксперимента', 'Tajriba guruhi'],
  excluded: [
    'Left out by rules: {count}',
    'Отброшено правилами: {count}',
    'Qoidalar bo‘yicha tashlandi: {count}',
  ],
  offers: ['Offers on the page', 'Предложения на странице', 'Sahifadagi takliflar'],
  show: ['Show', 'Показать', 'Ko‘rsatish'],
  source: ['Source', 'Источник', 'Manba'],
  candidate: ['Candidate', 'Кандидат', 'Nomzod'],
  exploration: ['Exploration', 'Исследование', 'Izlanish'],
  filler: ['Filler', 'Добор', 'To‘ldiruvchi'],
  none: ['Nothing is recommended', 'Рекомендаций нет', 'Tavsiya yo‘q'],
} as const

/** The calls by which applications ask for lists. */
const channels = [
  ['/offers/recommended/v3', 'general'],
  ['/offers/recommended/v2', 'general2'],
  ['/offers/recommended', 'general1'],
  ['/mobile/offers/recommended/v3', 'mobile'],
  ['/mobile/cf/v1/recommended', 'mobileCf'],
  ['/mobile/recommended-offers/categories-page', 'categories'],
  ['/web/client/offers/recommended-v3', 'webClient'],
  ['/web/client/miniapp/offers/recommended/v3/', 'miniApp'],
] as const
type ChannelPath = (typeof channels)[number][0]

const testGroups = ['prod', 'mod_offers', 'cf'] as const

interface Question {
  user_id: string
  channel: ChannelPath
  from_layer: Layer
  offer_ids?: string[]
  category_id?: string
  test_group_value?: (typeof testGroups)[number]
}

type View = 'why' | Device
const views: readonly View[] = ['why', ...devices]

export function Page() {
  const t = useTexts(table)
  const [question, setQuestion] = useState<Question>({
    user_id: '17',
    channel: channels[0][0],
    from_layer: 'main_page',
  })
  const [view, setView] = useState<View>('why')
  const reply = useData(['playground', question], ({ recommendations }) => recommendations.explain(question))
  return (
    <>
      <PageHead title={t.title} text={t.text} />
      <div className="grid items-start gap-4 lg:grid-cols-[18rem_minmax(0,1fr)]">
        <QuestionForm onAsk={setQuestion} isBusy={reply.isFetching} />
        {reply.error ? (
          <Failure error={reply.error} onRetry={() => void reply.refetch()} />
        ) : reply.data ? (
          <div className="flex min-w-0 flex-col gap-3">
            <ViewChoice view={view} onChoose={setView} />
            {view === 'why' ? (
              <Answer reply={reply.data} />
            ) : (
              <ShownList
                offers={reply.data.offers}
                device={view}
                isMainPage={question.from_layer === 'main_page'}
              />
            )}
          </div>
        ) : (
          <SkeletonRows />
        )}
      </div>
    </>
  )
}

function ViewChoice({ view, onChoose }: { view: View; onChoose(view: View): void }) {
  const t = useTexts(table)
  return (
    <div role="group" aria-label={t.shownAs} className="flex flex-wrap gap-1">
      {views.map((it) => (
        <Button
          key={it}
          look={it === view ? 'secondary' : 'ghost'}
          aria-pressed={it === view}
          onClick={() => onChoose(it)}
        >
          {t[it]}
        </Button>
      ))}
    </div>
  )
}

function QuestionForm({ onAsk, isBusy }: { onAsk(question: Question): void; isBusy: boolean }) {
  const t = useTexts(table)
  const [user, setUser] = useState('17')
  const [channel, setChannel] = useState<ChannelPath>(channels[0][0])
  const [layer, setLayer] = useState<Layer>('main_page')
  const [offers, setOffers] = useState('')
  const [category, setCategory] = useState('')
  const [group, setGroup] = useState('')
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    const ids = offers.split(/[\s,]+/).filter(Boolean)
    onAsk({
      user_id: user.trim(),
      channel,
      from_layer: layer,
      ...(ids.length > 0 && { offer_ids: ids }),
      ...(category.trim() && { category_id: category.trim() }),
      ...(group && { test_group_value: group as (typeof testGroups)[number] }),
    })
  }
  return (
    <Card>
      <form onSubmit={onSubmit} className="flex flex-col gap-4" noValidate>
        <TextField
          label={t.buyer}
          hint={t.buyerHint}
          value={user}
          onChange={(event) => setUser(event.target.value)}
        />
        <SelectField
          label={t.channel}
          value={channel}
          choices={channels.map(([path, name]) => [path, t[name]] as const)}
          onChange={(event) => setChannel(event.target.value as ChannelPath)}
        />
        <SelectField
          label={t.layer}
          value={layer}
          choices={(['main_page', 'offer_page', 'cart_page'] as const).map((it) => [it, t[it]] as const)}
          onChange={(event) => setLayer(event.target.value as Layer)}
        />
        {layer !== 'main_page' && (
          <TextField
            label={t.offers}
            hint="1, 2"
            value={offers}
            onChange={(event) => setOffers(event.target.value)}
          />
        )}
        <TextField
          label={t.category}
          hint={t.categoryHint}
          value={category}
          onChange={(event) => setCategory(event.target.value)}
        />
        <SelectField
          label={t.group}
          value={group}
          choices={[['', t.byExperiment] as const, ...testGroups.map((it) => [it, it] as const)]}
          onChange={(event) => setGroup(event.target.value)}
        />
        <Button type="submit" look="primary" isBusy={isBusy}>
          {t.show}
        </Button>
      </form>
    </Card>
  )
}

function Answer({ reply }: { reply: Explained }) {
  const t = useTexts(table)
  const sources = useTexts(sourceTexts)
  const relations = useTexts(relationTexts)
  const { can } = useSession()
  if (reply.offers.length === 0)
    return (
      <Card>
        <Empty icon="playground" title={t.none} />
      </Card>
    )
  return (
    <Card
      title={`${t.source}: ${reply.source}`}
      action={
        <span className="text-soft text-xs">
          {[
            reply.group && `${t.experiment}: ${reply.group}`,
            reply.excluded.length > 0 && fillIn(t.excluded, { count: reply.excluded.length }),
          ]
            .filter(Boolean)
            .join(' · ')}
        </span>
      }
      isFlush
    >
      <ol className="divide-line divide-y">
        {reply.offers.map((it) => (
          <li key={it.position} className="flex gap-4 px-4 py-3">
            <span className="text-faint figures w-6 shrink-0 text-right">{it.position}</span>
            <div className="min-w-0 flex-1">
              <p className="font-medium">{it.name ?? it.offer_id}</p>
              <p className="text-soft">{whyOf(it, sources)}</p>
              <Because text={becauseOf(it, relations)} />
              {can('admin:read') && <Contributions offer={it} />}
            </div>
            <span className={it.origin === 'candidate' ? 'max-sm:hidden' : ''}>
              <Badge text={t[it.origin]} tone={it.origin === 'candidate' ? 'accent' : 'neutral'} isPlain />
            </span>
          </li>
        ))}
      </ol>
    </Card>
  )
}

const Because = ({ text }: { text: string }) => text && <p className="text-soft text-xs">{text}</p>

const shownContributions = 4

/** What raised and lowered the score most. */
function Contributions({ offer }: { offer: Explained['offers'][number] }) {
  const strongest = offer.contributions
    .toSorted((a, b) => Math.abs(b.contribution) - Math.abs(a.contribution))
    .slice(0, shownContributions)
  if (strongest.length === 0) return null
  return (
    <ul className="mt-1.5 flex flex-wrap gap-1.5">
      {strongest.map((it) => (
        <li key={it.feature} className="bg-canvas border-line figures rounded border px-1.5 text-xs">
          {it.feature.replaceAll('_', ' ')}{' '}
          <span className={it.contribution < 0 ? 'text-bad' : 'text-good'}>
            {it.contribution > 0 ? '+' : '−'}
            {Math.abs(it.contribution).toFixed(2)}
          </span>
        </li>
      ))}
    </ul>
  )
}
