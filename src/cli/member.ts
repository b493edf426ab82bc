import type { Database, Tx } from '../base/database.ts'
import {
  changeMember,
  createMember,
  deactivateMember,
  emailOf,
  findMemberByEmail,
  inviteMember,
  joinLink,
  listMembers,
  generatePassword,
  Passwords,
  reactivateMember,
  type Role,
  roles,
  setMemberPassword,
} from '../identity/index.ts'
import {
  type Command,
  type CommandArguments,
  table,
  CommandError,
  UsageError,
  type CommandContext,
} from './command.ts'
import { withStorage, audited } from './storage.ts'
import { serverOrigin } from './server-address.ts'

export const memberCommand: Command = {
  usage: 'create|invite --email EMAIL … | list | role EMAIL ROLE | remove|restore|reset-password EMAIL',
  help: `Members are the people who run the shop, in both environments. A running server applies changes within a second.

  create --email EMAIL --name NAME [--role ROLE]  creates a member; the password is shown once (default role owner)
  invite --email EMAIL [--role ROLE]              creates a link valid for a week, shown once (default role analyst)
  list                                            lists all members
  role EMAIL ROLE                                 changes the role; the last owner cannot be demoted
  remove EMAIL                                    deactivates a member and ends the sessions
  restore EMAIL                                   reactivates a member
  reset-password EMAIL                            sets a new password, shown once; the sessions end
  --json                                          print JSON

Roles: ${roles.join(', ')}

  npm run bozor -- member create --email anna@shop.uz --name Anna`,
  actions: ['create', 'invite', 'list', 'role', 'remove', 'restore', 'reset-password'],
  options: {
    email: { type: 'string' },
    name: { type: 'string' },
    role: { type: 'string' },
    json: { type: 'boolean' },
  },
  async run(context, args) {
    const [name = '', ...words] = args.positionals
    const action = Object.hasOwn(actions, name) ? actions[name] : undefined
    if (!action)
      throw new UsageError(`use "member ${Object.keys(actions).join('", "member ')}"; see "help member"`)
    const work = action({ context, args, words })
    const { value, text } = await withStorage(context, `member ${name}`, ({ db }) => work(db.live))
    context.print(args.flags['json'] ? JSON.stringify(value) : text)
    return 0
  },
}

interface ActionInput {
  context: CommandContext
  args: CommandArguments
  words: string[]
}
interface ActionResult {
  value: object
  text: string
}

/** Each action validates its arguments before the storage is opened. */
const actions: Record<string, (input: ActionInput) => (db: Database) => Promise<ActionResult>> = {
  create: ({ args }) => create(emailFlag(args), nameFlag(args), roleOf(args.flags['role'] ?? 'owner')),
  invite: ({ args, context }) => invite(context, emailFlag(args), roleOf(args.flags['role'] ?? 'analyst')),
  list: () => listAll,
  role: ({ words: [email, role] }) => {
    const changes = { role: roleOf(role) }
    return forMember(email, 'role', async (tx, id) => {
      await changeMember(tx, id, { changes, actorId: null })
      return { value: changes, text: `${email} is now ${changes.role}.` }
    })
  },
  remove: ({ words: [email] }) =>
    forMember(email, 'remove', async (tx, id) => {
      const { state } = await deactivateMember(tx, id, null)
      return { value: { state }, text: `${email} is deactivated.` }
    }),
  restore: ({ words: [email] }) =>
    forMember(email, 'restore', async (tx, id) => {
      const { state } = await reactivateMember(tx, id, null)
      return { value: { state }, text: `${email} is active again.` }
    }),
  'reset-password': ({ words: [email] }) =>
    forMember(email, 'reset-password', async (tx, id) => {
      const password = generatePassword()
      const passwordHash = await new Passwords().hash(password)
      await setMemberPassword(tx, id, { passwordHash, sparedSession: null })
      return { value: { password }, text: `${password}\n\nStore it now: it is not shown again.` }
    }),
}

const create = (email: string, name: string, role: Role) => async (db: Database) => {
  const password = generatePassword()
  const passwordHash = await new Passwords().hash(password)
  const { id } = await audited(db, 'member create', (tx) =>
    createMember(tx, { email, name, role, passwordHash }),
  )
  const lines = table([
    ['e-mail', email],
    ['password', password],
    ['role', role],
  ])
  return {
    value: { id, email, name, role, password },
    text: `${lines}\n\nStore the password now: it is not shown again.`,
  }
}

const invite =
  ({ config }: CommandContext, email: string, role: Role) =>
  async (db: Database) => {
    const input = { email, role, actorId: null }
    const { invitation, token } = await audited(db, 'member invite', (tx) => inviteMember(tx, input))
    const link = joinLink(serverOrigin(config), token)
    const until = invitation.expiresAt.toISOString()
    return {
      value: { id: invitation.id, email, role, token, link, expires_at: until },
      text: `${link}\n\nSend it to ${email}: it works once, until ${until}, and is not shown again.`,
    }
  }

async function listAll(db: Database): Promise<ActionResult> {
  const everyone = { page: 1, perPage: 1_000, sort: 'created_at', cursor: undefined }
  const { rows } = await listMembers(db.read(), {}, everyone)
  const lines = rows.map((it) => [it.email, it.role, it.state, it.name])
  const text =
    rows.length > 0 ? table([['e-mail', 'role', 'state', 'name'], ...lines]) : 'There are no members.'
  return { value: rows, text }
}

/** Runs a change of the member with this e-mail address. */
function forMember(
  email: string | undefined,
  what: string,
  work: (tx: Tx, memberId: string) => Promise<ActionResult>,
): (db: Database) => Promise<ActionResult> {
  if (!email) throw new UsageError('name the member by the e-mail address (see "member list")')
  return async (db) => {
    const member = await findMemberByEmail(db.read(), email)
    if (!member) throw new CommandError(`there is no member ${email} (see "member list")`, 'not_found')
    const { value, text } = await audited(db, `member ${what}`, (tx) => work(tx, member.id))
    return { value: { id: member.id, email: member.email, ...value }, text }
  }
}

function emailFlag({ flags }: CommandArguments): string {
  const email = emailOf(String(flags['email'] ?? ''))
  if (!email) throw new UsageError('--email must be an e-mail address, for example anna@shop.uz')
  return email
}

function nameFlag({ flags }: CommandArguments): string {
  const name = String(flags['name'] ?? '').trim()
  if (!name || name.length > 200) throw new UsageError('--name is required, up to 200 characters')
  return name
}

function roleOf(text: unknown): Role {
  if (!roles.includes(text as Role)) throw new UsageError(`the role must be one of ${roles.join(', ')}`)
  return text as Role
}
