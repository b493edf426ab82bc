// A mail as it leaves us: who, to whom, what, and how to be rid of us.

import type { SendMailOptions } from 'nodemailer'
import { oneLine } from '../templates/render.ts'
import type { Message } from './provider.ts'

export function mailOf(message: Message, from: string): SendMailOptions {
  const { id, category, name, content, unsubscribeUrl } = message
  const [address = ''] = message.to
  return {
    from,
    to: { name: oneLine(name ?? ''), address },
    subject: content.subject ?? '',
    text: content.text,
    ...(content.html !== null && { html: content.html }),
    messageId: `<${id}@${domainOf(from)}>`,
    headers: {
      'Content-Language': content.language,
      'Auto-Submitted': 'auto-generated',
      'X-Notification-Category': category,
      // RFC 8058: one press of a button in the mail program, without a page in between.
      ...(unsubscribeUrl !== null && {
        'List-Unsubscribe': `<${unsubscribeUrl}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      }),
      ...(category === 'marketing' && { Precedence: 'bulk' }),
    },
  }
}

const domainOf = (from: string): string => from.replace(/^.*@/, '').replace(/>$/, '')
