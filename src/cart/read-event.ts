import { type Static, Type } from 'typebox'
import { faultFinder, type FieldFault } from '../base/shape.ts'
import { instantOf, instantText } from '../http/instant.ts'
import { integer, oneOf, text } from '../http/schema.ts'
import type { OutsideEvent } from './receive-event.ts'

const attribute = (example: string) => text({ max: 255, examples: [example] })

/** The attributes of CloudEvents 1.0 that we look at. */
export const outsideAttributes = {
  specversion: oneOf(['1.0']),
  id: attribute('9f2c1b'),
  source: attribute('/warehouse'),
  type: attribute('OfferQuantityChanged'),
  time: instantText,
  subject: Type.Optional(attribute('offer/1000')),
  sequence: Type.Optional(integer(0, Number.MAX_SAFE_INTEGER, { description: 'Grows per subject.' })),
  datacontenttype: Type.Optional(attribute('application/json')),
  dataschema: Type.Optional(text({ max: 1_000 })),
  data: Type.Unknown({ examples: [{ OfferId: 1000, NewQuantity: 5 }] }),
}
// Producers on a bus may add attributes of their own.
const shape = Type.Object(outsideAttributes)
const faultsIn = faultFinder()(shape)

/** The event in what came from outside, or what is wrong with it. */
export function readEvent(sent: unknown): OutsideEvent | FieldFault {
  const [fault] = faultsIn(sent)
  return fault ?? outsideEventOf(sent as Static<typeof shape>)
}

export const outsideEventOf = (sent: Static<typeof shape>): OutsideEvent => {
  const { id, source, type, data, sequence = null } = sent
  return { id, source, type, time: instantOf(sent.time, 'time').toISOString(), sequence, data }
}
