// The head of a mail: logo and name of the shop on its colour.

import type { ShopProfile } from '../../catalog/index.ts'
import { Html, html } from '../../http/html.ts'
import { oneLine } from '../templates/render.ts'

const plainColour = '#0b6b63'

/** A shop without a name and a logo sends the text of the template alone. */
export function inShopFrame(
  content: string,
  { profile, shopUrl }: { profile: ShopProfile; shopUrl: string },
): string {
  const { name, logoPath, colour } = profile
  if (name === null && logoPath === null) return content
  const logo =
    logoPath !== null &&
    html`<img src="${shopUrl}${logoPath}" alt="" height="32" style="vertical-align:middle" />`
  // Mail programs support inline styles and tables only.
  return html`<table
    role="presentation"
    width="100%"
    cellpadding="0"
    cellspacing="0"
    style="max-width:600px;margin:0 auto;font-family:sans-serif"
  >
    <tr>
      <td
        style="background:${colour ?? plainColour};color:#ffffff;padding:16px 24px;font-size:20px;font-weight:bold"
      >
        ${logo} ${name}
      </td>
    </tr>
    <tr>
      <td style="padding:24px">${new Html(content)}</td>
    </tr>
  </table>`.text
}

/** The sender of mails: the shop's name with the configured address. */
export const senderOf = (from: string, name: string | null) =>
  name === null ? from : { name: oneLine(name), address: from.replace(/^.*</, '').replace(/>$/, '') }
