// A table that draws only the rows in view. Arrow keys or j and k move between rows, Enter opens one.

import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { useRouter } from '@tanstack/react-router'
import { type KeyboardEvent, memo, type MouseEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { useKeys } from '../app/keys.ts'

export interface Column<Item> {
  head: string
  cell(item: Item): ReactNode
  isRight?: boolean
  /** Narrow windows show only columns without this. */
  isWide?: boolean
  width?: string
  /** The name by which the server sorts; the head then sorts by it. */
  sortBy?: string
}

/** `price` ascending, `-price` descending. */
export interface Sorting {
  by: string
  onSort(by: string): void
}

interface TableProps<Item> {
  label: string
  items: readonly Item[]
  columns: readonly Column<Item>[]
  idOf(item: Item): string
  /** The page of a row. */
  to?: (item: Item) => string | undefined
  onOpen?: (item: Item) => void
  onEnd?: (() => void) | undefined
  sorting?: Sorting
}

const rowHeight = 44
const overscan = 4

export function Table<Item>(props: TableProps<Item>) {
  const { label, items, columns, idOf, to, onOpen, onEnd, sorting } = props
  const body = useRef<HTMLTableSectionElement>(null)
  const [top, setTop] = useState(0)
  useEffect(() => setTop(body.current?.offsetTop ?? 0), [])
  const virtual = useWindowVirtualizer({
    count: items.length,
    estimateSize: () => rowHeight,
    overscan,
    scrollMargin: top,
  })
  const rows = virtual.getVirtualItems()
  const lastIndex = rows.at(-1)?.index ?? -1
  useEffect(() => {
    if (lastIndex >= items.length - overscan) onEnd?.()
  }, [lastIndex, items.length, onEnd])
  useRowKeys(body)
  const before = (rows[0]?.start ?? top) - top
  const after = virtual.getTotalSize() - ((rows.at(-1)?.end ?? top) - top)
  return (
    // A wide table scrolls sideways, also by keyboard.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrollable region must take the focus
    <div role="region" aria-label={label} tabIndex={0} className="overflow-x-auto">
      <table className="w-full border-collapse text-left" aria-label={label} aria-rowcount={items.length}>
        <thead>
          <tr className="border-line text-soft border-b text-xs">
            {columns.map((it) => (
              <HeadCell key={it.head} column={it} {...(sorting && { sorting })} />
            ))}
          </tr>
        </thead>
        <tbody ref={body}>
          {before > 0 && <tr aria-hidden="true" style={{ height: before }} />}
          {rows.map(({ index }) => (
            <Row key={idOf(items[index]!)} item={items[index]!} columns={columns} to={to} onOpen={onOpen} />
          ))}
          {after > 0 && <tr aria-hidden="true" style={{ height: after }} />}
        </tbody>
      </table>
    </div>
  )
}

interface HeadProps<Item> {
  column: Column<Item>
  sorting?: Sorting
}

function HeadCell<Item>({ column: it, sorting }: HeadProps<Item>) {
  const by = sorting && it.sortBy
  const direction =
    by && sorting.by === by ? 'ascending' : by && sorting.by === `-${by}` ? 'descending' : undefined
  return (
    <th
      scope="col"
      style={it.width ? { width: it.width } : undefined}
      className={`h-9 px-4 font-medium max-sm:px-2.5 ${sideOf(it)}`}
      aria-sort={direction}
    >
      {by ? (
        <button
          type="button"
          className={`hover:text-ink inline-flex items-center gap-1 ${direction ? 'text-ink' : ''}`}
          onClick={() => sorting.onSort(direction === 'ascending' ? `-${by}` : by)}
        >
          {it.head}
          <span aria-hidden="true" className={direction ? '' : 'text-faint'}>
            {direction === 'ascending' ? '↑' : direction === 'descending' ? '↓' : '↕'}
          </span>
        </button>
      ) : (
        it.head
      )}
    </th>
  )
}

const sideOf = ({ isRight, isWide }: { isRight?: boolean; isWide?: boolean }): string =>
  `${isRight ? 'text-right figures' : ''} ${isWide ? 'max-md:hidden' : ''}`

interface RowProps<Item> extends Pick<TableProps<Item>, 'columns'> {
  item: Item
  to: TableProps<Item>['to']
  onOpen: TableProps<Item>['onOpen']
}

/** While scrolling, only the rows that come into view are drawn. */
const Row = memo(TableRow) as typeof TableRow

/** The browser opens a new tab or window itself. */
const isPlainClick = (it: MouseEvent): boolean =>
  it.button === 0 && !it.metaKey && !it.ctrlKey && !it.shiftKey && !it.altKey

function TableRow<Item>({ item, columns, to, onOpen }: RowProps<Item>) {
  const router = useRouter()
  const path = to?.(item)
  const isActive = path !== undefined || onOpen !== undefined
  const open = () => (path === undefined ? onOpen?.(item) : void router.navigate({ to: path }))
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && event.target === event.currentTarget) open()
  }
  return (
    <tr
      {...(isActive && { tabIndex: 0, onKeyDown, onClick: open, 'data-row': '' })}
      {...(path !== undefined && { onMouseEnter: () => void router.preloadRoute({ to: path }) })}
      className={`border-line h-11 border-b last:border-0 ${isActive ? 'hover:bg-hover focus-visible:bg-hover cursor-pointer' : ''}`}
    >
      {columns.map((it, at) => (
        <td
          key={it.head}
          className={`px-4 py-1.5 max-sm:px-2.5 ${sideOf(it)} ${at === 0 ? 'font-medium' : ''}`}
        >
          {at === 0 && path !== undefined ? (
            // Not a `Link`: one for each row costs as much as the rest of the row when a table is scrolled fast.
            <a
              href={`${router.basepath}${path}`}
              tabIndex={-1}
              onClick={(event) => {
                event.stopPropagation()
                if (!isPlainClick(event)) return
                event.preventDefault()
                open()
              }}
            >
              {it.cell(item)}
            </a>
          ) : (
            it.cell(item)
          )}
        </td>
      ))}
    </tr>
  )
}

function useRowKeys(body: React.RefObject<HTMLTableSectionElement | null>): void {
  const move = (step: number) => {
    const rows = [...(body.current?.querySelectorAll<HTMLElement>('[data-row]') ?? [])]
    const at = rows.indexOf(document.activeElement as HTMLElement)
    rows[Math.max(0, Math.min(rows.length - 1, at + step))]?.focus()
  }
  useKeys({ j: () => move(1), k: () => move(-1), ArrowDown: () => move(1), ArrowUp: () => move(-1) })
}
