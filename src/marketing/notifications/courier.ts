// Carries due notifications to their providers. Each channel and category has places of its own, so that neither a dead
// provider nor a large campaign keeps anything else waiting.

import { elapsedMs } from '../../base/clock.ts'
import { type Claim, Courier } from '../../base/courier.ts'
import type { Database, Reader } from '../../base/db.ts'
import type { Log } from '../../base/log.ts'
import { grantedConsents } from '../store/consents.ts'
import { devicesOf } from '../store/devices.ts'
import {
  type Claimed,
  claimDue,
  holdUncarried,
  releaseHeld,
  releaseLeases,
  renewLeases,
} from '../store/sending.ts'
import { findVersions } from '../store/templates.ts'
import { type Channel, channels, type Texts } from '../templates/template.ts'
import { composed, type Press } from './compose.ts'
import { type Health, healthAfter, healthy, isFailing, lineOf, placesFor, placesOf } from './lines.ts'
import { categories } from './notification.ts'
import { type Reply, shortened } from './provider.ts'
import type { Providers } from './providers.ts'
import { type Outcome, settle } from './settle.ts'

const leaseSeconds = 30
/** How often what nobody carries is set aside, and what somebody carries by now is taken up again. */
const sortOutMs = 5_000

export interface CourierOptions {
  db: Database
  log: Log
  providers: Providers
  press: Press
}

/** A notification with all that is needed to send it, or the reason why it is not sent after all. */
interface Parcel {
  notification: Claimed
  texts: Texts
  to: readonly string[]
  /** Of marketing, by which it is sent. */
  consentId: string | null
  suppressed: 'no_consent' | 'no_address' | null
}

export class NotificationCourier {
  readonly #options: CourierOptions
  readonly #courier: Courier<Parcel, Outcome>
  readonly #health = new Map<Channel, Health>()
  #sortedOutMs = -Infinity

  constructor(options: CourierOptions) {
    this.#options = options
    const { db, log } = options
    this.#courier = new Courier<Parcel, Outcome>(
      {
        claim: (claim) => this.#claim(claim),
        lineOf: ({ notification }) => lineOf(notification),
        carry: (parcel) => this.#carry(parcel),
        settle: (lease, outcomes) => db.transaction((tx) => settle(tx, lease, outcomes)),
        renew: (lease) => db.transaction((tx) => renewLeases(tx, lease, leaseSeconds)),
        // What is still under way is cut off first: nobody else may begin while we might still end.
        release: (lease) => {
          this.#closeProviders()
          return db.transaction((tx) => releaseLeases(tx, lease))
        },
        onError: (error) =>
          log.warn('notifications could not be looked up or noted; trying again', {
            environment: db.environment,
            error,
          }),
      },
      { mostUnderWay: channels.reduce((sum, it) => sum + placesOf(it), 0) },
    )
  }

  start(): void {
    this.#courier.start()
  }

  async close(): Promise<void> {
    await this.#courier.close()
    this.#closeProviders()
  }

  #closeProviders(): void {
    for (const provider of Object.values(this.#options.providers)) provider.close()
  }

  async #claim({ lease, busy, room }: Claim): Promise<Parcel[]> {
    const { db } = this.#options
    await this.#sortOut()
    const lines = this.#carried()
      .flatMap((channel) => categories.map((category) => ({ channel, category })))
      .map((it) => ({ ...it, free: this.#places(it) - (busy.get(lineOf(it)) ?? 0) }))
      .filter((it) => it.free > 0)
    if (lines.length === 0) return []
    const claimed = await db.transaction((tx) => claimDue(tx, { lease, leaseSeconds, lines, room }))
    return claimed.length === 0 ? [] : parcelsOf(db.read(), claimed)
  }

  /** What nobody carries says so, and does not stand in the way. */
  async #sortOut(): Promise<void> {
    if (elapsedMs() < this.#sortedOutMs + sortOutMs) return
    this.#sortedOutMs = elapsedMs()
    const carried = this.#carried()
    const uncarried = channels.filter((it) => !carried.includes(it))
    await this.#options.db.transaction(async (tx) => {
      await holdUncarried(tx, uncarried)
      await releaseHeld(tx, carried)
    })
  }

  #carried(): Channel[] {
    return channels.filter((it) => this.#options.providers[it] !== undefined)
  }

  #places(line: { channel: Channel; category: (typeof categories)[number] }): number {
    return placesFor(line, this.#health.get(line.channel) ?? healthy, elapsedMs())
  }

  async #carry(parcel: Parcel): Promise<Outcome> {
    const { notification, suppressed } = parcel
    if (suppressed !== null) return { notification, suppressed }
    const began = elapsedMs()
    const reply = await this.#send(parcel)
    this.#noteHealth(notification.channel, reply)
    return { notification, reply, milliseconds: Math.round(elapsedMs() - began) }
  }

  #noteHealth(channel: Channel, { isUnwell, status, reply, error }: Reply): void {
    const before = this.#health.get(channel) ?? healthy
    const after = healthAfter(before, { isUnwell, nowMs: elapsedMs() })
    this.#health.set(channel, after)
    if (isFailing(after) && !isFailing(before))
      this.#options.log.warn('whoever carries notifications keeps failing; it is left in peace for a while', {
        environment: this.#options.db.environment,
        channel,
        status,
        reply,
        error,
      })
  }

  async #send({ notification, texts, to, consentId }: Parcel): Promise<Reply> {
    const { press, providers } = this.#options
    const { id, category, channel, variables } = notification
    try {
      const { content, unsubscribeUrl } = composed(press, { ...notification, consentId }, texts)
      const name = variables['client']?.['name']
      return await providers[channel]!.send({
        id,
        environment: press.environment,
        category,
        to,
        name: typeof name === 'string' ? name : null,
        content,
        unsubscribeUrl,
      })
    } catch (error) {
      return {
        verdict: 'failed',
        isUnwell: false,
        status: null,
        reply: null,
        error: shortened(String(error)),
        providerId: null,
      }
    }
  }
}

/** Consent is asked for again: it may have been withdrawn since the message was queued. */
async function parcelsOf(read: Reader, claimed: readonly Claimed[]): Promise<Parcel[]> {
  const marketing = claimed.filter((it) => it.category === 'marketing')
  const pushed = claimed.flatMap((it) => (it.channel === 'push' && it.clientId !== null ? [it.clientId] : []))
  const [versions, consents, devices] = await Promise.all([
    findVersions(
      read,
      claimed.map((it) => ({ templateId: it.templateId, version: it.templateVersion })),
    ),
    grantedConsents(read, marketing),
    devicesOf(read, pushed),
  ])
  const texts = new Map(versions.map((it) => [`${it.templateId}/${it.version}`, it.texts]))
  return claimed.map((notification) => {
    const { category, channel, clientId, address, templateId, templateVersion, holder } = notification
    const to = address === null ? (devices.get(clientId ?? 0) ?? []) : [address]
    const consentId = consents.get(`${holder} ${channel}`) ?? null
    const mayBeSent = category === 'transactional' || consentId !== null
    return {
      notification,
      texts: texts.get(`${templateId}/${templateVersion}`)!,
      to,
      consentId,
      suppressed: !mayBeSent ? 'no_consent' : to.length === 0 ? 'no_address' : null,
    }
  })
}
