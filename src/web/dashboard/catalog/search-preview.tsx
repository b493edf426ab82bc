// What buyers find for a query, how the query was understood, and why each product ranks where it does.

import { useDeferredValue } from 'react'
import type { Operations } from '../../../sdk/index.ts'
import { useData } from '../app/data.ts'
import { count } from '../app/language.ts'
import { useTexts } from '../app/session.tsx'
import { Badge } from '../ui/badge.tsx'
import { Card, PageHead } from '../ui/card.tsx'
import { CheckField, TextField } from '../ui/field.tsx'
import { useFilters } from '../ui/list-page.tsx'
import { Empty, Failure, SkeletonRows } from '../ui/states.tsx'
import { RankedProduct } from './ranked-product.tsx'
import { roleTexts, searchPreviewTexts } from './search-preview-texts.ts'

const shownResults = 20

export function Page() {
  const t = useTexts(searchPreviewTexts)
  const [filters, change] = useFilters()
  const typed = filters['q'] ?? ''
  const q = useDeferredValue(typed.trim())
  const exact = filters['exact'] === 'yes'
  const found = useData(
    ['products', 'preview', q, exact],
    (bozor) => bozor.search.preview({ q, per_page: shownResults, ...(exact && { exact }) }),
    { isEnabled: q !== '' },
  )
  return (
    <>
      <PageHead title={t.title} text={t.text} />
      <div className="flex flex-col gap-4">
        <div className="flex max-w-xl flex-col gap-2">
          <TextField
            label={t.query}
            hint={t.hint}
            type="search"
            value={typed}
            onChange={(event) => change({ q: event.target.value })}
          />
          <CheckField
            label={t.exact}
            checked={exact}
            onChange={(event) => change({ exact: event.target.checked ? 'yes' : '' })}
          />
        </div>
        {q === '' && <Empty icon="search" title={t.enter} />}
        {found.error && <Failure error={found.error} onRetry={() => void found.refetch()} />}
        {q !== '' && !found.data && !found.error && <SkeletonRows />}
        {q !== '' && found.data && (
          <>
            <Understood reply={found.data} />
            <Results reply={found.data} />
          </>
        )}
      </div>
    </>
  )
}

type Preview = Operations['search.preview']['reply']

function Understood({ reply: { corrected, left_out: leftOut, steps, units } }: { reply: Preview }) {
  const t = useTexts(searchPreviewTexts)
  const roles = useTexts(roleTexts)
  return (
    <Card title={t.understood}>
      <div className="grid gap-x-8 gap-y-4 md:grid-cols-2">
        <div>
          <h3 className="text-soft mb-1.5 text-xs font-medium">{t.steps}</h3>
          {steps.length === 0 && <p>{t.asTyped}</p>}
          <ol className="flex flex-col gap-1.5" aria-label={t.steps}>
            {steps.map((it, at) => (
              <li key={`${it.step} ${it.from} ${it.to}`} className="flex items-baseline gap-2">
                <span className="text-faint figures w-4 shrink-0 text-right">{at + 1}</span>
                <Badge text={t[it.step]} tone="info" isPlain />
                <span className="min-w-0 break-words">
                  {it.from} → {it.to || '–'}
                </span>
              </li>
            ))}
          </ol>
          {corrected && (
            <p className="mt-2">
              {t.searched}: <strong className="font-semibold">{corrected}</strong>
            </p>
          )}
          {leftOut.length > 0 && (
            <p className="mt-2">
              {t.leftOut}: {leftOut.join(', ')}
            </p>
          )}
        </div>
        <div>
          <h3 className="text-soft mb-1.5 text-xs font-medium">{t.units}</h3>
          <ul className="flex flex-col gap-1.5" aria-label={t.units}>
            {units.map((it) => (
              <li key={it.typed} className="flex flex-wrap items-baseline gap-x-2">
                <Badge text={roles[it.role]} tone={it.left_out ? 'warn' : 'accent'} isPlain />
                <span className={it.left_out ? 'line-through' : 'font-medium'}>{it.searched}</span>
                <span className="text-soft text-xs">
                  {it.left_out ? t.leftOut : it.required ? t.required : t.optional}
                </span>
              </li>
            ))}
          </ul>
        </div>
      </div>
    </Card>
  )
}

function Results({ reply: { results, total } }: { reply: Preview }) {
  const t = useTexts(searchPreviewTexts)
  return (
    <Card title={`${t.results}: ${count(total)}`} isFlush>
      {results.length === 0 && <Empty icon="search" title={t.none} text={t.noneText} />}
      <ol className="divide-line divide-y" aria-label={t.results}>
        {results.map((it) => (
          <RankedProduct key={it.product.id} it={it} />
        ))}
      </ol>
    </Card>
  )
}
