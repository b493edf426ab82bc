// Sends due notifications through their providers. Each channel and category has slots of its own, so that neither a dead
// provider nor a large campaign delays anything else.

import { elapsedMs } from '../../base/clock.ts'
import { type ClaimRequest, QueueWorker } from '../../base/queue-worker.ts'
import type { Database, Reader } from '../../base/database.ts'
import type { Log } from '../../base/log.ts'
import { loadShopProfile, type ShopProfile } from '../../catalog/index.ts'
import { grantedConsents } from '../consents/store.ts'
import { devicesOf } from '../devices/store.ts'
import {
  type ClaimedNotification,
  claimDue,
  holdWithoutProvider,
  releaseHeld,
  releaseLeases,
  renewLeases,
} from './store.ts'
import { findVersions } from '../templates/store.ts'
import { type Channel, channels, type Texts } from '../templates/template.ts'
import { composeMessage, type MessageContext } from './compose-message.ts'
import {
  type ProviderHealth,
  healthAfter,
  healthy,
  isFailing,
  queueOf,
  availableSlots,
  slotsOf,
} from './sending-limits.ts'
import { categories, type Suppression } from './notification.ts'
import { type ProviderReply, truncated } from './provider.ts'
import type { Providers } from './providers.ts'
import { hasExpiredLink } from './password-messages.ts'
import { type Outcome, recordAttempts } from './record-attempts.ts'

const leaseSeconds = 30
/** How often notifications without a provider are held, and held ones with a provider are released. */
const updateHeldMs = 5_000

export interface NotificationWorkerOptions {
  db: Database
  log: Log
  providers: Providers
  message: MessageContext
}

/** A notification with everything that is needed to send it, or the reason not to send it. */
interface SendingJob {
  notification: ClaimedNotification
  texts: Texts
  /** How the shop presents itself. */
  profile: ShopProfile
  to: readonly string[]
  /** The consent that permits it; marketing only. */
  consentId: string | null
  suppressed: Suppression | null
}

export class NotificationWorker {
  readonly #options: NotificationWorkerOptions
  readonly #worker: QueueWorker<SendingJob, Outcome>
  readonly #health = new Map<Channel, ProviderHealth>()
  #heldUpdatedMs = -Infinity

  constructor(options: NotificationWorkerOptions) {
    this.#options = options
    const { db, log } = options
    this.#worker = new QueueWorker<SendingJob, Outcome>(
      {
        claim: (claim) => this.#claim(claim),
        queueOf: ({ notification }) => queueOf(notification),
        attempt: (job) => this.#attempt(job),
        saveOutcomes: (lease, outcomes) => db.transaction((tx) => recordAttempts(tx, lease, outcomes)),
        renewLeases: (lease) => db.transaction(async (tx) => renewLeases(tx, lease, leaseSeconds)),
        // Aborts what is in progress first: another process must not start it while it may still succeed here.
        releaseLeases: (lease) => {
          this.#closeProviders()
          return db.transaction(async (tx) => releaseLeases(tx, lease))
        },
        onError: (error) =>
          log.warn('notifications could not be claimed or saved; retrying', {
            environment: db.environment,
            error,
          }),
      },
      { maxInFlight: channels.reduce((sum, it) => sum + slotsOf(it), 0) },
    )
  }

  start(): void {
    this.#worker.start()
  }

  async close(): Promise<void> {
    await this.#worker.close()
    this.#closeProviders()
  }

  #closeProviders(): void {
    for (const provider of Object.values(this.#options.providers)) provider.close()
  }

  async #claim({ lease, inFlight, capacity }: ClaimRequest): Promise<SendingJob[]> {
    const { db } = this.#options
    await this.#updateHeld()
    const queues = this.#channelsWithProvider()
      .flatMap((channel) => categories.map((category) => ({ channel, category })))
      .map((it) => ({ ...it, free: this.#slots(it) - (inFlight.get(queueOf(it)) ?? 0) }))
      .filter((it) => it.free > 0)
    if (queues.length === 0) return []
    const claimed = await db.transaction((tx) => claimDue(tx, { lease, leaseSeconds, queues, capacity }))
    return claimed.length === 0 ? [] : loadJobs(db.read(), claimed)
  }

  /** Holds due notifications of channels without a provider, and releases those of channels that have one now. */
  async #updateHeld(): Promise<void> {
    if (elapsedMs() < this.#heldUpdatedMs + updateHeldMs) return
    this.#heldUpdatedMs = elapsedMs()
    const withProvider = this.#channelsWithProvider()
    const without = channels.filter((it) => !withProvider.includes(it))
    await this.#options.db.transaction(async (tx) => {
      holdWithoutProvider(tx, without)
      releaseHeld(tx, withProvider)
    })
  }

  #channelsWithProvider(): Channel[] {
    return channels.filter((it) => this.#options.providers[it] !== undefined)
  }

  #slots(queue: { channel: Channel; category: (typeof categories)[number] }): number {
    return availableSlots(queue, this.#health.get(queue.channel) ?? healthy, elapsedMs())
  }

  async #attempt(job: SendingJob): Promise<Outcome> {
    const { notification, suppressed } = job
    if (suppressed !== null) return { notification, suppressed }
    const began = elapsedMs()
    const reply = await this.#send(job)
    this.#updateHealth(notification.channel, reply)
    return { notification, reply, milliseconds: Math.round(elapsedMs() - began) }
  }

  #updateHealth(channel: Channel, { isProviderFailing, status, reply, error }: ProviderReply): void {
    const before = this.#health.get(channel) ?? healthy
    const after = healthAfter(before, { isProviderFailing, nowMs: elapsedMs() })
    this.#health.set(channel, after)
    if (isFailing(after) && !isFailing(before))
      this.#options.log.warn('notification provider keeps failing; paused', {
        environment: this.#options.db.environment,
        channel,
        status,
        reply,
        error,
      })
  }

  async #send({ notification, texts, profile, to, consentId }: SendingJob): Promise<ProviderReply> {
    const { message, providers } = this.#options
    const { id, category, channel, variables } = notification
    try {
      const { content, unsubscribeUrl } = composeMessage(
        message,
        { ...notification, consentId },
        { texts, profile },
      )
      const name = variables['client']?.['name']
      return await providers[channel]!.send({
        id,
        environment: message.environment,
        category,
        to,
        name: typeof name === 'string' ? name : null,
        content,
        unsubscribeUrl,
        shopName: profile.name,
      })
    } catch (error) {
      return {
        verdict: 'failed',
        isProviderFailing: false,
        status: null,
        reply: null,
        error: truncated(String(error)),
        providerId: null,
      }
    }
  }
}

/** Checks consent again: it may have been withdrawn since the message was queued. */
async function loadJobs(read: Reader, claimed: readonly ClaimedNotification[]): Promise<SendingJob[]> {
  const marketing = claimed.filter((it) => it.category === 'marketing')
  const pushed = claimed.flatMap((it) => (it.channel === 'push' && it.clientId !== null ? [it.clientId] : []))
  const [profile, versions, consents, devices] = await Promise.all([
    loadShopProfile(read),
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
      profile,
      to,
      consentId,
      suppressed: !mayBeSent
        ? 'no_consent'
        : to.length === 0
          ? 'no_address'
          : hasExpiredLink(notification.variables, read.now)
            ? 'expired'
            : null,
    }
  })
}
