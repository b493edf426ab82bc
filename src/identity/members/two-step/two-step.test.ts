import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { memberAt, type TestMember, testPassword } from '../../../../test/support/member.ts'
import { openPlatform } from '../../../../test/support/shop.ts'
import { totpNow } from '../../../../test/support/totp.ts'
import { acceptedStep, codeAt, recoveryHash, secretTextOf, stepOf } from './totp.ts'

const platform = await openPlatform()
const { call } = platform
const path = '/v1/admin/me/two-step'

test('codes are those of RFC 6238 and RFC 4226', () => {
  const secret = Buffer.from('12345678901234567890')
  // The last six of the eight digits in appendix B of RFC 6238.
  const vectors: [seconds: number, code: string][] = [
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_234_567_890, '005924'],
    [20_000_000_000, '353130'],
  ]
  for (const [seconds, code] of vectors) equal(codeAt(secret, stepOf(new Date(seconds * 1000))), code)
  equal(secretTextOf(secret), 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ')
})

test('accepts the code of the current step and its neighbours, once, and never an older one', () => {
  const secret = Buffer.alloc(20, 7)
  const now = new Date(1_000 * 30_000 + 12_000)
  const at = (step: number, lastStep = 0) => acceptedStep(secret, codeAt(secret, step), { now, lastStep })
  deepEqual([at(998), at(999), at(1_000), at(1_001), at(1_002)], [undefined, 999, 1_000, 1_001, undefined])
  equal(at(1_000, 1_000), undefined, 'used')
  equal(at(999, 1_000), undefined, 'older than a used one')
  equal(at(1_001, 1_000), 1_001)
  equal(acceptedStep(secret, 'abcdef', { now, lastStep: 0 }), undefined)
})

test('a recovery code may be typed with spaces and capitals', () => {
  deepEqual(recoveryHash(' K3F9X 2MW7P'), recoveryHash('k3f9x-2mw7p'))
})

/** Turns two-step sign-in on. The first code is that of the previous step, so that the current one is still unused. */
async function protectedMember(member: TestMember) {
  const begun = await member.call('POST', path, { body: { password: testPassword } })
  equal(begun.status, 200, begun.text)
  const code = (offset: number) => totpNow(begun.body.data.secret, offset)
  const confirmed = await member.call('POST', `${path}/confirm`, { body: { code: code(-1) } })
  equal(confirmed.status, 200, confirmed.text)
  return { begun, code, recoveryCodes: confirmed.body.data.recovery_codes as string[] }
}

const signIn = (email: string, code?: string, password = testPassword) =>
  call('POST', '/v1/admin/sessions', { key: null, body: { email, password, ...(code && { code }) } })

test('sign-in needs a code, and no code works twice', async () => {
  const anna = await memberAt(platform, 'owner', 'anna@shop.uz')
  equal((await anna.call('POST', path, { body: { password: 'not the right one' } })).status, 422)
  deepEqual((await anna.call('GET', path)).body.data, { enabled: false, recovery_codes_left: 0 })
  const { begun, code, recoveryCodes } = await protectedMember(anna)
  match(begun.body.data.uri, /^otpauth:\/\/totp\/Bozor%3Aanna%40shop\.uz\?secret=[A-Z2-7]{32}&issuer=Bozor$/)
  deepEqual((await anna.call('GET', path)).body.data, { enabled: true, recovery_codes_left: 10 })

  const missing = await signIn('anna@shop.uz')
  deepEqual([missing.status, missing.body.error.code], [401, 'two_step_required'])
  equal(missing.body.error.details.reason, 'missing')
  const wrongPassword = await signIn('anna@shop.uz', code(0), 'not the right one')
  equal(wrongPassword.body.error.code, 'invalid_credentials', 'a code is no hint that the password is right')
  const replayed = await signIn('anna@shop.uz', code(-1))
  deepEqual([replayed.status, replayed.body.error.details.reason], [401, 'wrong'])

  const used = code(1)
  const [one, two] = await Promise.all([signIn('anna@shop.uz', used), signIn('anna@shop.uz', used)])
  deepEqual([one.status, two.status].toSorted(), [201, 401], 'one of two simultaneous sign-ins')

  equal((await signIn('anna@shop.uz', recoveryCodes[0])).status, 201)
  equal((await signIn('anna@shop.uz', recoveryCodes[0])).status, 401)
  equal((await anna.call('GET', path)).body.data.recovery_codes_left, 9)

  const renewed = await anna.call('POST', `${path}/recovery-codes`, { body: { code: recoveryCodes[1] } })
  equal(renewed.status, 200, renewed.text)
  equal((await signIn('anna@shop.uz', recoveryCodes[2])).status, 401, 'old codes stop working')
  const [last] = renewed.body.data.recovery_codes
  equal((await anna.call('POST', path, { body: { password: testPassword } })).status, 409)
  equal((await anna.call('DELETE', path, { body: { code: last } })).status, 200)
  equal((await signIn('anna@shop.uz')).status, 201)
})

test('guessing codes is limited, also for one who knows the password', async () => {
  const bek = await memberAt(platform, 'analyst', 'bek@shop.uz')
  const { code, recoveryCodes } = await protectedMember(bek)
  const wrong = code(0) === '000000' ? '111111' : '000000'
  for (let turn = 0; turn < 5; turn++) equal((await signIn('bek@shop.uz', wrong)).status, 401)
  const limited = await signIn('bek@shop.uz', code(0))
  equal(limited.status, 429, limited.text)
  equal((await signIn('bek@shop.uz', recoveryCodes[0])).status, 429)
  ok(Number(limited.headers.get('retry-after')) > 0)
})

test('an unconfirmed secret protects nothing, and an owner removes the second step of another', async () => {
  const owner = await memberAt(platform, 'owner', 'owner@shop.uz')
  const dona = await memberAt(platform, 'operator', 'dona@shop.uz')
  equal((await dona.call('POST', `${path}/confirm`, { body: { code: '123456' } })).status, 409)
  await dona.call('POST', path, { body: { password: testPassword } })
  equal((await signIn('dona@shop.uz')).status, 201)
  equal((await dona.call('POST', `${path}/confirm`, { body: { code: 'x' } })).status, 422)
  await protectedMember(dona)
  equal((await signIn('dona@shop.uz')).status, 401)
  const other = `/v1/admin/members/${dona.id}/two-step`
  equal((await dona.call('DELETE', other)).status, 403)
  equal((await owner.call('DELETE', other)).status, 200)
  equal((await owner.call('DELETE', other)).status, 404)
  equal((await signIn('dona@shop.uz')).status, 201)
})

test('the secret is not readable in the database', async () => {
  const eva = await memberAt(platform, 'analyst', 'eva@shop.uz')
  const { begun } = await protectedMember(eva)
  const row = await platform.app.shops.live.db
    .read()
    .one<{ secret: Buffer }>(`select secret from identity_member_two_steps where member_id = $1`, [eva.id])
  ok(row.secret.length > 20 && !row.secret.includes(Buffer.from(begun.body.data.secret)))
})
