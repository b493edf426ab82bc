// What buyers find for a query, and how the query was understood.

import { Link } from '@tanstack/react-router'
import { useDeferredValue } from 'react'
import type { Operations } from '../../../sdk/index.ts'
import { useData } from '../app/data.ts'
import { count, money } from '../app/language.ts'
import { useSession, useTexts } from '../app/session.tsx'
import { Badge } from '../ui/badge.tsx'
import { Card, PageHead } from '../ui/card.tsx'
import { TextField } from '../ui/field.tsx'
import { useFilters } from '../ui/list-page.tsx'
import { Empty, Failure, SkeletonRows } from '../ui/states.tsx'
import { ProductName } from './products.tsx'

const table = {
  title: ['Search preview', 'Проверка поиска', 'Qidiruvni tekshirish'],
  text: [
    'What buyers find, in order, and how the words were understood.',
    'Что находят покупатели, по порядку, и как поняты слова.',
    'Xaridorlar nimani, qanday tartibda topadi va so‘zlar qanday tushunildi.',
  ],
  query: ['Query', 'Запрос', 'So‘rov'],
  hint: [
    'With typos, another keyboard layout or script, or everyday words',
    'С опечатками, в другой раскладке или алфавите, разговорными словами',
    'Xatolar, boshqa klaviatura yoki alifbo, so‘zlashuv so‘zlari bilan',
  ],
  understood: ['How it was understood', 'Как понят запрос', 'So‘rov qanday tushunildi'],
  asTyped: ['As typed', 'Как введено', 'Yozilganidek'],
  searched: ['Searched for', 'Искали', 'Qidirildi'],
  leftOut: ['Left out', 'Отброшено', 'Tashlab ketildi'],
  results: ['Results', 'Результаты', 'Natijalar'],
  none: ['Nothing is found', 'Ничего не найдено', 'Hech narsa topilmadi'],
  enter: ['Enter a query', 'Введите запрос', 'So‘rov kiriting'],
  layout: ['keyboard layout', 'раскладка', 'klaviatura'],
  join: ['joined', 'слитно', 'qo‘shib'],
  split: ['split', 'раздельно', 'ajratib'],
  filler: ['filler word', 'лишнее слово', 'ortiqcha so‘z'],
  sound: ['by sound', 'по звучанию', 'talaffuz bo‘yicha'],
  typo: ['typo', 'опечатка', 'xato'],
  price: ['price', 'цена', 'narx'],
  meaning: ['meaning', 'значение', 'ma’no'],
  prefix: ['beginning of a word', 'начало слова', 'so‘z boshi'],
} as const

const shownResults = 20

export function Page() {
  const t = useTexts(table)
  const [filters, change] = useFilters()
  const typed = filters['q'] ?? ''
  const q = useDeferredValue(typed.trim())
  const found = useData(
    ['products', 'preview', q],
    async (bozor) => (await bozor.products.search({ q, explain: true, per_page: shownResults })).data,
    { isEnabled: q !== '' },
  )
  return (
    <>
      <PageHead title={t.title} text={t.text} />
      <div className="flex flex-col gap-4">
        <div className="max-w-xl">
          <TextField
            label={t.query}
            hint={t.hint}
            type="search"
            value={typed}
            onChange={(event) => change({ q: event.target.value })}
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

type Reply = Operations['products.search']['reply']

function Understood({ reply }: { reply: Reply }) {
  const t = useTexts(table)
  const steps = reply.explanation ?? []
  return (
    <Card title={t.understood}>
      <div className="flex flex-col gap-2">
        {reply.corrected && (
          <p>
            {t.searched}: <strong className="font-semibold">{reply.corrected}</strong>
          </p>
        )}
        {reply.left_out.length > 0 && (
          <p>
            {t.leftOut}: {reply.left_out.join(', ')}
          </p>
        )}
        {steps.length === 0 && !reply.corrected && <p className="text-soft">{t.asTyped}</p>}
        <ul className="flex flex-wrap gap-x-6 gap-y-2">
          {steps.map((it) => (
            <li key={`${it.step} ${it.from} ${it.to}`} className="flex items-center gap-2">
              <Badge text={t[it.step]} tone="info" isPlain />
              <span>
                {it.from} → {it.to || '–'}
              </span>
            </li>
          ))}
        </ul>
      </div>
    </Card>
  )
}

function Results({ reply }: { reply: Reply }) {
  const t = useTexts(table)
  const { language } = useSession()
  const total = reply.pagination.total ?? reply.pagination.total_at_least ?? 0
  return (
    <Card title={`${t.results}: ${count(total)}`} isFlush>
      {reply.products.length === 0 && <Empty icon="search" title={t.none} />}
      <ol className="divide-line divide-y">
        {reply.products.map((it, at) => (
          <li key={it.id} className="flex items-center gap-3 px-4 py-2">
            <span className="text-faint figures w-6 text-right">{at + 1}</span>
            <Link to={`/products/${it.id}`} className="min-w-0 flex-1 hover:underline">
              <ProductName name={it.name} image={it.images[0]?.sm_path} />
            </Link>
            <span className="text-soft truncate text-xs max-md:hidden">{it.category.name}</span>
            <span className="figures text-right whitespace-nowrap">
              {it.price ? money(it.price, language) : '–'}
            </span>
          </li>
        ))}
      </ol>
    </Card>
  )
}
