// Reading and writing through the SDK with a cache. A key begins with the resource, so that a write or an event can
// refresh everything about it.

import {
  type InfiniteData,
  keepPreviousData,
  type QueryClient,
  type QueryKey,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Bozor, Page, PagedList } from '../../../sdk/index.ts'
import { useToast } from '../ui/toast.tsx'
import { useSession } from './session.tsx'

type Load<Data> = (bozor: Bozor) => PromiseLike<Data>

export function useData<Data>(
  key: QueryKey,
  load: Load<Data>,
  options: { isEnabled?: boolean; refreshMs?: number; keepsPrevious?: boolean } = {},
) {
  const { bozor, environment, language } = useSession()
  return useQuery({
    queryKey: [...key, environment, language],
    queryFn: async () => load(bozor),
    enabled: options.isEnabled ?? true,
    ...(options.refreshMs !== undefined && { refetchInterval: options.refreshMs }),
    ...(options.keepsPrevious && { placeholderData: keepPreviousData }),
  })
}

export const staleMs = 15_000
const pageSize = 50
/** Longer lists are not read again by themselves, because that repeats the calls of all their pages. */
const maxRefreshedPages = 20

interface Held {
  state: { data?: unknown }
}
const isLong = ({ state }: Held): boolean =>
  ((state.data as { pages?: unknown[] } | undefined)?.pages?.length ?? 0) > maxRefreshedPages
const isShort = (it: Held): boolean => !isLong(it)

/** Reads everything about these resources again. A long list is only marked: its page offers to show it from the beginning. */
export async function refresh(queries: QueryClient, resources: Iterable<string>): Promise<void> {
  await Promise.all(
    [...resources].flatMap((it) => [
      queries.invalidateQueries({ queryKey: [it], predicate: isShort }),
      queries.invalidateQueries({ queryKey: [it], predicate: isLong, refetchType: 'none' }),
    ]),
  )
}

/** The same for everything, after an outage. */
export const refreshAll = (queries: QueryClient): Promise<unknown> =>
  Promise.all([
    queries.invalidateQueries({ predicate: isShort }),
    queries.invalidateQueries({ predicate: isLong, refetchType: 'none' }),
  ])

/** A list that grows by pages. */
export function useList<Item>(
  key: QueryKey,
  load: (bozor: Bozor, page: { per_page: number; cursor?: string }) => PagedList<Item>,
  refreshMs?: number,
) {
  const { bozor, environment, language } = useSession()
  const queries = useQueryClient()
  const queryKey = [...key, environment, language]
  const query = useInfiniteQuery({
    queryKey,
    queryFn: async ({ pageParam }): Promise<Page<Item>> =>
      load(bozor, { per_page: pageSize, ...(pageParam && { cursor: pageParam }) }),
    initialPageParam: '',
    getNextPageParam: (last) => last.pagination.next_cursor ?? undefined,
    placeholderData: keepPreviousData,
    // A long list is stale only when something has changed.
    staleTime: (it: Held) => (isLong(it) ? Infinity : staleMs),
    refetchOnMount: isShort,
    refetchOnWindowFocus: isShort,
    refetchOnReconnect: isShort,
    refetchInterval: (it: Held) => refreshMs !== undefined && isShort(it) && refreshMs,
  })
  const pages = query.data?.pages
  const items = useMemo(() => pages?.flatMap((it) => it.items), [pages])
  const [first] = pages ?? []
  const restart = () => {
    queries.setQueryData<InfiniteData<Page<Item>>>(
      queryKey,
      (old) => old && { pages: old.pages.slice(0, 1), pageParams: old.pageParams.slice(0, 1) },
    )
    window.scrollTo(0, 0)
    void query.refetch()
  }
  return {
    items,
    total: first?.pagination.total ?? first?.pagination.total_at_least ?? null,
    error: query.error,
    isLoading: query.isPending,
    isStale: query.isPlaceholderData,
    /** The list is long, and something in it has changed since it was read. */
    isOutdated: query.isStale && (pages?.length ?? 0) > maxRefreshedPages,
    hasMore: query.hasNextPage,
    isLoadingMore: query.isFetchingNextPage,
    loadMore: () => void query.fetchNextPage(),
    reload: () => void query.refetch(),
    restart,
  }
}

export interface ActionOptions<Reply> {
  /** First parts of the keys that the write makes stale. */
  refreshes: string[]
  done?: string | ((reply: Reply) => string | undefined)
  onDone?: (reply: Reply) => void
  /** The caller shows the error itself. */
  isQuiet?: boolean
}

/** A write with its message; what it changed is read again. */
export function useAction<Input, Reply>(
  run: (bozor: Bozor, input: Input) => Promise<Reply>,
  { refreshes, done, onDone, isQuiet }: ActionOptions<Reply>,
) {
  const { bozor } = useSession()
  const queries = useQueryClient()
  const toast = useToast()
  return useMutation({
    mutationFn: (input: Input) => run(bozor, input),
    onSuccess: async (reply) => {
      const text = typeof done === 'function' ? done(reply) : done
      if (text) toast({ text })
      onDone?.(reply)
      await refresh(queries, refreshes)
    },
    onError: (error) => {
      if (!isQuiet) toast({ text: error.message, tone: 'bad' })
    },
  })
}
