// The calls that are recorded, as programs of the SDK.

import type { App } from '../../src/app.ts'
import type { Bozor } from '../../src/sdk/index.ts'
import { buyingSteps } from './buying-steps.ts'
import { catalogSteps } from './catalog-steps.ts'
import { identitySteps } from './identity-steps.ts'
import { marketingSteps } from './marketing-steps.ts'
import { platformSteps } from './platform-steps.ts'
import type { Recorder } from './recorder.ts'
import { recommendationSteps } from './recommendation-steps.ts'

export interface Steps {
  /** A client with a key of the test environment that has every scope. */
  bozor: Bozor
  apiKey: string
  recorder: Recorder
  app: App
  url: string
  /** The address of a server that receives webhooks. */
  receiverUrl: string
}

export async function recordAll(steps: Steps): Promise<void> {
  await catalogSteps(steps)
  await identitySteps(steps)
  await buyingSteps(steps)
  await recommendationSteps(steps)
  await marketingSteps(steps)
  await platformSteps(steps)
}

/** Operations that have no recorded example, with the reason. */
export const withoutExample: Readonly<Record<string, string>> = {
  'models.uploadRanker': 'a ranker file has megabytes; the declaration shows its beginning',
  'experiments.getOffPolicy': 'needs an experiment whose lists were shown in a random order',
  'events.stream': 'a stream does not end; the declaration shows one event',
  'deadLetters.retry': 'the demo shop has no failed reaction',
  'notifications.retry': 'needs a failed notification, and messages of the test environment do not fail',
  'memberSessions.completePasswordReset': 'the token exists in a mail only; the declaration shows a body',
  'orders.receiveCallback': 'sent and signed by the acquirer; the declaration shows a body',
}
