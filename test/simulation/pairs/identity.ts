import { secretText } from '../../../src/base/random.ts'
import { issueKey, revokeKey, rotateKey } from '../../../src/identity/applications/api-keys.ts'
import { changeApplication, registerApplication } from '../../../src/identity/applications/applications.ts'
import { changeClient, mergeClients } from '../../../src/identity/clients/manage-clients.ts'
import { clientRecords } from '../../../src/identity/clients/records.ts'
import {
  acceptInvitation,
  inviteMember,
  revokeInvitation,
} from '../../../src/identity/members/invitations.ts'
import { changeMember, createMember, renameMember } from '../../../src/identity/members/members.ts'
import type { Database } from '../../../src/base/database.ts'
import type { NewPair } from '../pairs.ts'

const newMember = (db: Database, role: 'owner' | 'analyst') =>
  db.transaction((tx) =>
    createMember(tx, { email: `${secretText(12)}@shop.uz`, name: 'Anna', role, passwordHash: 'x' }),
  )

/** One owner must remain. */
const ownersDemoteEachOther: NewPair = async (db) => {
  await db.transaction((tx) => tx.all(`update identity_members set state = 'deactivated'`))
  const [one, two] = [await newMember(db, 'owner'), await newMember(db, 'owner')]
  const demote = (memberId: string, actorId: string) => ({
    memberId,
    input: { changes: { role: 'analyst' as const }, actorId },
  })
  const [first, second] = [demote(two.id, one.id), demote(one.id, two.id)]
  return {
    works: [
      async (tx) => void (await changeMember(tx, first.memberId, first.input)),
      async (tx) => void (await changeMember(tx, second.memberId, second.input)),
    ],
    observe: () =>
      db
        .read()
        .one(`select count(*) from identity_members where role = 'owner' and id in ($1, $2)`, [
          one.id,
          two.id,
        ]),
  }
}

const renameAndPromotion: NewPair = async (db) => {
  const { id } = await newMember(db, 'analyst')
  return {
    works: [
      async (tx) => void (await renameMember(tx, id, 'Bek')),
      async (tx) => void (await changeMember(tx, id, { changes: { role: 'operator' }, actorId: null })),
    ],
    observe: () => db.read().one(`select name, role from identity_members where id = $1`, [id]),
  }
}

const invited = (db: Database) =>
  db.transaction((tx) =>
    inviteMember(tx, { email: `${secretText(12)}@shop.uz`, role: 'analyst', actorId: null }),
  )

const acceptedTwice: NewPair = async (db) => {
  const { token } = await invited(db)
  const accept = { token, name: 'Bek', passwordHash: 'x' }
  return {
    works: [
      async (tx) => void (await acceptInvitation(tx, accept)),
      async (tx) => void (await acceptInvitation(tx, accept)),
    ],
  }
}

const acceptedAndRevoked: NewPair = async (db) => {
  const { token, invitation } = await invited(db)
  return {
    works: [
      async (tx) => void (await acceptInvitation(tx, { token, name: 'Bek', passwordHash: 'x' })),
      async (tx) => void (await revokeInvitation(tx, invitation.id, null)),
    ],
  }
}

let lastClient = 5_000_000
const newClient = async (db: Database): Promise<number> => {
  const id = ++lastClient
  const record = { id, name: 'Aziza', email: `c${id}@mail.uz`, phone: `+99890${id}` }
  const refused = await db.transaction((tx) => clientRecords.load(tx, [record]))
  if (refused.length > 0) throw new Error(JSON.stringify(refused))
  return id
}

const twoProfileChanges: NewPair = async (db) => {
  const id = await newClient(db)
  return {
    works: [
      async (tx) => void (await changeClient(tx, id, { changes: { name: 'Malika' } })),
      async (tx) => void (await changeClient(tx, id, { changes: { email: null } })),
    ],
    observe: () => db.read().one(`select name, email from identity_clients where id = $1`, [id]),
  }
}

const importAndProfileChange: NewPair = async (db) => {
  const id = await newClient(db)
  return {
    works: [
      async (tx) => void (await changeClient(tx, id, { changes: { email: null } })),
      async (tx) => (await clientRecords.load(tx, [{ id, name: 'Aziza', external_ids: ['a'] }])).length,
    ],
    observe: () => db.read().one(`select email, external_ids from identity_clients where id = $1`, [id]),
  }
}

/** A client cannot be merged into two others. */
const mergedTwice: NewPair = async (db) => {
  const [from, one, two] = [await newClient(db), await newClient(db), await newClient(db)]
  return {
    works: [
      async (tx) => void (await mergeClients(tx, { from, into: one }, [])),
      async (tx) => void (await mergeClients(tx, { from, into: two }, [])),
    ],
  }
}

const newApplication = async (db: Database) => {
  const record = {
    name: 'App',
    type: 'server',
    scopes: ['catalog:read'],
    redirectUrls: [],
    rateLimit: null,
  } as const
  const registered = await db.transaction((tx) =>
    registerApplication(tx, { ...record, scopes: [...record.scopes], redirectUrls: [] }, null),
  )
  return registered.application.applicationId
}

const twoApplicationChanges: NewPair = async (db) => {
  const id = await newApplication(db)
  const change = (changes: object) => ({ changes, ifMatch: undefined, callerScopes: null })
  return {
    works: [
      async (tx) => void (await changeApplication(tx, id, change({ name: 'New' }))),
      async (tx) => void (await changeApplication(tx, id, change({ rateLimit: '5/60s' }))),
    ],
    observe: () =>
      db.read().one(`select name, rate_limit from identity_applications where application_id = $1`, [id]),
  }
}

const keyRotatedAndRevoked: NewPair = async (db) => {
  const id = await newApplication(db)
  const input = { name: 'key', scopes: undefined, rateLimit: null, expiresAt: null }
  const { key } = await db.transaction((tx) => issueKey(tx, id, { input, callerScopes: null }))
  return {
    works: [
      async (tx) => void (await rotateKey(tx, id, { keyId: key.id, overlapSeconds: 60, callerScopes: null })),
      async (tx) => void (await revokeKey(tx, id, key.id)),
    ],
    observe: () =>
      db
        .read()
        .one(`select count(*) from identity_keys where application_id = $1 and revoked_at is null`, [id]),
  }
}

export const identityPairs: Readonly<Record<string, NewPair>> = {
  ownersDemoteEachOther,
  renameAndPromotion,
  acceptedTwice,
  acceptedAndRevoked,
  twoProfileChanges,
  importAndProfileChange,
  mergedTwice,
  twoApplicationChanges,
  keyRotatedAndRevoked,
}
