import type { ReactNode } from 'react'
import { percent } from '../app/language.ts'
import { useSession } from '../app/session.tsx'

/** A line without axes. */
export function Spark({ values }: { values: readonly number[] }) {
  const [width, height] = [120, 32]
  const most = Math.max(...values, 1)
  const points = values.map(
    (it, at) =>
      `${((at / Math.max(values.length - 1, 1)) * width).toFixed(1)},${(height - 2 - (it / most) * (height - 4)).toFixed(1)}`,
  )
  return (
    <svg
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      aria-hidden="true"
      className="h-8 w-full"
    >
      <polygon points={`0,${height} ${points.join(' ')} ${width},${height}`} className="fill-accent/10" />
      <polyline
        points={points.join(' ')}
        fill="none"
        className="stroke-accent"
        strokeWidth="1.5"
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  )
}

interface TileProps {
  label: string
  value: string
  /** Change against the time before, as a share. */
  change?: number | null
  note: string
  values: readonly number[]
}

export function Tile({ label, value, change, note, values }: TileProps): ReactNode {
  const { language } = useSession()
  const tone = change == null || change === 0 ? 'text-soft' : change > 0 ? 'text-good' : 'text-bad'
  return (
    <section className="border-line bg-surface shadow-raised flex flex-col rounded-lg border p-4 pb-3">
      <h2 className="text-soft text-xs font-medium">{label}</h2>
      <p className="figures mt-1 text-2xl font-semibold tracking-tight">{value}</p>
      <p className="mt-0.5 mb-3 text-xs">
        {change != null && (
          <span className={`figures font-medium ${tone}`}>
            {change > 0 ? '+' : ''}
            {percent(change, language, 0)}{' '}
          </span>
        )}
        <span className="text-soft">{note}</span>
      </p>
      <div className="mt-auto">
        <Spark values={values} />
      </div>
    </section>
  )
}
