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
  recordCommand,
  type Role,
  roles,
  setMemberPassword,
} from '../identity/index.ts'
import { atDesk, type Command, type Given, table, UsageError, type World } from './command.ts'

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
    const { value, text } = await atDesk(world, `member ${what}`, ({ db }) =>
      deed({ db: db.live, world, given, words }),
    )
    world.print(given.flags['json'] ? JSON.stringify(value) : text)
    return 0
  },
}

interface Desk {
  db: Database
  world: World
  given: Given
  words: string[]
}
interface Said {
  value: object
  text: string
}

const deeds: Record<string, (desk: Desk) => Promise<Said>> = {
  create: async ({ db, given }) => {
    const [email, name, role] = [emailFlag(given), nameFlag(given), roleOf(given.flags['role'] ?? 'owner')]
    const password = newPassword()
    const passwordHash = await new Passwords().hash(password)
    const member = await noted(db, 'member create', (tx) =>
      createMember(tx, { email, name, role, passwordHash }),
    )
    return {
      value: { id: member.id, email, name, role, password },
      text: `${table([
        ['e-mail', email],
        ['password', password],
        ['role', role],
      ])}\n\nKeep the password: it is not shown again.`,
    }
  },
  invite: async ({ db, given, world }) => {
    const [email, role] = [emailFlag(given), roleOf(given.flags['role'] ?? 'analyst')]
    const { invitation, token } = await noted(db, 'member invite', (tx) =>
      inviteMember(tx, { email, role, actorId: null }),
    )
    const origin = world.config.publicUrl ?? `http://127.0.0.1:${world.config.port}`
    const link = joinLink(origin, token)
    const until = invitation.expiresAt.toISOString()
    return {
      value: { id: invitation.id, email, role, token, link, expires_at: until },
      text: `${link}\n\nSend it to ${email}: it works once, until ${until}, and is not shown again.`,
    }
  },
  list: async ({ db }) => {
    const everyone = { page: 1, perPage: 1_000, sort: 'created_at', cursor: undefined }
    const { rows } = await listMembers(db.read(), {}, everyone)
    const lines = rows.map((it) => [it.email, it.role, it.state, it.name])
    return {
      value: rows,
      text:
        rows.length > 0 ? table([['e-mail', 'role', 'state', 'name'], ...lines]) : 'There are no members.',
    }
  },
  role: async ({ db, words: [email, role] }) => {
    const wanted = roleOf(role)
    const { id } = await memberOf(db, email)
    const changes = { role: wanted }
    await noted(db, 'member role', (tx) => changeMember(tx, id, { changes, actorId: null }))
    return { value: { id, email, role: wanted }, text: `${email} is now ${wanted}.` }
  },
  remove: async ({ db, words: [email] }) => {
    const { id } = await memberOf(db, email)
    await noted(db, 'member remove', (tx) => deactivateMember(tx, id, null))
    return { value: { id, email, state: 'deactivated' }, text: `${email} may no longer enter.` }
  },
  restore: async ({ db, words: [email] }) => {
    const { id } = await memberOf(db, email)
    await noted(db, 'member restore', (tx) => reactivateMember(tx, id, null))
    return { value: { id, email, state: 'active' }, text: `${email} may enter again.` }
  },
  'reset-password': async ({ db, words: [email] }) => {
    const { id } = await memberOf(db, email)
    const password = newPassword()
    const passwordHash = await new Passwords().hash(password)
    await noted(db, 'member reset-password', (tx) =>
      setMemberPassword(tx, id, { passwordHash, sparedSession: null }),
    )
    return { value: { id, email, password }, text: `${password}\n\nKeep it: it is not shown again.` }
  },
}

/** Does it and writes down that it was done at this machine. */
const noted = <T>(db: Database, command: string, work: (tx: Tx) => Promise<T>): Promise<T> =>
  db.transaction(async (tx) => {
    const done = await work(tx)
    recordCommand(tx, command)
    return done
  })

async function memberOf(db: Database, email: string | undefined) {
  if (!email) throw new UsageError('name the member by the e-mail address (see "member list")')
  const member = await findMemberByEmail(db.read(), email)
  if (!member) throw new UsageError(`there is no member ${email} (see "member list")`)
  return member
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
