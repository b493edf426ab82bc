// Who carries what, in each environment.

import type { Clock } from '../../base/clock.ts'
import type { Config } from '../../base/config.ts'
import type { Environment } from '../../base/db.ts'
import type { Channel } from '../templates/template.ts'
import { openHttpProvider, pushBody, smsBody } from './http-provider.ts'
import { placesOf } from './lines.ts'
import type { Provider } from './provider.ts'
import { openSmtp } from './smtp.ts'

export type Providers = Partial<Record<Channel, Provider>>

/**
 * Live has whom it was given, and holds what nobody carries. Test never touches live's: it has its own, and where it has
 * none, a message goes no further than its record.
 */
export function openProviders(
  environment: Environment,
  { config, clock }: { config: Config; clock: Clock },
): Providers {
  const isLive = environment === 'live'
  const smtpUrl = isLive ? config.smtpUrl : config.testSmtpUrl
  const smsUrl = isLive ? config.smsUrl : config.testSmsUrl
  const pushUrl = isLive ? config.pushUrl : config.testPushUrl
  const [sms, push] = [
    { token: config.smsToken, secret: config.smsSecret, bodyOf: smsBody, clock },
    { token: config.pushToken, secret: config.pushSecret, bodyOf: pushBody, clock },
  ]
  const keepers = isLive ? {} : { email: record, sms: record, push: record }
  return {
    ...keepers,
    ...(smtpUrl && {
      email: openSmtp({ url: smtpUrl, from: config.mailFrom!, lines: placesOf('email') }),
    }),
    ...(smsUrl && { sms: openHttpProvider({ url: smsUrl, ...sms }) }),
    ...(pushUrl && { push: openHttpProvider({ url: pushUrl, ...push }) }),
  }
}

/** The test environment's own: what was to be sent can be read in its record, and nobody is disturbed. */
const record: Provider = {
  send: async ({ id }) => ({
    verdict: 'sent',
    isUnwell: false,
    status: null,
    reply: 'kept by the test environment; nothing left the machine',
    error: null,
    providerId: `test-${id}`,
  }),
  close: () => {},
}
