// A page that is a list: filters in the address, a table, and what to show when nothing is found.

import { useNavigate, useSearch } from '@tanstack/react-router'
import { type ReactNode, useDeferredValue, useEffect, useState } from 'react'
import type { Bozor, PagedList } from '../../../sdk/index.ts'
import { useList } from '../app/data.ts'
import { count } from '../app/language.ts'
import { useTexts } from '../app/session.tsx'
import { Button } from './button.tsx'
import { Card, PageHead } from './card.tsx'
import type { Choice } from './field.tsx'
import type { IconName } from './icon-paths.ts'
import { Icon } from './icons.tsx'
import { SavedViews } from './saved-views.tsx'
import { Empty, Failure, SkeletonRows } from './states.tsx'
import { type Column, type Sorting, Table } from './table.tsx'

export type Filters = Record<string, string>

export interface Filter {
  name: string
  label: string
  choices: readonly Choice[]
}

/** Filters live in the address, so that a filtered list can be bookmarked and sent. */
export function useFilters(): [Filters, (changes: Filters) => void] {
  const search = useSearch({ strict: false }) as Filters
  const navigate = useNavigate()
  const change = (changes: Filters) => {
    const next = { ...search, ...changes }
    const kept = Object.fromEntries(Object.entries(next).filter(([, value]) => value !== ''))
    void navigate({ to: '.', search: kept, replace: true } as never)
  }
  return [search, change]
}

interface ListPageProps<Item> {
  title: string
  text?: string
  resource: string
  icon: IconName
  empty: { title: string; text?: string; action?: ReactNode }
  columns: readonly Column<Item>[]
  filters?: readonly Filter[]
  /** The default order of the server. */
  firstSort?: string
  /** The name of the query parameter for free text. */
  searchBy?: { name: string; label: string }
  load(bozor: Bozor, query: Filters & { per_page: never }): PagedList<Item>
  idOf(item: Item): string
  to?: (item: Item) => string | undefined
  onOpen?: (item: Item) => void
  /** The first pages are read again at this interval. */
  refreshMs?: number
  actions?: ReactNode
}

const table = {
  nothing: [
    'Nothing matches these filters',
    'Под эти фильтры ничего не подходит',
    'Bu filtrlarga mos narsa yo‘q',
  ],
  clear: ['Clear filters', 'Сбросить фильтры', 'Filtrlarni tozalash'],
  all: ['all', 'все', 'hammasi'],
  changed: ['The list has changed.', 'Список изменился.', 'Ro‘yxat o‘zgardi.'],
  restart: ['Show it from the beginning', 'Показать с начала', 'Boshidan ko‘rsatish'],
  of: ['in total', 'всего', 'jami'],
} as const

export function ListPage<Item>(props: ListPageProps<Item>) {
  const { title, text, resource, filters = [], searchBy, load, actions, refreshMs, columns } = props
  const [search, change] = useFilters()
  const names = [...filters.map((it) => it.name), ...(searchBy ? [searchBy.name] : [])]
  const sorts = columns.flatMap((it) => (it.sortBy ? [it.sortBy, `-${it.sortBy}`] : []))
  const sort = sorts.includes(search['sort'] ?? '') ? search['sort']! : ''
  const filtered = Object.fromEntries(names.flatMap((it) => (search[it] ? [[it, String(search[it])]] : [])))
  const chosen: Filters = { ...filtered, ...(sort && { sort }) }
  const list = useList(
    [resource, 'list', chosen],
    (bozor, page) => load(bozor, { ...chosen, ...page } as never) as PagedList<Item>,
    refreshMs,
  )
  const isFiltered = Object.keys(filtered).length > 0
  const none = Object.fromEntries([...names, 'sort'].map((it) => [it, '']))
  const clear = () => change({ ...none, sort })
  const sorting = { by: sort || (props.firstSort ?? ''), onSort: (by: string) => change({ sort: by }) }
  return (
    <>
      <PageHead title={title} {...(text && { text })}>
        {actions}
      </PageHead>
      {names.length > 0 && (
        <FilterBar
          {...{ filters, chosen, change }}
          {...(searchBy && { searchBy })}
          {...(isFiltered && { onClear: clear })}
          total={list.total}
        >
          <SavedViews
            key={resource}
            resource={resource}
            current={chosen}
            onChoose={(view) => change({ ...none, ...view })}
          />
        </FilterBar>
      )}
      <Card isFlush>
        <ListBody {...props} list={list} sorting={sorting} {...(isFiltered && { onClear: clear })} />
      </Card>
    </>
  )
}

interface FilterBarProps {
  filters: readonly Filter[]
  searchBy?: { name: string; label: string }
  chosen: Filters
  change(changes: Filters): void
  onClear?: () => void
  total: number | null
  children: ReactNode
}

function FilterBar({ filters, searchBy, chosen, change, onClear, total, children }: FilterBarProps) {
  const t = useTexts(table)
  return (
    <div className="no-print mb-3 flex flex-wrap items-center gap-2">
      {searchBy && (
        <SearchBox
          key={searchBy.name}
          label={searchBy.label}
          value={chosen[searchBy.name] ?? ''}
          onChange={(value) => change({ [searchBy.name]: value })}
        />
      )}
      {filters.map((it) => (
        <FilterSelect
          key={it.name}
          filter={it}
          value={chosen[it.name] ?? ''}
          onChange={(value) => change({ [it.name]: value })}
        />
      ))}
      {onClear && (
        <Button look="ghost" onClick={onClear}>
          {t.clear}
        </Button>
      )}
      {children}
      {total !== null && (
        <span className="text-soft figures ml-auto text-xs">
          {count(total)} {t.of}
        </span>
      )}
    </div>
  )
}

type ListBodyProps<Item> = ListPageProps<Item> & {
  list: ReturnType<typeof useList<Item>>
  sorting: Sorting
  onClear?: () => void
}

function ListBody<Item>({ list, onClear, sorting, ...props }: ListBodyProps<Item>) {
  const { title, columns, idOf, to, onOpen, icon, empty } = props
  const t = useTexts(table)
  if (list.error) return <Failure error={list.error} onRetry={list.reload} />
  if (!list.items) return <SkeletonRows />
  if (list.items.length === 0)
    return (
      <Empty
        icon={icon}
        title={onClear ? t.nothing : empty.title}
        {...(!onClear && empty.text && { text: empty.text })}
      >
        {onClear ? <Button onClick={onClear}>{t.clear}</Button> : empty.action}
      </Empty>
    )
  return (
    <div className={list.isStale ? 'opacity-60' : ''}>
      {list.isOutdated && (
        <p
          role="status"
          className="bg-info-soft text-info border-line sticky top-0 z-5 flex items-center gap-3 border-b px-4 py-1.5 max-lg:top-12"
        >
          <span className="flex-1">{t.changed}</span>
          <Button onClick={list.restart}>{t.restart}</Button>
        </p>
      )}
      <Table
        label={title}
        items={list.items}
        columns={columns}
        idOf={idOf}
        sorting={sorting}
        {...(to && { to })}
        {...(onOpen && { onOpen })}
        onEnd={list.hasMore && !list.isLoadingMore ? list.loadMore : undefined}
      />
      {list.isLoadingMore && <SkeletonRows rows={3} />}
    </div>
  )
}

const pauseMs = 250

function SearchBox({
  label,
  value,
  onChange,
}: {
  label: string
  value: string
  onChange(value: string): void
}) {
  const [text, setText] = useState(value)
  const deferred = useDeferredValue(text)
  useEffect(() => {
    if (deferred === value) return
    const timer = setTimeout(() => onChange(deferred), pauseMs)
    return () => clearTimeout(timer)
    // oxlint-disable-next-line react/exhaustive-deps -- `onChange` is new at every render
  }, [deferred, value])
  return (
    <div className="relative min-w-48 flex-1 sm:max-w-72">
      <Icon name="search" className="text-faint pointer-events-none absolute top-2 left-2.5" />
      <input
        type="search"
        aria-label={label}
        placeholder={label}
        value={text}
        onChange={(event) => setText(event.target.value)}
        className="border-strong bg-surface placeholder:text-faint shadow-raised h-8 w-full rounded-md border pr-2 pl-8"
      />
    </div>
  )
}

function FilterSelect({
  filter,
  value,
  onChange,
}: {
  filter: Filter
  value: string
  onChange(value: string): void
}) {
  const t = useTexts(table)
  return (
    <select
      aria-label={filter.label}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      className={`shadow-raised h-8 max-w-52 rounded-md border px-2 ${value ? 'border-accent bg-accent-soft text-accent font-medium' : 'border-strong bg-surface text-ink'}`}
    >
      <option value="">
        {filter.label}: {t.all}
      </option>
      {filter.choices.map(([key, text]) => (
        <option key={key} value={key}>
          {text}
        </option>
      ))}
    </select>
  )
}
