import type { Reader } from '../../base/database.ts'
import { columnsOf } from '../entities/store.ts'
import { deliveryMethods } from '../entities/tables.ts'
import type { DeliveryMethod } from './delivery-method.ts'

/** All delivery methods of these partners, inactive ones too, by id. */
export const deliveryMethodsOf = (read: Reader, partnerIds: readonly number[]): Promise<DeliveryMethod[]> =>
  read.all(
    `select ${columnsOf(deliveryMethods)} from ${deliveryMethods.name} where partner_id = any($1) order by id`,
    [partnerIds],
  )
