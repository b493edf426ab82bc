// The calls that are recorded, as programs of the SDK.

import type { App } from '../../src/app.ts'
import type { Vault } from '../../src/base/vault.ts'
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
  vault: Vault
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
