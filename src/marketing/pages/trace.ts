// Links of mails that lead through us, and the picture that shows that a mail was opened. A link leads only to what
// stands in the mail that was sent.

import type { Environment } from '../../base/db.ts'
import type { Shop } from '../../base/shop.ts'
import type { Vault } from '../../base/vault.ts'
import type { Page, PageReply } from '../../http/server.ts'
import { shownContent } from '../notifications/compose.ts'
import { targetsIn } from '../notifications/links.ts'
import { noteClicked, noteOpened } from '../notifications/note-trace.ts'
import { type Trace, traceOf } from '../notifications/tokens.ts'
import { findNotification } from '../store/notifications.ts'
import { findVersions } from '../store/templates.ts'
import { deadLink, languageOf } from './unsubscribe.ts'

export const tracePage = (
  shops: Record<Environment, Shop>,
  { vault, shopUrl }: { vault: Vault; shopUrl: string },
): Page => ({
  path: '/m/{token}',
  run: async ({ request, params }) => {
    const trace = traceOf(vault, params['token'] ?? '')
    if (!trace) return deadLink(languageOf(request))
    const { db } = shops[trace.environment]
    const { notificationId, link } = trace
    const target = link === 0 ? undefined : await targetOf(shops[trace.environment], trace, shopUrl)
    if (link > 0 && target === undefined) return deadLink(languageOf(request))
    // Whoever only asks what is there, as some programs do, has followed nothing.
    if (request.method === 'GET')
      await db.transaction((tx) =>
        link === 0 ? noteOpened(tx, notificationId) : noteClicked(tx, notificationId, link),
      )
    return target === undefined ? picture : led(target)
  },
})

async function targetOf({ db }: Shop, trace: Trace, shopUrl: string): Promise<string | undefined> {
  const read = db.read()
  const notification = await findNotification(read, trace.notificationId)
  if (!notification) return undefined
  const { templateId, templateVersion: version } = notification
  const [sent] = await findVersions(read, [{ templateId, version }])
  const { html } = shownContent(notification, sent!.texts, shopUrl)
  const target = targetsIn(html ?? '')[trace.link - 1] ?? ''
  // People write letters of their own into addresses; a header holds them in the spelling of the web alone.
  return URL.canParse(target) ? new URL(target).href : undefined
}

const led = (location: string): PageReply => ({
  status: 302,
  type: 'text/plain; charset=utf-8',
  body: '',
  headers: { location, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' },
})

/** One invisible point, in a form that every mail program shows. */
const picture: PageReply = {
  type: 'image/gif',
  body: '',
  bytes: Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64'),
  headers: { 'cache-control': 'no-store, private' },
}
