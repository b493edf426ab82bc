// A real SMTP server that stores what it accepts, replies as configured, and parses mails.

import type { AddressInfo } from 'node:net'
import { after } from 'node:test'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

export interface Mail {
  from: string
  to: string[]
  /** The bytes as received. */
  raw: string
  /** Unfolded and decoded; values of a repeated header are joined by a line feed. */
  headers: Record<string, string>
  text: string
  html: string | undefined
}

/** Overrides the reply; `drop` closes the connection. */
export type Answer = { code: number; text: string } | 'drop' | undefined
type ReplyHandler<Given> = (given: Given) => Answer | Promise<Answer>

export interface Answers {
  connect?: ReplyHandler<void>
  sender?: ReplyHandler<string>
  recipient?: ReplyHandler<string>
  /** Called when the first bytes of a mail arrive. */
  begin?: ReplyHandler<void>
  mail?: ReplyHandler<Mail>
}

export interface MailServer {
  url: string
  port: number
  /** Mails that arrived completely, accepted or not. */
  mails: Mail[]
  /** The number of connections so far. */
  opened(): number
  answer(how: Answers): void
  close(): Promise<void>
}

export async function openMailServer(
  options: { port?: number; smtp?: SMTPServerOptions } = {},
): Promise<MailServer> {
  const mails: Mail[] = []
  let how: Answers = {}
  let opened = 0
  const drop = () => {
    for (const line of server.connections)
      (line as unknown as { _socket: { destroy(): void } })._socket.destroy()
  }
  const say = async (answer: Answer | Promise<Answer>, done: (error?: Error) => void): Promise<void> => {
    const said = await answer
    if (said === 'drop') return drop()
    done(said && Object.assign(new Error(said.text), { responseCode: said.code }))
  }
  const server: SMTPServer = new SMTPServer({
    authOptional: true,
    disabledCommands: options.smtp ? [] : ['STARTTLS'],
    logger: false,
    onConnect: (_session, done) => {
      opened++
      void say(how.connect?.(), done)
    },
    onMailFrom: ({ address }, _session, done) => void say(how.sender?.(address), done),
    onRcptTo: ({ address }, _session, done) => void say(how.recipient?.(address), done),
    onData: (stream, { envelope }, done) => {
      const pieces: Buffer[] = []
      stream.on('data', (piece: Buffer) => pieces.push(piece))
      stream.once('data', () => void say(how.begin?.(), () => {}))
      stream.on('end', () => {
        const from = envelope.mailFrom ? envelope.mailFrom.address : ''
        const mail = {
          from,
          to: envelope.rcptTo.map((it) => it.address),
          ...mailOf(Buffer.concat(pieces).toString('latin1')),
        }
        mails.push(mail)
        void say(how.mail?.(mail), done)
      })
    },
    ...options.smtp,
  })
  server.on('error', () => {})
  await new Promise<void>((ready) => server.listen(options.port ?? 0, '127.0.0.1', ready))
  const close = async () => {
    drop()
    await new Promise<void>((done) => server.close(() => done()))
  }
  after(close)
  const { port } = server.server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${port}`,
    port,
    mails,
    opened: () => opened,
    answer: (next) => (how = next),
    close,
  }
}

interface Entity {
  headers: Record<string, string>
  body: string
}

function entityOf(raw: string): Entity {
  const end = raw.indexOf('\r\n\r\n')
  const lines = raw
    .slice(0, end)
    .replaceAll(/\r\n[ \t]+/g, ' ')
    .split('\r\n')
  const headers: Record<string, string> = {}
  for (const line of lines) {
    const [, name = '', value = ''] = /^([^:]+):\s*(.*)$/.exec(line) ?? []
    const key = name.toLowerCase()
    headers[key] = key in headers ? `${headers[key]}\n${wordsOf(value)}` : wordsOf(value)
  }
  return { headers, body: raw.slice(end + 4) }
}

function mailOf(raw: string): Pick<Mail, 'raw' | 'headers' | 'text' | 'html'> {
  const whole = entityOf(raw)
  const parts = leavesOf(whole)
  const find = (type: string) => parts.find((it) => it.headers['content-type']?.startsWith(type))
  const html = find('text/html')
  return {
    raw,
    headers: whole.headers,
    text: contentOf(find('text/plain') ?? whole),
    html: html && contentOf(html),
  }
}

function leavesOf(entity: Entity): Entity[] {
  const boundary = /boundary="?([^";]+)"?/.exec(entity.headers['content-type'] ?? '')?.[1]
  if (boundary === undefined) return [entity]
  return entity.body
    .split(`--${boundary}`)
    .slice(1, -1)
    .flatMap((it) => leavesOf(entityOf(it.replace(/^\r\n/, ''))))
}

function contentOf({ headers, body }: Entity): string {
  const encoding = headers['content-transfer-encoding']
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString()
  if (encoding === 'quoted-printable') return unquoted(body.replaceAll(/=\r\n/g, ''))
  return Buffer.from(body, 'latin1').toString()
}

const unquoted = (text: string): string =>
  Buffer.from(
    text.replaceAll(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString()

/** Decodes encoded words (RFC 2047). */
const wordsOf = (text: string): string =>
  text
    .replaceAll(/\?=\s+=\?/g, '?==?')
    .replaceAll(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_, kind: string, word: string) =>
      kind.toLowerCase() === 'b'
        ? Buffer.from(word, 'base64').toString()
        : unquoted(word.replaceAll('_', ' ')),
    )
