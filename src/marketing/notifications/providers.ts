// The providers of each environment.

import type { Clock } from '../../base/clock.ts'
import type { Config } from '../../base/config.ts'
import type { Environment } from '../../base/database.ts'
import type { Channel } from '../templates/template.ts'
import { openHttpProvider, pushBody, smsBody } from './http-provider.ts'
import { slotsOf } from './sending-limits.ts'
import type { Provider } from './provider.ts'
import { openSmtp } from './smtp.ts'

export type Providers = Partial<Record<Channel, Provider>>

/**
 * Live uses the configured providers and holds messages of the other channels. Test never uses live's providers: it has its
 * own, and without one a message is only stored.
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
  const fallbacks = isLive ? {} : { email: storeOnly, sms: storeOnly, push: storeOnly }
  return {
    ...fallbacks,
    ...(smtpUrl && {
      email: openSmtp({ url: smtpUrl, from: config.mailFrom!, connections: slotsOf('email') }),
    }),
    ...(smsUrl && { sms: openHttpProvider({ url: smsUrl, ...sms }) }),
    ...(pushUrl && { push: openHttpProvider({ url: pushUrl, ...push }) }),
  }
}

/** Sends nothing: the message can be read in the list of notifications. */
const storeOnly: Provider = {
  send: async ({ id }) => ({
    verdict: 'sent',
    isProviderFailing: false,
    status: null,
    reply: 'stored by the test environment; nothing was sent',
    error: null,
    providerId: `test-${id}`,
  }),
  close: () => {},
}
