import { equal, notDeepEqual, ok, throws } from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { keyOf, openVault, type Vault } from './vault.ts'

const folder = mkdtempSync(join(tmpdir(), 'bozor-vault-'))
after(() => rmSync(folder, { recursive: true, force: true }))
const secretKey = keyOf('0f'.repeat(32))

test('a sealed secret opens for its owner alone, and only as it was sealed', () => {
  const vault = openVault({ secretKey, dataDir: folder })
  const sealed = vault.seal('whsec_abc', 'one')
  equal(vault.open(sealed, 'one'), 'whsec_abc')
  throws(() => vault.open(sealed, 'two'))
  sealed[sealed.length - 1]! ^= 1
  throws(() => vault.open(sealed, 'one'))
  equal(sealed.includes('whsec_abc'), false)
})

test('the same secret sealed twice looks different', () => {
  const vault = openVault({ secretKey, dataDir: folder })
  notDeepEqual(vault.seal('whsec_abc', 'one'), vault.seal('whsec_abc', 'one'))
})

test('without a key one is made beside the data, for its owner alone, and is found again', () => {
  const dataDir = join(folder, 'data')
  const sealed = openVault({ secretKey: undefined, dataDir }).seal('whsec_abc', 'one')
  equal(openVault({ secretKey: undefined, dataDir }).open(sealed, 'one'), 'whsec_abc')
  const path = join(dataDir, 'secret.key')
  equal(statSync(path).mode & 0o777, 0o600)
  equal(keyOf(readFileSync(path, 'utf8').trim())?.length, 32)
})

test('a key is 32 bytes in base64 or in hexadecimal digits', () => {
  for (const good of ['0f'.repeat(32), Buffer.alloc(32, 7).toString('base64')]) equal(keyOf(good)?.length, 32)
  for (const bad of ['', 'short', '0f'.repeat(31), 'x'.repeat(64), Buffer.alloc(31).toString('base64')])
    equal(keyOf(bad), undefined)
})

test('what is signed for one purpose, or with one key, is nothing for another', () => {
  const [ours, theirs] = ['01', '02'].map((it) =>
    openVault({ secretKey: keyOf(it.repeat(32)), dataDir: folder }),
  ) as [Vault, Vault]
  const bytes = Buffer.from('a')
  ok(ours.sign(bytes, 'x').equals(ours.sign(bytes, 'x')))
  ok(!ours.sign(bytes, 'x').equals(ours.sign(bytes, 'y')))
  ok(!ours.sign(bytes, 'x').equals(theirs.sign(bytes, 'x')))
})
