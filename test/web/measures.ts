// Measured values beside their bars.

export interface Measure {
  what: string
  value: number
  unit: string
  bar: string
  isMet: boolean
}

export const table = (measures: readonly Measure[]): string =>
  [
    '| What | Ours | Bar |',
    '|---|---|---|',
    ...measures.map(
      ({ what, value, unit, bar, isMet }) =>
        `| ${what} | ${[rounded(value), unit].join(' ').trim()} | ${[bar, unit].join(' ').trim()}${isMet ? '' : ': **missed**'} |`,
    ),
  ].join('\n')

const rounded = (value: number): string =>
  (value < 100 ? Math.round(value * 10) / 10 : Math.round(value)).toString()
