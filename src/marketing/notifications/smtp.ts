// Mails over SMTP. Lines to the server stay open for a while; every step of the talk has a limit.

import { createTransport } from 'nodemailer'
import { mailOf } from './mail.ts'
import { type Provider, type Reply, shortened, type Verdict } from './provider.ts'

export interface SmtpOptions {
  url: string
  from: string
  /** As many mails as can be under way. */
  lines: number
}

const connectMs = 10_000
/** A server may look at a mail for minutes before it takes it (RFC 5321 4.5.3.2); to hang up then would send it twice. */
const silenceMs = 300_000
const mailsPerLine = 100
const idleMs = 30_000

export function openSmtp({ url, from, lines }: SmtpOptions): Provider {
  const transport = createTransport({
    url,
    pool: true,
    maxConnections: lines,
    maxMessages: mailsPerLine,
    idleTimeout: idleMs,
    // Over a line that had died while it was idle, when not a byte of the mail was sent; all else is ours to decide.
    maxRequeues: 1,
    connectionTimeout: connectMs,
    greetingTimeout: connectMs,
    socketTimeout: silenceMs,
    dnsTimeout: connectMs,
    requireTLS: needsTls(new URL(url)),
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    send: async (message) => {
      try {
        return sent(await transport.sendMail(mailOf(message, from)))
      } catch (error) {
        return replyOf(error as SmtpError)
      }
    },
    close: () => transport.close({ force: true }),
  }
}

/** A password goes over the net encrypted or not at all. */
const needsTls = ({ username, hostname }: URL): boolean =>
  username !== '' && !/^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)

const sent = ({ response, messageId }: { response: string; messageId: string }): Reply => ({
  verdict: 'sent',
  isUnwell: false,
  status: Number(/^\d{3}/.exec(response)?.[0] ?? 250),
  reply: shortened(response),
  error: null,
  providerId: shortened(/queued as ([^\s>]+)/i.exec(response)?.[1] ?? messageId),
})

export interface SmtpError extends Error {
  code?: string
  command?: string
  response?: string
  responseCode?: number
}

/** What a failed talk means for the mail. */
export const replyOf = (error: SmtpError): Reply => ({
  verdict: verdictOf(error),
  isUnwell: !isAboutMail(error),
  status: error.responseCode ?? null,
  reply: error.response === undefined ? null : shortened(error.response),
  error: shortened(error.code ? `${error.code}: ${error.message}` : error.message),
  providerId: null,
})

/**
 * The server means this mail for good when it says 5xx to the recipient or to the mail itself. Whom we are, where we
 * come from and how we sign in is a matter of configuration: it is mended, and then the mail goes.
 */
const verdictOf = (error: SmtpError): Verdict =>
  isAboutMail(error) && error.responseCode! >= 500 ? 'refused' : 'failed'

const notSignedIn = [530, 534, 535, 538]
const tooLarge = 552

function isAboutMail({ code, command, responseCode = 0 }: SmtpError): boolean {
  if (responseCode === 0 || responseCode === 421 || notSignedIn.includes(responseCode)) return false
  if (command === 'MAIL FROM' && responseCode !== tooLarge) return false
  return code === 'EENVELOPE' || code === 'EMESSAGE'
}
