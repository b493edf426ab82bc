import type { Reader } from '../base/db.ts'
import { clientsWithCarts } from './store/carts.ts'
import { clientsInSharedCarts } from './store/shared-carts.ts'
import { clientsWithWishlists } from './store/wishlists.ts'

/** Which of these clients own something here: a newcomer must not be handed one of their ids. */
export async function findOwners(read: Reader, clientIds: readonly number[]): Promise<number[]> {
  const found = await Promise.all(
    [clientsWithCarts, clientsWithWishlists, clientsInSharedCarts].map((ask) => ask(read, clientIds)),
  )
  return [...new Set(found.flat())]
}
