// From a record to a message: the text as its version had it, with the links that only we can make.

import type { Environment } from '../../base/db.ts'
import type { Vault } from '../../base/vault.ts'
import { type Rendered, renderTemplate } from '../templates/render.ts'
import type { Texts } from '../templates/template.ts'
import { tracked } from './links.ts'
import type { Notification } from './notification.ts'
import { farewellToken, traceToken } from './tokens.ts'

export interface Press {
  environment: Environment
  vault: Vault
  /** Scheme and host under which buyers know us. */
  shopUrl: string
}

export type Composed = { content: Rendered; unsubscribeUrl: string | null }
type Written = Pick<Notification, 'id' | 'category' | 'language' | 'variables'>

/** A message as it goes out. Links of marketing are led through us; what somebody waits for is left alone. */
export function composed(
  press: Press,
  notification: Written & { consentId: string | null },
  texts: Texts,
): Composed {
  const { environment, vault, shopUrl } = press
  const { id: notificationId, category, consentId } = notification
  const unsubscribeUrl =
    category === 'marketing' && consentId !== null
      ? `${shopUrl}/u/${farewellToken(vault, { environment, consentId })}`
      : null
  const content = contentOf(notification, texts, { shopUrl, unsubscribeUrl })
  if (category !== 'marketing' || content.html === null) return { content, unsubscribeUrl }
  const traceTo = (link: number) => `${shopUrl}/m/${traceToken(vault, { environment, notificationId, link })}`
  const html = tracked(content.html, { linkTo: traceTo, picture: traceTo(0), except: unsubscribeUrl })
  return { content: { ...content, html }, unsubscribeUrl }
}

/** The text of a notification as it went out, but for the links that are its reader's own. */
export const shownContent = (notification: Written, texts: Texts, shopUrl: string): Rendered =>
  contentOf(notification, texts, {
    shopUrl,
    unsubscribeUrl: notification.category === 'marketing' ? `${shopUrl}/u/…` : null,
  })

const contentOf = (
  { language, variables }: Written,
  texts: Texts,
  { shopUrl, unsubscribeUrl }: { shopUrl: string; unsubscribeUrl: string | null },
): Rendered =>
  renderTemplate(texts, {
    language,
    variables: { ...variables, shop: { url: shopUrl }, unsubscribe: { url: unsubscribeUrl } },
  })
