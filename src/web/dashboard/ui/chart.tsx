// A time series with axes and a readout under the pointer.

import { useEffect, useRef, useState } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { positionTicks, valueTicks } from './chart-ticks.ts'

export interface Series {
  label: string
  /** Null where nothing was measured. */
  values: readonly (number | null)[]
  /** Drawn thin and grey, for comparison. */
  isReference?: boolean
}

export interface ChartProps {
  label: string
  /** Days such as 2026-11-15. */
  days: readonly string[]
  series: readonly Series[]
  format(value: number): string
  dayText(day: string): string
  /** A shorter text for the axis. */
  axisText?(day: string): string
  /** Positions of the texts of that axis, of which there is room for `most`; by default at even distances. */
  ticks?(most: number): number[]
  height?: number
  /** The axis has no fractions. */
  isWhole?: boolean
  /** The axis begins near the smallest value and not at 0. */
  isZoomed?: boolean
}

/** By series; a reference is grey. */
const palette = ['--accent', '--info', '--warn', '--bad']
const swatches = ['bg-accent', 'bg-info', 'bg-warn', 'bg-bad']
const nameAt = (names: readonly string[], at: number): string => names[at % names.length]!

const colour = (name: string): string =>
  getComputedStyle(document.documentElement).getPropertyValue(name).trim()

/** A probe element resolves `light-dark()`, which a custom property keeps as written. */
function resolved(name: string): string {
  const probe = document.createElement('span')
  probe.style.color = `var(${name})`
  document.body.append(probe)
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color || colour(name)
}

const font = '11px Inter, system-ui, sans-serif'

/** Room for one text of the horizontal axis. */
const tickWidth = 64

function widestOf(texts: readonly string[]): number {
  const context = document.createElement('canvas').getContext('2d')!
  context.font = font
  return Math.max(...texts.map((it) => context.measureText(it).width))
}

/** A value between two gaps has no line. */
const alone = (values: readonly (number | null)[]): number[] =>
  values.flatMap((it, at) => (it !== null && values[at - 1] == null && values[at + 1] == null ? [at] : []))

/** From 0, or from a little below the smallest value. */
function rangeOf({ series, isZoomed }: ChartProps): { min: number; max: number } {
  const values = series.flatMap((it) => it.values.filter((value) => value !== null))
  const [min, max] = [Math.min(...values, Infinity), Math.max(...values, 0)]
  return { min: isZoomed && Number.isFinite(min) ? min : Math.min(0, min), max }
}

function optionsOf(props: ChartProps, width: number, onMove: (at: number | null) => void): uPlot.Options {
  const { series, format, dayText, axisText = dayText, days, height = 220, isWhole = false } = props
  const [soft, line] = [resolved('--faint'), resolved('--line')]
  const colours = series.map((it, at) => (it.isReference ? soft : resolved(nameAt(palette, at))))
  const values = valueTicks(rangeOf(props), { format, isWhole })
  const texts = values.map(format)
  const axisWidth = Math.ceil(widestOf(texts)) + 12
  const most = (plotWidth: number) => Math.max(2, Math.floor((plotWidth - axisWidth) / tickWidth))
  const positions = (most_: number) => props.ticks?.(most_) ?? positionTicks(days.length, most_)
  return {
    width,
    height,
    legend: { show: false },
    padding: [8, 24, 0, 0],
    cursor: { y: false, points: { size: 7 } },
    scales: {
      x: { time: false },
      y: { range: [values[0]!, values.at(-1)!] },
    },
    axes: [
      {
        stroke: soft,
        font,
        size: 28,
        grid: { show: false },
        ticks: { show: false },
        splits: (plot) => positions(most(plot.width)),
        values: (_plot, at) => at.map((it) => (days[it] ? axisText(days[it]) : '')),
      },
      {
        stroke: soft,
        font,
        size: axisWidth,
        gap: 8,
        grid: { stroke: line, width: 1 },
        ticks: { show: false },
        splits: () => values,
        values: () => texts,
      },
    ],
    series: [
      {},
      ...series.map((it, at) => ({
        label: it.label,
        stroke: colours[at]!,
        width: it.isReference ? 1 : 2,
        ...(it.isReference && { dash: [3, 3] }),
        ...(at === 0 && { fill: colours[at]!.replace('rgb(', 'rgba(').replace(')', ', 0.1)') }),
        points: { show: true, size: 5, fill: colours[at]!, filter: () => alone(it.values) },
      })),
    ],
    hooks: { setCursor: [(plot) => onMove(plot.cursor.idx ?? null)] },
  }
}

export function Chart(props: ChartProps) {
  const { label, days, series, format, dayText } = props
  const box = useRef<HTMLDivElement>(null)
  const [at, setAt] = useState<number | null>(null)
  useEffect(() => {
    const element = box.current!
    let plot: uPlot | undefined
    const draw = () => {
      plot?.destroy()
      const data = [days.map((_, index) => index), ...series.map((it) => [...it.values])] as uPlot.AlignedData
      plot = new uPlot(optionsOf(props, element.clientWidth, setAt), data, element)
    }
    const sizes = new ResizeObserver(() =>
      plot?.setSize({ width: element.clientWidth, height: props.height ?? 220 }),
    )
    const themes = new MutationObserver(draw)
    draw()
    sizes.observe(element)
    themes.observe(document.documentElement, { attributeFilter: ['data-theme'] })
    return () => {
      sizes.disconnect()
      themes.disconnect()
      plot?.destroy()
    }
    // oxlint-disable-next-line react/exhaustive-deps -- the callbacks are new at every render
  }, [days, series])
  const shown = at ?? days.length - 1
  const shownValue = (value: number | null | undefined) => (value == null ? '–' : format(value))
  return (
    <figure aria-label={label}>
      <figcaption className="text-soft figures flex flex-wrap gap-x-4 text-xs">
        <span>{days[shown] && dayText(days[shown])}</span>
        {series.map((it, index) => (
          <span key={it.label} className="inline-flex items-center gap-1">
            {series.length > 1 && (
              <span
                aria-hidden="true"
                className={`h-0.5 w-3 rounded ${it.isReference ? 'bg-faint' : nameAt(swatches, index)}`}
              />
            )}
            {it.label} <strong className="text-ink font-medium">{shownValue(it.values[shown])}</strong>
          </span>
        ))}
      </figcaption>
      <div ref={box} className="mt-2 min-w-0" style={{ minHeight: props.height ?? 220 }} />
    </figure>
  )
}
