import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { memberAt, testPassword } from '../../../test/support/member.ts'
import { assertRefused } from '../../../test/support/refused.ts'
import { openPlatform } from '../../../test/support/shop.ts'
import { totpNow } from '../../../test/support/totp.ts'
import { waitUntil } from '../../../test/support/wait-until.ts'

const platform = await openPlatform()
const path = '/v1/admin/members/rules'

test('owners without two-step sign-in can only turn it on, once an owner demands it', async () => {
  const anna = await memberAt(platform, 'owner', 'anna@shop.uz')
  const olim = await memberAt(platform, 'owner', 'olim@shop.uz')
  const dev = await memberAt(platform, 'developer', 'dev@shop.uz')
  const turnOn = async (member: typeof anna) => {
    const begun = await member.call('POST', '/v1/admin/me/two-step', { body: { password: testPassword } })
    const code = totpNow(begun.body.data.secret)
    equal((await member.call('POST', '/v1/admin/me/two-step/confirm', { body: { code } })).status, 200)
  }
  const demand = (member: typeof anna, isOn = true) =>
    member.call('PATCH', path, { body: { two_step_for_owners: isOn } })
  assertRefused('conflict', await demand(anna))
  equal((await demand(dev)).status, 403)
  await turnOn(anna)
  equal((await demand(anna)).status, 200)
  deepEqual((await dev.call('GET', path)).body.data, { rules: { two_step_for_owners: true } })

  await waitUntil(async () => (await olim.call('GET', '/v1/admin/members')).status === 403, {
    what: 'the other owner is shut out',
  })
  const me = (await olim.call('GET', '/v1/admin/me')).body.data
  deepEqual([me.scopes, me.must_turn_on_two_step], [[], true])
  equal((await demand(olim, false)).status, 403, 'the rule is not lifted by who breaks it')
  equal((await dev.call('GET', '/v1/admin/members')).status, 200, 'other roles are not concerned')
  const signedIn = await platform.call('POST', '/v1/admin/sessions', {
    key: null,
    body: { email: 'olim@shop.uz', password: testPassword },
  })
  deepEqual(signedIn.body.data.scopes, [])

  await turnOn(olim)
  await waitUntil(async () => (await olim.call('GET', '/v1/admin/members')).status === 200, {
    what: 'the owner has access again',
  })
  ok((await demand(olim, false)).status === 200)
})
