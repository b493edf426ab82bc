// Two models side by side, with the difference of each measure.

import { useState } from 'react'
import type { Operations } from '../../../sdk/index.ts'
import { count, dateTime } from '../app/language.ts'
import { useSession, useTexts } from '../app/session.tsx'
import { Card } from '../ui/card.tsx'
import { SelectField } from '../ui/field.tsx'

type Model = Operations['models.list']['reply']['models'][number]

const table = {
  title: ['Comparison', 'Сравнение', 'Taqqoslash'],
  first: ['Model', 'Модель', 'Model'],
  second: ['Against', 'С чем сравнить', 'Nima bilan'],
  measure: ['Measure', 'Показатель', 'Ko‘rsatkich'],
  difference: ['Difference', 'Разница', 'Farq'],
  products: ['Products', 'Товары', 'Mahsulotlar'],
  cases: ['Measured cases', 'Проверено случаев', 'Tekshirilgan holatlar'],
} as const

/** The ranker decides; without one the candidates do. */
const qualityOf = ({ metrics }: Model) => metrics.ranker ?? metrics.candidates

const signed = (difference: number, format: (value: number) => string): string =>
  `${difference < 0 ? '−' : difference > 0 ? '+' : ''}${format(Math.abs(difference))}`

export function CompareModels({ models }: { models: readonly Model[] }) {
  const t = useTexts(table)
  const { language } = useSession()
  const [chosen, setChosen] = useState<[string, string]>([models[0]!.id, models[1]!.id])
  const choices = models.map((it) => [it.id, `${it.id} · ${dateTime(it.created_at, language)}`] as const)
  const modelOf = (id: string) => models.find((it) => it.id === id) ?? models[0]!
  const [one, other] = [modelOf(chosen[0]), modelOf(chosen[1])]
  return (
    <Card title={t.title}>
      <div className="mb-3 grid gap-3 sm:grid-cols-2">
        <SelectField
          label={t.first}
          value={one.id}
          choices={choices}
          onChange={(event) => setChosen([event.target.value, other.id])}
        />
        <SelectField
          label={t.second}
          value={other.id}
          choices={choices}
          onChange={(event) => setChosen([one.id, event.target.value])}
        />
      </div>
      <Differences one={one} other={other} />
    </Card>
  )
}

function Differences({ one, other }: { one: Model; other: Model }) {
  const t = useTexts(table)
  const [quality, against] = [qualityOf(one), qualityOf(other)]
  const figures = [
    ['NDCG@10', quality?.ndcg10, against?.ndcg10],
    ['Hit@10', quality?.hit10, against?.hit10],
    ['Recall@30', quality?.recall30, against?.recall30],
  ] as const
  return (
    <table className="figures w-full" aria-label={t.title}>
      <thead>
        <tr className="text-soft text-right text-xs">
          <th scope="col" className="text-left font-medium">
            {t.measure}
          </th>
          <th scope="col" className="font-medium">
            {t.first}
          </th>
          <th scope="col" className="font-medium">
            {t.second}
          </th>
          <th scope="col" className="font-medium">
            {t.difference}
          </th>
        </tr>
      </thead>
      <tbody>
        {figures.map(([name, value = 0, before = 0]) => (
          <tr key={name} className="h-7 text-right">
            <th scope="row" className="text-left font-normal">
              {name}
            </th>
            <td className="font-medium">{value.toFixed(3)}</td>
            <td>{before.toFixed(3)}</td>
            <td className={value > before ? 'text-good' : value < before ? 'text-bad' : 'text-soft'}>
              {signed(value - before, (it) => it.toFixed(3))}
            </td>
          </tr>
        ))}
        {(
          [
            [t.products, one.products, other.products],
            [t.cases, one.metrics.cases, other.metrics.cases],
          ] as const
        ).map(([name, value, before]) => (
          <tr key={name} className="h-7 text-right">
            <th scope="row" className="text-left font-normal">
              {name}
            </th>
            <td>{count(value)}</td>
            <td>{count(before)}</td>
            <td className="text-soft">{signed(value - before, count)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
