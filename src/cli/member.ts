import type { Database, Tx } from '../base/db.ts'
import {
  changeMember,
  createMember,
  deactivateMember,
  emailOf,
  findMemberByEmail,
  inviteMember,
  joinLink,
  listMembers,
  newPassword,
  Passwords,
  reactivateMember,
  type Role,
  roles,
  setMemberPassword,
} from '../identity/index.ts'
import { atDesk, type Command, type Given, noted, table, UsageError, type World } from './command.ts'

export const memberCommand: Command = {
  name: 'member',
  summary: 'let people into the dashboard, and shut them out',
  usage: 'create|invite --email EMAIL … | list | role EMAIL ROLE | remove|restore|reset-password EMAIL',
  help: `Members are the people who run the shop. They serve both environments. A running server follows within a second.

  create --email EMAIL --name NAME [--role ROLE]  a member with a password, shown once (default role owner)
  invite --email EMAIL [--role ROLE]              a link for a week, shown once (default role analyst)
  list                                            all members
  role EMAIL ROLE                                 another role; the last owner stays one
  remove EMAIL                                    shuts a member out and ends his sessions
  restore EMAIL                                   lets him in again
  reset-password EMAIL                            another password, shown once; his sessions end
  --json                                          print JSON

Roles: ${roles.join(', ')}

  npm run bozor -- member create --email anna@shop.uz --name Anna`,
  options: {
    email: { type: 'string' },
    name: { type: 'string' },
    role: { type: 'string' },
    json: { type: 'boolean' },
  },
  async run(world, given) {
    const [what = '', ...words] = given.words
    const deed = Object.hasOwn(deeds, what) ? deeds[what] : undefined
    if (!deed)
      throw new UsageError(`say "member ${Object.keys(deeds).join('", "member ')}"; see "help member"`)
    const work = deed({ world, given, words })
    const { value, text } = await atDesk(world, `member ${what}`, ({ db }) => work(db.live))
    world.print(given.flags['json'] ? JSON.stringify(value) : text)
    return 0
  },
}

interface Asked {
  world: World
  given: Given
  words: string[]
}
interface Said {
  value: object
  text: string
}

/** Each looks at what was typed first, and only then at the storage. */
const deeds: Record<string, (asked: Asked) => (db: Database) => Promise<Said>> = {
  create: ({ given }) => create(emailFlag(given), nameFlag(given), roleOf(given.flags['role'] ?? 'owner')),
  invite: ({ given, world }) => invite(world, emailFlag(given), roleOf(given.flags['role'] ?? 'analyst')),
  list: () => listAll,
  role: ({ words: [email, role] }) => {
    const changes = { role: roleOf(role) }
    return to(email, 'role', async (tx, id) => {
      await changeMember(tx, id, { changes, actorId: null })
      return { value: changes, text: `${email} is now ${changes.role}.` }
    })
  },
  remove: ({ words: [email] }) =>
    to(email, 'remove', async (tx, id) => {
      const { state } = await deactivateMember(tx, id, null)
      return { value: { state }, text: `${email} may no longer enter.` }
    }),
  restore: ({ words: [email] }) =>
    to(email, 'restore', async (tx, id) => {
      const { state } = await reactivateMember(tx, id, null)
      return { value: { state }, text: `${email} may enter again.` }
    }),
  'reset-password': ({ words: [email] }) =>
    to(email, 'reset-password', async (tx, id) => {
      const password = newPassword()
      const passwordHash = await new Passwords().hash(password)
      await setMemberPassword(tx, id, { passwordHash, sparedSession: null })
      return { value: { password }, text: `${password}\n\nKeep it: it is not shown again.` }
    }),
}

const create = (email: string, name: string, role: Role) => async (db: Database) => {
  const password = newPassword()
  const passwordHash = await new Passwords().hash(password)
  const { id } = await noted(db, 'member create', (tx) =>
    createMember(tx, { email, name, role, passwordHash }),
  )
  const lines = table([
    ['e-mail', email],
    ['password', password],
    ['role', role],
  ])
  return {
    value: { id, email, name, role, password },
    text: `${lines}\n\nKeep the password: it is not shown again.`,
  }
}

const invite =
  ({ config }: World, email: string, role: Role) =>
  async (db: Database) => {
    const wish = { email, role, actorId: null }
    const { invitation, token } = await noted(db, 'member invite', (tx) => inviteMember(tx, wish))
    const link = joinLink(config.publicUrl ?? `http://127.0.0.1:${config.port}`, token)
    const until = invitation.expiresAt.toISOString()
    return {
      value: { id: invitation.id, email, role, token, link, expires_at: until },
      text: `${link}\n\nSend it to ${email}: it works once, until ${until}, and is not shown again.`,
    }
  }

async function listAll(db: Database): Promise<Said> {
  const everyone = { page: 1, perPage: 1_000, sort: 'created_at', cursor: undefined }
  const { rows } = await listMembers(db.read(), {}, everyone)
  const lines = rows.map((it) => [it.email, it.role, it.state, it.name])
  const text =
    rows.length > 0 ? table([['e-mail', 'role', 'state', 'name'], ...lines]) : 'There are no members.'
  return { value: rows, text }
}

/** Does something to a member who is named by the e-mail address. */
function to(
  email: string | undefined,
  what: string,
  work: (tx: Tx, memberId: string) => Promise<Said>,
): (db: Database) => Promise<Said> {
  if (!email) throw new UsageError('name the member by the e-mail address (see "member list")')
  return async (db) => {
    const member = await findMemberByEmail(db.read(), email)
    if (!member) throw new UsageError(`there is no member ${email} (see "member list")`)
    const { value, text } = await noted(db, `member ${what}`, (tx) => work(tx, member.id))
    return { value: { id: member.id, email: member.email, ...value }, text }
  }
}

function emailFlag({ flags }: Given): string {
  const email = emailOf(String(flags['email'] ?? ''))
  if (!email) throw new UsageError('--email must be an address such as anna@shop.uz')
  return email
}

function nameFlag({ flags }: Given): string {
  const name = String(flags['name'] ?? '').trim()
  if (!name || name.length > 200) throw new UsageError('--name is needed, up to 200 characters')
  return name
}

function roleOf(text: unknown): Role {
  if (!roles.includes(text as Role)) throw new UsageError(`the role must be one of ${roles.join(', ')}`)
  return text as Role
}
