import { html } from '../../http/docs-html.ts'
import type { PageReply } from '../../http/server.ts'
import { type Frame, page } from './layout.ts'

/** A page that only says something, such as why an application's request cannot be followed. */
export const messagePage = (it: Frame & { title: string; text: string }): PageReply =>
  page(it, it.title, html`<p class="lead">${it.text}</p>`)
