// All nodes of a database need the same SECRET_KEY. The first start stores a fingerprint; later starts compare theirs.

import pg from 'pg'
import { DatabaseUnusable } from './migrate.ts'
import { fingerprintOf, type VaultConfig } from './vault.ts'

export async function requireSameSecretKey(
  connection: pg.ClientConfig,
  config: VaultConfig,
  { acceptNewKey }: { acceptNewKey: boolean },
): Promise<void> {
  const fingerprint = fingerprintOf(config)
  const client = new pg.Client(connection)
  await client.connect()
  try {
    await client.query(
      `insert into platform.secret_key (fingerprint) values ($1)
       on conflict (only_row) do update set fingerprint = excluded.fingerprint where $2`,
      [fingerprint, acceptNewKey],
    )
    const { rows } = await client.query<{ fingerprint: Buffer }>(
      `select fingerprint from platform.secret_key`,
    )
    if (!rows[0]!.fingerprint.equals(fingerprint)) throw new DatabaseUnusable(differentKey(config))
  } finally {
    await client.end()
  }
}

const differentKey = ({ secretKey, dataDir }: VaultConfig): string =>
  `The key in ${secretKey ? 'SECRET_KEY' : `${dataDir}/secret.key`} is not the key of this database: set SECRET_KEY to the key ` +
  'that the other nodes use, or, if that key is lost, start once with --new-secret-key and rotate the webhook secrets.'
