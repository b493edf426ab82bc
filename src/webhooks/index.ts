export { wireName } from './events/cloud-event.ts'
export { openWebhooks, pingMessageBus } from './open-webhooks.ts'
