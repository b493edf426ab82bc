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
import type { Assortment } from './assortment.ts'
import { tools } from './tools.ts'

/** All assortments, in the order of the category tree. */
export const assortments: Assortment[] = [
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
