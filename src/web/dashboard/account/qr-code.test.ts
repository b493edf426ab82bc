import { deepEqual, equal, ok } from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { correctionOf, qrCode } from './qr-code.ts'

const drawn = (text: string) => qrCode(text)!.map((row) => row.map((it) => (it ? '#' : '.')).join(''))

test('error correction bytes are those of the example in the standard', () => {
  const data = [32, 91, 11, 120, 209, 114, 220, 77, 67, 64, 236, 17, 236, 17, 236, 17]
  deepEqual(correctionOf(data, 10), [196, 35, 39, 119, 235, 215, 231, 226, 93, 23])
})

test('the size grows with the text, up to a limit', () => {
  equal(drawn('a'.repeat(17)).length, 21)
  equal(drawn('a'.repeat(18)).length, 25)
  equal(drawn('a'.repeat(520)).length, 77)
  equal(qrCode('a'.repeat(521)), undefined)
})

/** Fingerprints of codes that a reader (jsQR 1.4) has read correctly. */
test('codes are those that were read back', () => {
  const fingerprint = (text: string) =>
    createHash('sha256').update(drawn(text).join('\n')).digest('hex').slice(0, 16)
  deepEqual(
    [
      'otpauth://totp/Bozor%3Aanna%40shop.uz?secret=JBSWY3DPEHPK3PXP&issuer=Bozor',
      'b'.repeat(200),
      'c'.repeat(400),
    ].map(fingerprint),
    ['8aafa132531743bb', '3fa240813550b53e', '690a2134999d0669'],
  )
  ok(drawn('x')[0]!.startsWith('#######.'))
})
