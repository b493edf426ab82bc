// Messages about lost passwords. A notification stores the id of the request; the link with the token is built when
// the message is sent, so that no stored text opens an account (ADR 0043).

import type { Environment, Tx } from '../../base/database.ts'
import { type Reaction, reaction } from '../../base/outbox.ts'
import type { Vault } from '../../base/vault.ts'
import { type Language, languages } from '../../http/language.ts'
import {
  clientResetToken,
  memberResetPath,
  memberResetToken,
  openMemberReset,
  openReset,
  resetPath,
} from '../../identity/index.ts'
import { languagesOf } from '../consents/store.ts'
import { templatesBySlug } from '../templates/store.ts'
import { type Channel, variablesOf } from '../templates/template.ts'
import { builtInTemplates } from '../templates/templates.ts'
import type { Variables } from '../templates/variables.ts'
import { memberKeyPrefix } from './notification.ts'
import { notify } from './notify.ts'

const memberPrefix = 'mrst_'
const group = 'password_reset'

export const passwordReactions = (vault: Vault): Reaction[] => [
  reaction('marketing.send-password-reset', 'PasswordResetRequested', async (tx, { event }) => {
    const { resetId, clientId, channel, expiresAt } = event
    if (channel !== 'email' && channel !== 'sms') return
    if (!(await canSend(tx, 'password-reset', channel))) return
    if (!(await openReset(tx, resetId, clientResetToken(vault, tx.environment, resetId)))) return
    const chosen = (await languagesOf(tx, [clientId])).get(clientId)
    await notify(tx, {
      to: { clientId },
      channel,
      category: 'transactional',
      template: 'password-reset',
      language: chosen ?? languageNamed(event.language),
      key: `password-reset/${resetId}`,
      variables: { [group]: { id: resetId, expires_at: expiresAt } },
    })
  }),
  reaction('marketing.send-member-password-reset', 'MemberPasswordResetRequested', async (tx, { event }) => {
    const { resetId, expiresAt } = event
    if (!(await canSend(tx, 'member-password-reset', 'email'))) return
    const member = await openMemberReset(tx, resetId, memberResetToken(vault, resetId))
    if (!member) return
    await notify(tx, {
      to: { address: member.email },
      channel: 'email',
      category: 'transactional',
      template: 'member-password-reset',
      language: languageNamed(event.language),
      key: `${memberKeyPrefix}${resetId}`,
      variables: { client: { name: member.name }, [group]: { id: resetId, expires_at: expiresAt } },
    })
  }),
]

/** A template that is older than these messages may need variables that they do not have. */
async function canSend(
  tx: Tx,
  slug: 'password-reset' | 'member-password-reset',
  channel: Channel,
): Promise<boolean> {
  const template = (await templatesBySlug(tx, [slug])).find((it) => it.channel === channel)
  const given: readonly string[] = builtInTemplates[slug]
  return template?.isActive === true && variablesOf(template.texts).every((it) => given.includes(it))
}

const languageNamed = (name: string): Language | undefined => languages.find((it) => it === name)

const textAt = (variables: Variables, name: string): string | undefined => {
  const value = variables[group]?.[name]
  return typeof value === 'string' ? value : undefined
}

/** The link with the token, for the message; null in messages about other things. */
export function resetUrl(
  { environment, vault, shopUrl }: { environment: Environment; vault: Vault; shopUrl: string },
  variables: Variables,
): string | null {
  const id = textAt(variables, 'id')
  if (id === undefined) return null
  return id.startsWith(memberPrefix)
    ? `${shopUrl}${memberResetPath}#${memberResetToken(vault, id)}`
    : `${shopUrl}${resetPath}#${clientResetToken(vault, environment, id)}`
}

/** The link without the token, for people who look at messages. */
export function shownResetUrl(shopUrl: string, variables: Variables): string | null {
  const id = textAt(variables, 'id')
  return id === undefined ? null : `${shopUrl}${id.startsWith(memberPrefix) ? memberResetPath : resetPath}`
}

/** A message that waited for a provider for longer than its link works is useless. */
export function hasExpiredLink(variables: Variables, now: Date): boolean {
  const expiresAt = textAt(variables, 'expires_at')
  return expiresAt !== undefined && new Date(expiresAt) <= now
}
