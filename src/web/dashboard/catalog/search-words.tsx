// The words of search: the shop's own synonyms, what was learned from searches, and queries that find nothing.

import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { Operations } from '../../../sdk/index.ts'
import { useAction, useData } from '../app/data.ts'
import { fieldErrors } from '../app/field-errors.ts'
import { count, dateTime } from '../app/language.ts'
import { useSession, useTexts } from '../app/session.tsx'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Card, PageHead } from '../ui/card.tsx'
import { CheckField, TextArea } from '../ui/field.tsx'
import { Empty, Failure, SkeletonRows } from '../ui/states.tsx'
import { searchWordTexts } from './search-word-texts.ts'

type Learning = Operations['search.getLearning']['reply']['learning']

const shownRows = 30

export function Page() {
  const t = useTexts(searchWordTexts)
  return (
    <>
      <PageHead title={t.title} text={t.text} />
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <Synonyms />
        <Unanswered />
        <Learned />
      </div>
    </>
  )
}

function Synonyms() {
  const t = useTexts(searchWordTexts)
  const found = useData(['synonyms'], async (bozor) => (await bozor.search.getSynonyms()).synonyms)
  return (
    <Card title={t.synonyms}>
      {found.error && <Failure error={found.error} onRetry={() => void found.refetch()} />}
      {!found.data && !found.error && <SkeletonRows rows={4} />}
      {found.data && <SynonymForm key={found.data.version} saved={found.data} />}
    </Card>
  )
}

function SynonymForm({ saved }: { saved: { text: string; version: number } }) {
  const t = useTexts(searchWordTexts)
  const { can } = useSession()
  const [text, setText] = useState(saved.text)
  const save = useAction(
    (bozor, lines: string) =>
      bozor.search.replaceSynonyms(
        { text: lines },
        saved.version > 0 ? { ifMatch: `"${saved.version}"` } : {},
      ),
    { refreshes: ['synonyms', 'products'], done: t.saved, isQuiet: true },
  )
  return (
    <form
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate(text)
      }}
    >
      <TextArea
        label={t.lines}
        hint={t.linesHint}
        error={fieldErrors(save.error)['text'] ?? save.error?.message}
        rows={12}
        placeholder={t.linesExample}
        value={text}
        readOnly={!can('admin:write')}
        spellCheck={false}
        onChange={(event) => setText(event.target.value)}
      />
      {can('admin:write') && (
        <div>
          <Button type="submit" look="primary" disabled={text === saved.text || save.isPending}>
            {t.save}
          </Button>
        </div>
      )}
    </form>
  )
}

function Unanswered() {
  const t = useTexts(searchWordTexts)
  const { language } = useSession()
  const found = useData(
    ['searches', 'without-results'],
    async (bozor) => (await bozor.search.listQueries({ without_results: true, per_page: shownRows })).items,
  )
  return (
    <Card title={t.unanswered} isFlush>
      {found.error && <Failure error={found.error} onRetry={() => void found.refetch()} />}
      {!found.data && !found.error && <SkeletonRows rows={4} />}
      {found.data?.length === 0 && <Empty icon="search" title={t.allAnswered} />}
      <ul className="divide-line divide-y">
        {found.data?.map((it) => (
          <li key={it.search_id} className="flex items-center gap-3 px-4 py-2">
            <Link to="/search" search={{ q: it.query }} className="min-w-0 flex-1 truncate hover:underline">
              {it.query}
            </Link>
            <span className="text-soft text-xs max-sm:hidden">{dateTime(it.last_at, language)}</span>
            <span className="figures">{count(it.searches)}</span>
          </li>
        ))}
      </ul>
    </Card>
  )
}

function Learned() {
  const t = useTexts(searchWordTexts)
  const { language } = useSession()
  const found = useData(['learning'], async (bozor) => (await bozor.search.getLearning()).learning)
  if (found.error) return <Failure error={found.error} onRetry={() => void found.refetch()} />
  if (!found.data) return <SkeletonRows rows={4} />
  const learning = found.data
  const when = learning.learned_at ? dateTime(learning.learned_at, language) : t.notYet
  return (
    <>
      <Card title={t.learned}>
        <div className="flex flex-col gap-4">
          <p className="text-soft">
            {t.learnedText} {t.learnedAt}: {when}.
          </p>
          <Part
            field="predictions_enabled"
            name={t.categories}
            text={t.categoriesText}
            part={{ ...learning, enabled: learning.predictions_enabled }}
            version={learning.version}
          />
          <Part
            field="synonyms_enabled"
            name={t.meanings}
            text={t.meaningsText}
            part={learning.synonyms}
            version={learning.version}
          />
          <Part
            field="ranker_enabled"
            name={t.ranker}
            text={t.rankerText}
            part={learning.ranker}
            version={learning.version}
          />
        </div>
      </Card>
      <Meanings lines={learning.synonyms.lines} />
    </>
  )
}

interface PartProps {
  field: 'predictions_enabled' | 'synonyms_enabled' | 'ranker_enabled'
  name: string
  text: string
  part: Pick<Learning['ranker'], 'enabled' | 'active' | 'comparison'>
  version: number
}

function Part({ field, name, text, part, version }: PartProps) {
  const t = useTexts(searchWordTexts)
  const { can } = useSession()
  const change = useAction(
    (bozor, isEnabled: boolean) =>
      bozor.search.updateLearning({ [field]: isEnabled }, { ifMatch: `"${version}"` }),
    { refreshes: ['learning', 'products'], done: t.saved },
  )
  const { comparison } = part
  return (
    <div className="flex items-start justify-between gap-3">
      <CheckField
        label={name}
        hint={text}
        checked={part.enabled}
        disabled={!can('admin:write') || change.isPending}
        onChange={(event) => change.mutate(event.target.checked)}
      />
      <div className="flex flex-col items-end gap-1">
        <Badge text={part.active ? t.used : t.notUsed} tone={part.active ? 'good' : 'neutral'} />
        {comparison && (
          <span className="text-soft figures text-xs whitespace-nowrap">
            {comparison.plain.toFixed(3)} → {comparison.learned.toFixed(3)}
          </span>
        )}
      </div>
    </div>
  )
}

function Meanings({ lines }: { lines: Learning['synonyms']['lines'] }) {
  const t = useTexts(searchWordTexts)
  return (
    <Card title={t.meanings} isFlush>
      {lines.length === 0 && <Empty icon="search" title={t.nothingLearned} />}
      <ul className="divide-line divide-y">
        {lines.slice(0, shownRows).map((it) => (
          <li key={it.query} className="flex items-center gap-3 px-4 py-2">
            <span className="min-w-0 flex-1 truncate">
              {it.query} → <strong className="font-medium">{it.meant}</strong>
            </span>
            <span className="text-soft figures">{Math.round(it.similarity * 100)} %</span>
          </li>
        ))}
      </ul>
    </Card>
  )
}
