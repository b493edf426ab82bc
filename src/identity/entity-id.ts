import { text } from '../http/schema.ts'

/** The schema of ids such as `key_6fJ2mQ9vXc1aTzR8wK3b`. */
export const entityId = (prefix: string) =>
  text({ max: 60, pattern: `^${prefix}_[0-9A-Za-z]{20}$`, examples: [`${prefix}_6fJ2mQ9vXc1aTzR8wK3b`] })
