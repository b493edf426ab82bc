import { type Database, isConstraintViolation } from '../../base/database.ts'
import { parseJsonBytes, toStorableText } from '../../base/json.ts'
import * as cart from '../../cart/index.ts'

export interface Message {
  /** The NATS subject, and a name that is unique among messages. */
  subject: string
  name: string
  payload: Uint8Array
}

const maxKeptCharacters = 4_000
const maxSourceCharacters = 255

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
    const event = cart.readEvent(parseJsonBytes(payload), now)
    return 'rule' in event ? undefined : event
  } catch {
    return undefined
  }
}

const receiveUnreadable = (db: Database, { subject, name, payload }: Message) =>
  db.transaction((tx) =>
    cart.receiveEvent(tx, {
      id: name,
      source: keptText(`nats:${subject}`, maxSourceCharacters),
      type: 'Unreadable',
      time: tx.now.toISOString(),
      sequence: null,
      data: keptText(new TextDecoder().decode(payload), maxKeptCharacters),
    }),
  )

/** The cut may go through a character, so it comes first. */
const keptText = (text: string, most: number): string => toStorableText(text.slice(0, most))
