// Masks secrets and personal data in what the request log keeps.

const mask = '•••'

/** Names of fields whose values are never kept, compared without case, `_` and `-`. */
const secretName =
  /password|passphrase|secret|token|apikey|authorization|cookie|csrf|signature|verifier|otp|totp|recoverycode|^pin$|cardnumber|^pan$|^card$|cvc|cvv|expiry|phone|email|^login$|address|street|^contact$/

/** Values that are masked under any name: our own credentials, card numbers, e-mail addresses and telephone numbers. */
const secretValue =
  /[\w.+-]+(?:@|%40)[\w-]+\.[\w.-]+|(?:\+|\b)998(?:[ ()-]*\d){9}\b|\b(ak|at|rt|ac|cs|ms|bs|gs|inv|whsec|sk|m?pr)_(live_|test_)?[0-9A-Za-z+/=_-]{16,}|\b\d(?:[ -]?\d){12,18}\b/g

const plain = (name: string): string => name.toLowerCase().replaceAll(/[_-]/g, '')
const isSecretName = (name: string): boolean => secretName.test(plain(name))
/** In a request a `code` proves something; in a reply it names an error. */
const isSecretInRequest = (name: string): boolean => isSecretName(name) || plain(name) === 'code'

/** Calls about persons, whose names are as personal as their contacts. A product or a brand has a name too. */
const isAboutPersons = (path: string): boolean =>
  /^\/v1\/(?:auth|admin\/(?:clients|members|me|sessions))(?:\/|$)/.test(path)

/** Records of imports, contacts and template variables name persons in calls about other things. */
const isPerson = (fields: object, name: string | null): boolean =>
  ('record' in fields && fields.record === 'client') || (name !== null && /^(?:client|recipient)$/.test(name))

/** How a body is masked: which names are secret, and whether `name` is the name of a person. */
interface Masking {
  isSecret: (name: string) => boolean
  hasNames: boolean
}

export const maskRequest = (value: unknown, url = ''): unknown =>
  maskJson(value, { isSecret: isSecretInRequest, hasNames: isAboutPersons(pathOf(url)) }, null)
export const maskReply = (value: unknown, url = ''): unknown =>
  maskJson(value, { isSecret: isSecretName, hasNames: isAboutPersons(pathOf(url)) }, null)

/** `/global/v1` is the same API. */
const pathOf = (url: string): string => url.split('?', 1)[0]!.replace(/^\/global(?=\/v1\/)/, '')

const maskText = (text: string): string => text.replaceAll(secretValue, mask)

function maskJson(value: unknown, masking: Masking, field: string | null): unknown {
  if (typeof value === 'string') return maskText(value)
  if (Array.isArray(value)) return value.map((it) => maskJson(it, masking, field))
  if (typeof value !== 'object' || value === null) return value
  const hasName = masking.hasNames || isPerson(value, field)
  const isMasked = (name: string) => masking.isSecret(name) || (hasName && plain(name) === 'name')
  return Object.fromEntries(
    Object.entries(value).map(([name, it]) => [
      name,
      isMasked(name) && it !== null ? mask : maskJson(it, masking, plain(name)),
    ]),
  )
}

/** The text of a parameter; as it is when it is not well-formed. */
function decoded(value: string): string {
  try {
    return decodeURIComponent(value.replaceAll('+', ' '))
  } catch {
    return value
  }
}

const maskValue = (value: string): string =>
  maskText(decoded(value)) === decoded(value) && maskText(value) === value ? value : mask

/** Searches for persons. */
const findsPersons = (path: string): boolean => pathOf(path) === '/v1/admin/clients'

/** The path and the query, with masked values of parameters. */
export function maskUrl(url: string): string {
  const [path = '', query] = url.split('?', 2)
  if (query === undefined) return maskText(path)
  const parameters = query.split('&').map((it) => {
    const [name = '', value] = it.split('=', 2)
    const isMasked = isSecretInRequest(name) || (name === 'q' && findsPersons(path))
    return value === undefined ? name : `${name}=${isMasked ? mask : maskValue(value)}`
  })
  return `${maskText(path)}?${parameters.join('&')}`
}
