// E-mail over SMTP, with a pool of connections and a timeout for every step.

import type { SendMailOptions } from 'nodemailer'
import { type Provider, type ProviderReply, truncated, type Verdict, type Message } from './provider.ts'
import { senderOf } from './shop-frame.ts'
import { oneLine } from '../templates/render.ts'

export interface SmtpOptions {
  url: string
  from: string
  /** Maximum concurrent connections. */
  connections: number
}

const connectMs = 10_000
/** A server may check a mail for minutes before it accepts it (RFC 5321 4.5.3.2); an earlier timeout would send it twice. */
const socketTimeoutMs = 300_000
const mailsPerConnection = 100
const idleMs = 30_000

/** The library is loaded by the first mail: most processes send none. */
export function openSmtp({ from, ...options }: SmtpOptions): Provider {
  let opened: ReturnType<typeof openTransport> | undefined
  return {
    send: async (message) => {
      opened ??= openTransport(options)
      const transport = await opened
      try {
        return sentReply(await transport.sendMail(mailOf(message, from)))
      } catch (error) {
        return failedReply(error as SmtpError)
      }
    },
    close: () => void opened?.then((it) => it.close({ force: true })),
  }
}

async function openTransport({ url, connections }: Omit<SmtpOptions, 'from'>) {
  const { createTransport } = await import('nodemailer')
  return createTransport({
    url,
    pool: true,
    maxConnections: connections,
    maxMessages: mailsPerConnection,
    idleTimeout: idleMs,
    // Covers only connections that died while idle, before a byte of the mail was sent; other retries are ours.
    maxRequeues: 1,
    connectionTimeout: connectMs,
    greetingTimeout: connectMs,
    socketTimeout: socketTimeoutMs,
    dnsTimeout: connectMs,
    requireTLS: needsTls(new URL(url)),
    disableFileAccess: true,
    disableUrlAccess: true,
  })
}

/** Passwords are sent encrypted, except to this machine. */
const needsTls = ({ username, hostname }: URL): boolean =>
  username !== '' && !/^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)

const sentReply = ({ response, messageId }: { response: string; messageId: string }): ProviderReply => ({
  verdict: 'sent',
  isProviderFailing: false,
  status: Number(/^\d{3}/.exec(response)?.[0] ?? 250),
  reply: truncated(response),
  error: null,
  providerId: truncated(/queued as ([^\s>]+)/i.exec(response)?.[1] ?? messageId),
})

export interface SmtpError extends Error {
  code?: string
  command?: string
  response?: string
  responseCode?: number
}

export const failedReply = (error: SmtpError): ProviderReply => ({
  verdict: verdictOf(error),
  isProviderFailing: !isAboutMail(error),
  status: error.responseCode ?? null,
  reply: error.response === undefined ? null : truncated(error.response),
  error: truncated(error.code ? `${error.code}: ${error.message}` : error.message),
  providerId: null,
})

/**
 * 5xx to the recipient or to the mail itself is permanent. Errors about our sender, origin or sign-in are configuration:
 * once fixed, the mail can be sent.
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

export function mailOf(message: Message, from: string): SendMailOptions {
  const { id, category, name, content, unsubscribeUrl } = message
  const [address = ''] = message.to
  return {
    from: senderOf(from, message.shopName),
    to: { name: oneLine(name ?? ''), address },
    subject: content.subject ?? '',
    text: content.text,
    ...(content.html !== null && { html: content.html }),
    messageId: `<${id}@${domainOf(from)}>`,
    headers: {
      'Content-Language': content.language,
      'Auto-Submitted': 'auto-generated',
      'X-Notification-Category': category,
      // RFC 8058: one-click unsubscribe in the mail program.
      ...(unsubscribeUrl !== null && {
        'List-Unsubscribe': `<${unsubscribeUrl}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      }),
      ...(category === 'marketing' && { Precedence: 'bulk' }),
    },
  }
}

const domainOf = (from: string): string => from.replace(/^.*@/, '').replace(/>$/, '')
