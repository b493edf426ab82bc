// The storefront's cookies. Scripts can read only the theme; other sites cannot send them with a form (SameSite=Lax).

export const cookieNames = {
  /** The id of the visitor: the guest's session id, and the buyer of recommendations. */
  visitor: 'shop_visitor',
  /** The tokens of a signed-in client, sealed. */
  client: 'shop_client',
  /** State and verifier of a sign-in that has begun, sealed. */
  signIn: 'shop_sign_in',
  /** A message for the next page. */
  note: 'shop_note',
  /** What was typed into the checkout, sealed. */
  draft: 'shop_draft',
  language: 'shop_language',
  /** `light` or `dark`, set by the script when the visitor chooses one. */
  theme: 'shop_theme',
} as const

export type CookieName = keyof typeof cookieNames

export function cookiesOf(header: string | string[] | undefined): Map<string, string> {
  const found = new Map<string, string>()
  for (const pair of String(header ?? '').split(';')) {
    const at = pair.indexOf('=')
    if (at > 0) found.set(pair.slice(0, at).trim(), pair.slice(at + 1).trim())
  }
  return found
}

/** An empty value deletes the cookie. */
export function setCookie(
  origin: string,
  name: CookieName,
  { value, seconds }: { value: string; seconds: number },
): string {
  const secure = origin.startsWith('https:') ? '; Secure' : ''
  const lifetime = value === '' ? 0 : seconds
  return `${cookieNames[name]}=${value}; Path=/shop; Max-Age=${lifetime}; HttpOnly; SameSite=Lax${secure}`
}
