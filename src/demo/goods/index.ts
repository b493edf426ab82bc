import { appliances } from './appliances.ts'
import { auto } from './auto.ts'
import { beauty } from './beauty.ts'
import { books } from './books.ts'
import { children } from './children.ts'
import { clothes, shoes } from './clothes.ts'
import { computers } from './computers.ts'
import { groceries } from './groceries.ts'
import { home } from './home.ts'
import { kitchen } from './kitchen.ts'
import { outdoors } from './outdoors.ts'
import { phones } from './phones.ts'
import { screens } from './screens.ts'
import type { Shelf } from './shelf.ts'
import { tools } from './tools.ts'

/** Every shelf of the shop, in the order of the tree. */
export const shelves: Shelf[] = [
  ...phones,
  ...computers,
  ...screens,
  ...appliances,
  ...kitchen,
  ...clothes,
  ...shoes,
  ...beauty,
  ...children,
  ...home,
  ...tools,
  ...outdoors,
  ...auto,
  ...groceries,
  ...books,
]
