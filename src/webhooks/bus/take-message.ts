import { type Database, isContradiction } from '../../base/db.ts'
import { keepable } from '../../base/json.ts'
import * as cart from '../../cart/index.ts'

export interface Message {
  /** Where it came in: its subject, and a name that no other message has. */
  subject: string
  name: string
  payload: Uint8Array
}

const mostKeptCharacters = 4_000

/**
 * Takes in what an outside producer told, once, by the same door as `POST /v1/integration-events`. What cannot even be
 * read goes in too, under a name that nobody knows: so it ends as a dead letter with its text, and holds up nobody.
 */
export async function takeMessage(db: Database, message: Message): Promise<void> {
  const event = readMessage(message.payload)
  try {
    if (event) await db.transaction((tx) => cart.receiveEvent(tx, event))
    else await takeUnreadable(db, message)
  } catch (error) {
    // Text that no database can keep was read, but can never be written.
    if (!isContradiction(error)) throw error
    await takeUnreadable(db, message)
  }
}

function readMessage(payload: Uint8Array): cart.OutsideEvent | undefined {
  try {
    const event = cart.readEvent(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(payload)))
    return 'rule' in event ? undefined : event
  } catch {
    return undefined
  }
}

const takeUnreadable = (db: Database, { subject, name, payload }: Message) =>
  db.transaction((tx) =>
    cart.receiveEvent(tx, {
      id: name,
      source: `nats:${subject}`.slice(0, 255),
      type: 'Unreadable',
      time: tx.now.toISOString(),
      sequence: null,
      data: keepable(new TextDecoder().decode(payload)).slice(0, mostKeptCharacters),
    }),
  )
