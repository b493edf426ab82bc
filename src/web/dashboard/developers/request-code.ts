// A call of the console as code: curl and the SDK.

export interface ConsoleCall {
  origin: string
  operation: string
  method: string
  /** With its parameters in braces, such as `/v1/orders/{id}`. */
  path: string
  params: Record<string, string>
  query: Record<string, string>
  body: string
}

export const keyPlaceholder = '$BOZOR_KEY'

/** The address with its parameters filled in. */
export function addressOf({ path, params, query }: Pick<ConsoleCall, 'path' | 'params' | 'query'>): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const search = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== '')).toString()
  return search ? `${filled}?${search}` : filled
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** The key stays a variable of the shell: code is copied into chats and tickets. */
export function curlOf(call: ConsoleCall): string {
  const lines = [
    `curl ${call.method === 'GET' ? '' : `-X ${call.method} `}${quoted(call.origin + addressOf(call))}`,
    `-H "Authorization: Bearer ${keyPlaceholder}"`,
    ...(call.body.trim() ? [`-H 'Content-Type: application/json'`, `-d ${quoted(call.body.trim())}`] : []),
  ]
  return lines.join(' \\\n  ')
}

export function sdkOf({ origin, operation, params, query, body }: ConsoleCall): string {
  const given = Object.entries({ ...params, ...query }).filter(([, value]) => value !== '')
  const fields = given.map(([name, value]) => `  ${name}: ${JSON.stringify(value)},`)
  const rest = body.trim() ? body.trim().replace(/^\{\s*|\s*\}$/g, '') : ''
  const input = [...fields, ...(rest ? [`  ${rest}`] : [])]
  return [
    `import { createBozor } from 'bozor/sdk'`,
    '',
    `const bozor = createBozor({ baseUrl: '${origin}', apiKey: BOZOR_KEY })`,
    `const reply = await bozor.${operation}(${input.length > 0 ? `{\n${input.join('\n')}\n}` : ''})`,
  ].join('\n')
}
