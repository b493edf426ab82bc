// Builds the message of a notification: the rendered template version, with unsubscribe and tracking links.

import type { Environment } from '../../base/database.ts'
import type { Vault } from '../../base/vault.ts'
import type { ShopProfile } from '../../catalog/index.ts'
import { type Rendered, renderKnown, renderTemplate } from '../templates/render.ts'
import type { Texts } from '../templates/template.ts'
import type { Variables } from '../templates/variables.ts'
import { inShopFrame } from './shop-frame.ts'
import { withTracking } from './tracked-links.ts'
import type { Notification } from './notification.ts'
import { resetUrl, shownResetUrl } from './password-messages.ts'
import { unsubscribeToken, trackingToken } from './link-tokens.ts'
import type { Config } from '../../base/config.ts'

export interface MessageContext {
  environment: Environment
  vault: Vault
  /** Scheme and host of the shop, as buyers see it. */
  shopUrl: string
}

export type ComposedMessage = { content: Rendered; unsubscribeUrl: string | null }
type MessageSource = Pick<Notification, 'id' | 'category' | 'language' | 'variables'>

/** The message as it is sent. Only links of marketing messages are tracked. */
export function composeMessage(
  context: MessageContext,
  notification: MessageSource & { consentId: string | null },
  { texts, profile }: { texts: Texts; profile: ShopProfile },
): ComposedMessage {
  const { environment, vault, shopUrl } = context
  const { id: notificationId, category, consentId } = notification
  const unsubscribeUrl =
    category === 'marketing' && consentId !== null
      ? `${shopUrl}/u/${unsubscribeToken(vault, { environment, consentId })}`
      : null
  const { language, variables } = notification
  const passwordResetUrl = resetUrl(context, variables)
  const content = renderTemplate(texts, {
    language,
    variables: withUrls(variables, { shopUrl, unsubscribeUrl, passwordResetUrl }),
  })
  if (content.html === null) return { content, unsubscribeUrl }
  const framed = { ...content, html: inShopFrame(content.html, { profile, shopUrl }) }
  if (category !== 'marketing') return { content: framed, unsubscribeUrl }
  const trackedUrl = (link: number) =>
    `${shopUrl}/m/${trackingToken(vault, { environment, notificationId, link })}`
  const html = withTracking(content.html, {
    linkTo: trackedUrl,
    pixelUrl: trackedUrl(0),
    except: unsubscribeUrl,
  })
  return { content: { ...content, html: inShopFrame(html, { profile, shopUrl }) }, unsubscribeUrl }
}

/** The text of a notification as it was sent, without the personal links and, for an erased client, without values. */
export const contentForDisplay = (notification: MessageSource, texts: Texts, shopUrl: string): Rendered =>
  renderKnown(texts, {
    language: notification.language,
    variables: withUrls(notification.variables, {
      shopUrl,
      unsubscribeUrl: notification.category === 'marketing' ? `${shopUrl}/u/…` : null,
      passwordResetUrl: shownResetUrl(shopUrl, notification.variables),
    }),
  })

const withUrls = (
  variables: Variables,
  urls: { shopUrl: string; unsubscribeUrl: string | null; passwordResetUrl: string | null },
): Variables => ({
  ...variables,
  shop: { url: urls.shopUrl },
  unsubscribe: { url: urls.unsubscribeUrl },
  password_reset: { url: urls.passwordResetUrl },
})

/** The public address of the shop; links in messages begin with it. */
export const shopUrlOf = ({
  publicUrl,
  tlsCert,
  port,
}: Pick<Config, 'publicUrl' | 'tlsCert' | 'port'>): string =>
  publicUrl ?? `${tlsCert === undefined ? 'http' : 'https'}://localhost:${port}`
