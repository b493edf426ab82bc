import type { Config } from '../base/config.ts'
import type { Database, Environment } from '../base/database.ts'
import { openVault } from '../base/vault.ts'
import { registerOwnApplication } from '../identity/index.ts'
import { storefrontApplication } from '../web/shop/index.ts'

/** Registers the storefront as an application, and returns whether there is one. */
export async function registerStorefront(
  config: Config,
  db: Record<Environment, Database>,
): Promise<boolean> {
  if (config.storefront === 'off') return false
  const record = storefrontApplication(originsOf(config))
  await db[config.storefront].transaction((tx) => registerOwnApplication(tx, openVault(config), record))
  return true
}

/** Where browsers find the server: OAuth returns to exactly these addresses. */
function originsOf({ publicUrl, host, port, tlsCert }: Config): string[] {
  if (publicUrl !== undefined) return [publicUrl]
  const scheme = tlsCert ? 'https' : 'http'
  const names = new Set(['localhost', '127.0.0.1', ...(host === '0.0.0.0' ? [] : [host])])
  return [...names].map((it) => `${scheme}://${it}:${port}`)
}
