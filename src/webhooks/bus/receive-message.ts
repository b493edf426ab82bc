import { type Database, isConstraintViolation } from '../../base/database.ts'
import { toStorableText } from '../../base/json.ts'
import * as cart from '../../cart/index.ts'

export interface Message {
  /** The NATS subject, and a name that is unique among messages. */
  subject: string
  name: string
  payload: Uint8Array
}

const maxKeptCharacters = 4_000

/**
 * Stores an integration event once, by the same function as `POST /v1/integration-events`. A message that cannot be parsed,
 * or is dated more than five minutes ahead, is stored as an event of the unknown type `Unreadable`: it becomes a dead
 * letter with its text and blocks nothing.
 */
export async function receiveMessage(db: Database, message: Message): Promise<void> {
  const event = readMessage(message.payload, db.clock.now())
  try {
    if (event) await db.transaction((tx) => cart.receiveEvent(tx, event))
    else await receiveUnreadable(db, message)
  } catch (error) {
    // It parses, but holds text that PostgreSQL cannot store.
    if (!isConstraintViolation(error)) throw error
    await receiveUnreadable(db, message)
  }
}

function readMessage(payload: Uint8Array, now: Date): cart.ExternalEvent | undefined {
  try {
    const event = cart.readEvent(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(payload)), now)
    return 'rule' in event ? undefined : event
  } catch {
    return undefined
  }
}

const receiveUnreadable = (db: Database, { subject, name, payload }: Message) =>
  db.transaction((tx) =>
    cart.receiveEvent(tx, {
      id: name,
      source: `nats:${subject}`.slice(0, 255),
      type: 'Unreadable',
      time: tx.now.toISOString(),
      sequence: null,
      data: toStorableText(new TextDecoder().decode(payload)).slice(0, maxKeptCharacters),
    }),
  )
