import type { Config } from '../base/config.ts'

/** Under what buyers know us; links in messages begin with it. */
export const shopUrlOf = ({
  publicUrl,
  tlsCert,
  port,
}: Pick<Config, 'publicUrl' | 'tlsCert' | 'port'>): string =>
  publicUrl ?? `${tlsCert === undefined ? 'http' : 'https'}://localhost:${port}`
