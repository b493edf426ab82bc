const placeholderOrigin = 'http://here.invalid'
const maxReturnPathLength = 4_000

/** The path to return to after sign-in. Only paths of this server are accepted, so that no link redirects elsewhere. */
export function returnPathOf({ return_to: given }: { return_to?: unknown }): string | undefined {
  if (typeof given !== 'string' || !given.startsWith('/') || given.length > maxReturnPathLength)
    return undefined
  const url = URL.canParse(given, placeholderOrigin) ? new URL(given, placeholderOrigin) : undefined
  if (url?.origin !== placeholderOrigin) return undefined
  // Resolving `/.//evil.example` gives `//evil.example`, which browsers take for another host.
  const path = `${url.pathname}${url.search}`
  return /^\/[/\\]/.test(path) ? undefined : path
}
