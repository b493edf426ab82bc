import { rejects } from 'node:assert/strict'
import { test } from 'node:test'
import { freshDatabase } from '../../test/support/database.ts'
import { requireSameSecretKey } from './secret-key.ts'

test('a node with another SECRET_KEY is refused until the new key is accepted', async () => {
  const connection = await freshDatabase()
  const start = (digit: string, acceptNewKey = false) => {
    const config = { secretKey: Buffer.from(digit.repeat(64), 'hex'), dataDir: '/nowhere' }
    return requireSameSecretKey(connection, config, { acceptNewKey })
  }
  await Promise.all([start('0'), start('0')])
  await start('0')
  await rejects(() => start('1'), /^DatabaseUnusable: The key in SECRET_KEY is not the key of this database/)
  await start('1', true)
  await start('1')
  await rejects(() => start('0'), /SECRET_KEY/)
})
