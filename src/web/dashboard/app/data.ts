// Reading and writing through the SDK with a cache. A key begins with the resource, so that a write or an event can
// refresh everything about it.

import {
  keepPreviousData,
  type QueryKey,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { type Bozor, BozorError, type Page, type PagedList } from '../../../sdk/index.ts'
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

const pageSize = 50

/** A list that grows by pages. */
export function useList<Item>(
  key: QueryKey,
  load: (bozor: Bozor, page: { per_page: number; cursor?: string }) => PagedList<Item>,
  refreshMs?: number,
) {
  const { bozor, environment, language } = useSession()
  const query = useInfiniteQuery({
    queryKey: [...key, environment, language],
    queryFn: async ({ pageParam }): Promise<Page<Item>> =>
      load(bozor, { per_page: pageSize, ...(pageParam && { cursor: pageParam }) }),
    initialPageParam: '',
    getNextPageParam: (last) => last.pagination.next_cursor ?? undefined,
    placeholderData: keepPreviousData,
    ...(refreshMs !== undefined && { refetchInterval: refreshMs }),
  })
  const pages = query.data?.pages
  const [first] = pages ?? []
  return {
    items: pages?.flatMap((it) => it.items),
    total: first?.pagination.total ?? first?.pagination.total_at_least ?? null,
    error: query.error,
    isLoading: query.isPending,
    isStale: query.isPlaceholderData,
    hasMore: query.hasNextPage,
    isLoadingMore: query.isFetchingNextPage,
    loadMore: () => void query.fetchNextPage(),
    reload: () => void query.refetch(),
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
      await Promise.all(refreshes.map((it) => queries.invalidateQueries({ queryKey: [it] })))
    },
    onError: (error) => {
      if (!isQuiet) toast({ text: error.message, tone: 'bad' })
    },
  })
}

/** Messages of a refused call with the paths of their fields, such as `audience.0.bought`. */
export function pathErrors(error: Error | null): [path: string, message: string][] {
  if (!(error instanceof BozorError)) return []
  const { fields } = error.details as { fields?: { path: string; message?: string }[] }
  return (fields ?? []).map(({ path, message }) => [path, message ?? error.message])
}

/** Messages of a refused write by field, in the language of the request. */
export function fieldErrors(error: Error | null): Record<string, string> {
  const found: Record<string, string> = {}
  for (const [path, message] of pathErrors(error)) found[path.split('.')[0]!] ??= message
  return found
}
