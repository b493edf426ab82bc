// Lists as promises of a page and as iterators over all pages.

import type { Pagination } from './schema.ts'

export interface Page<Item, Data = unknown> {
  items: Item[]
  pagination: Pagination
  /** The whole reply, for what it holds besides the items, such as the facets of a search. */
  data: Data
}

/** `await` gives the first page; `for await` walks through all items, page by page. */
export interface PagedList<Item, Data = unknown> extends PromiseLike<Page<Item, Data>>, AsyncIterable<Item> {}

/** `load` fetches the page at a cursor; without one, the first page. */
export function pagedList<Item>(load: (cursor?: string) => Promise<Page<Item>>): PagedList<Item> {
  let first: Promise<Page<Item>> | undefined
  const firstPage = () => (first ??= load())
  return {
    // oxlint-disable-next-line unicorn/no-thenable -- a list can be awaited for its first page
    then: (resolve, reject) => firstPage().then(resolve, reject),
    async *[Symbol.asyncIterator]() {
      for (let page = await firstPage(); ;) {
        yield* page.items
        const { next_cursor: cursor } = page.pagination
        if (!cursor) return
        page = await load(cursor)
      }
    },
  }
}
