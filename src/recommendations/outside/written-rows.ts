// Rows as text that other engines read: CSV with a first line of names (RFC 4180), or a JSON object a line.

export const formats = ['csv', 'ndjson'] as const
export type Format = (typeof formats)[number]

export type Cell = string | number

/** Rows under their columns' names, some at a time. */
export interface Rows {
  columns: readonly string[]
  batches: AsyncIterable<readonly (readonly Cell[])[]>
}

/** The columns' names are written at once, before the first rows are there. */
export async function* writtenRows({ columns, batches }: Rows, format: Format): AsyncGenerator<string, void> {
  if (format === 'csv') yield `${columns.join(',')}\n`
  for await (const rows of batches)
    if (rows.length > 0) yield rows.map((it) => line(columns, it, format)).join('')
}

const line = (columns: readonly string[], row: readonly Cell[], format: Format): string =>
  format === 'csv'
    ? `${row.map(quoted).join(',')}\n`
    : `${JSON.stringify(Object.fromEntries(columns.map((name, at) => [name, row[at]!])))}\n`

const quoted = (cell: Cell): string =>
  typeof cell === 'string' && /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : String(cell)
