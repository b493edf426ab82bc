// Why promotions overlap, in words: the same offers, the same time, and which price holds.

import type { Operations, Promotion, PromotionConflict } from '../../../sdk/index.ts'
import { count, dateTime, fillIn } from '../app/language.ts'
import { useSession, useTexts } from '../app/session.tsx'
import { Card } from '../ui/card.tsx'
import { promotionTexts, titleIn } from './promotion-texts.ts'

interface ConflictsProps {
  promotions: Promotion[]
  found: Operations['promotions.listConflicts']['reply']
}

export function Conflicts({ promotions, found }: ConflictsProps) {
  const t = useTexts(promotionTexts)
  const { language } = useSession()
  const titles = new Map(promotions.map((it) => [it.id, titleIn(it, language)]))
  return (
    <Card title={t.conflicts} isFlush>
      <p className="text-soft border-line border-b px-4 py-3">{t.conflictsText}</p>
      <ul aria-label={t.conflicts} className="divide-line divide-y">
        {found.conflicts.map((it) => (
          <ConflictRow
            key={it.promotion_ids.join()}
            conflict={it}
            titleOf={(id) => titles.get(id) ?? `#${id}`}
          />
        ))}
      </ul>
      {!found.is_complete && <p className="text-soft border-line border-t px-4 py-3">{t.more}</p>}
    </Card>
  )
}

function ConflictRow({
  conflict: it,
  titleOf,
}: {
  conflict: PromotionConflict
  titleOf(id: string): string
}) {
  const t = useTexts(promotionTexts)
  const { language } = useSession()
  const loser = it.promotion_ids.find((id) => id !== it.winner_id) ?? ''
  return (
    <li className="px-4 py-3">
      <p className="font-medium break-words">{it.promotion_ids.map(titleOf).join(' · ')}</p>
      <p className="text-soft figures text-xs">
        {dateTime(it.starts_at, language)} – {it.ends_at ? dateTime(it.ends_at, language) : t.open} ·{' '}
        {fillIn(t.shared, { count: count(it.offers) })}
      </p>
      <p className="mt-1 break-words">
        {it.winner_id === null
          ? t.depends
          : fillIn(t.wins, { winner: titleOf(it.winner_id), loser: titleOf(loser) })}
      </p>
    </li>
  )
}
