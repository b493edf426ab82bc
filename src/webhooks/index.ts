export { wireName } from './cloud-event.ts'
export { forgetDeliveries } from './jobs.ts'
export { openWebhooks, type Webhooks } from './open-webhooks.ts'
export { reactions } from './reactions.ts'
