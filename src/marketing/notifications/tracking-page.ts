// Tracked links and the tracking pixel of e-mails. A link redirects only to a target that is in the e-mail that was sent.

import type { Environment } from '../../base/database.ts'
import type { Shop } from '../../base/shop.ts'
import type { Vault } from '../../base/vault.ts'
import type { Page, PageReply } from '../../http/server.ts'
import { contentForDisplay } from './compose-message.ts'
import { linkTargets } from './tracked-links.ts'
import { recordClicked, recordOpened } from './notification-steps.ts'
import { type TrackedLink, readTrackingToken } from './link-tokens.ts'
import { findNotification } from './store.ts'
import { hasAllVariables } from '../templates/render.ts'
import { findVersions } from '../templates/store.ts'
import { invalidLinkPage, languageOf } from '../consents/unsubscribe-page.ts'

export const trackingPage = (
  shops: Record<Environment, Shop>,
  { vault, shopUrl }: { vault: Vault; shopUrl: string },
): Page => ({
  path: '/m/{token}',
  run: async ({ request, params }) => {
    const tracked = readTrackingToken(vault, params['token'] ?? '')
    if (!tracked) return invalidLinkPage(languageOf(request))
    const { db } = shops[tracked.environment]
    const { notificationId, link } = tracked
    const target = link === 0 ? undefined : await targetOf(shops[tracked.environment], tracked, shopUrl)
    if (link > 0 && target === undefined) return invalidLinkPage(languageOf(request))
    // A HEAD request, as link scanners send it, is no click.
    if (request.method === 'GET')
      await db.transaction((tx) =>
        link === 0 ? recordOpened(tx, notificationId) : recordClicked(tx, notificationId, link),
      )
    return target === undefined ? pixel : redirectTo(target)
  },
})

async function targetOf({ db }: Shop, tracked: TrackedLink, shopUrl: string): Promise<string | undefined> {
  const read = db.read()
  const notification = await findNotification(read, tracked.notificationId)
  if (!notification) return undefined
  const { templateId, templateVersion: version } = notification
  const [sent] = await findVersions(read, [{ templateId, version }])
  // Without the values of an erased client, links would be missing and the numbers of the others wrong.
  if (!hasAllVariables(sent!.texts, notification.variables)) return undefined
  const { html } = contentForDisplay(notification, sent!.texts, shopUrl)
  const target = linkTargets(html ?? '')[tracked.link - 1] ?? ''
  // Headers need the URL-encoded form.
  return URL.canParse(target) ? new URL(target).href : undefined
}

const redirectTo = (location: string): PageReply => ({
  status: 302,
  type: 'text/plain; charset=utf-8',
  body: '',
  headers: { location, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' },
})

/** A transparent 1×1 GIF. */
const pixel: PageReply = {
  type: 'image/gif',
  body: '',
  bytes: Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64'),
  headers: { 'cache-control': 'no-store, private' },
}
