// Races between owners, and members who are deactivated while they work.

import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { elapsedMs } from '../../src/base/clock.ts'
import { addMember, memberAt, signedIn, type TestMember } from '../support/member.ts'
import { openPlatform } from '../support/shop.ts'
import { waitUntil } from '../support/wait-until.ts'

const first = await openPlatform()
const second = await openPlatform({ connection: first.connection })
const members = '/v1/admin/members'

const activeOwners = async (): Promise<number> =>
  (await first.call('GET', `${members}?role=owner&state=active`, { key: first.keys.live })).body.data
    .pagination.total

type Change = (by: TestMember, to: TestMember) => Promise<{ status: number }>
const demote: Change = (by, to) => by.call('PATCH', `${members}/${to.id}`, { body: { role: 'analyst' } })
const deactivate: Change = (by, to) => by.call('POST', `${members}/${to.id}/deactivate`)

async function raceEachOther(change: Change, slug: string): Promise<void> {
  const [a, b] = [
    await memberAt(first, 'owner', `a-${slug}@shop.uz`),
    await signedIn(second.url, await addMember(first, 'owner', `b-${slug}@shop.uz`)),
  ]
  equal(await activeOwners(), 2)
  const replies = await Promise.all([change(a, b), change(b, a)])
  equal(await activeOwners(), 1)
  const statuses = replies.map((it) => it.status).toSorted()
  equal(statuses[0], 200)
  // The slower one is no longer an owner or a member.
  ok([401, 403].includes(statuses[1]!), String(statuses[1]))
  const left = replies[0]!.status === 200 ? a : b
  for (const leave of [demote, deactivate]) equal((await leave(left, left)).status, 409)
  // Removes the owners for the next round.
  await first.app.shops.live.db.transaction((tx) =>
    tx.all(`update identity_members set role = 'analyst' where id = $1`, [left.id]),
  )
}

test('when two owners demote each other at once, one remains', async () => {
  for (let round = 0; round < 10; round++) await raceEachOther(demote, `demote-${round}`)
})

test('when two owners deactivate each other at once, one remains', async () => {
  for (let round = 0; round < 10; round++) await raceEachOther(deactivate, `deactivate-${round}`)
})

test('when three owners leave at once, one remains', async () => {
  const owners = await Promise.all(['x', 'y', 'z'].map((it) => memberAt(first, 'owner', `${it}@shop.uz`)))
  const replies = await Promise.all(
    owners.map((it) => it.call('PATCH', `${members}/${it.id}`, { body: { role: 'operator' } })),
  )
  deepEqual(replies.map((it) => it.status).toSorted(), [200, 200, 409])
  equal(await activeOwners(), 1)
})

test('no request that begins after the reply to a deactivation is served', async () => {
  const owner = await memberAt(first, 'owner', 'keeper@shop.uz')
  const busy = await memberAt(first, 'operator', 'busy@shop.uz')
  const answers: { status: number; askedMs: number }[] = []
  const ask = async () => {
    const askedMs = elapsedMs()
    const { status } = await busy.call('GET', '/v1/catalog/brands')
    answers.push({ status, askedMs })
  }
  const calls: Promise<void>[] = []
  let outMs = Infinity
  for (let wave = 0; wave < 10; wave++) {
    calls.push(...Array.from({ length: 30 }, ask))
    if (wave === 4)
      calls.push(
        owner.call('POST', `${members}/${busy.id}/deactivate`).then(({ status }) => {
          equal(status, 200)
          outMs = elapsedMs()
        }),
      )
    await new Promise((done) => setTimeout(done, 20))
  }
  await Promise.all(calls)
  await ask()
  ok(answers.some((it) => it.status === 200))
  equal(answers.at(-1)!.status, 401)
  deepEqual(
    answers.filter((it) => it.askedMs > outMs && it.status === 200),
    [],
  )
})

test('a member who is deactivated during sign-in has no session afterwards', async () => {
  const owner = await memberAt(first, 'owner', 'doorman@shop.uz')
  for (let round = 0; round < 10; round++) {
    const { id, email } = await addMember(first, 'analyst', `late-${round}@shop.uz`)
    const [entered] = await Promise.allSettled([
      signedIn(second.url, { id, email }),
      owner.call('POST', `${members}/${id}/deactivate`),
    ])
    if (entered.status === 'fulfilled')
      await waitUntil(async () => (await entered.value.call('GET', '/v1/admin/me')).status === 401)
    const open = await first.app.shops.live.db
      .read()
      .all(`select 1 from identity_member_sessions where member_id = $1 and ended_at is null`, [id])
    deepEqual(open, [])
  }
})
