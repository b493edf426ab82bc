import { memberResetToken } from '../../src/identity/index.ts'
import type { Bozor } from '../../src/sdk/index.ts'
import { addMember, testPassword } from '../support/member.ts'
import { Browser, codeFor, newApplication, password } from '../support/oauth.ts'
import { totpNow } from '../support/totp.ts'
import { eventually } from './recorder.ts'
import type { Steps } from './steps.ts'

export async function identitySteps(steps: Steps): Promise<void> {
  await applicationSteps(steps)
  await memberSteps(steps)
  await clientSteps(steps)
}

async function applicationSteps({ bozor }: Steps): Promise<void> {
  const { application } = await bozor.applications.create({
    name: 'Warehouse',
    type: 'server',
    scopes: ['catalog:read', 'catalog:write'],
    rate_limit: '500/60s',
  })
  const id = { client_id: application.client_id }
  await bozor.applications.list({ per_page: 2 })
  await bozor.applications.get(id)
  await bozor.applications.update({ ...id, name: 'Warehouse in Sergeli' })
  const { key } = await bozor.applications.createKey({ ...id, name: 'night import' })
  await bozor.keys.list({ per_page: 2, client_id: application.client_id })
  await bozor.applications.getUsage(id)
  await bozor.applications.getHourlyUsage({ hours: 24 })
  await bozor.applications.getKeyUsage({ ...id, key_id: key.id })
  await bozor.applications.rotateKey({ ...id, key_id: key.id, overlap_seconds: 3600 })
  await bozor.applications.revokeKey({ ...id, key_id: key.id })
  const { secret } = await bozor.applications.rotateSecret({ ...id, overlap_seconds: 3600 })
  await bozor.applications.revokeSecret({ ...id, secret_id: secret.id })
  await bozor.applications.delete(id)
}

async function memberSteps(steps: Steps): Promise<void> {
  const { recorder, app, bozor } = steps
  await addMember({ app }, 'owner', 'anna@shop.uz')
  const session = { email: 'anna@shop.uz', password: testPassword }
  const member = recorder.client({ environment: 'test' })
  await member.memberSessions.create({ ...session, environment: 'test' })
  await member.members.getMe()
  await member.members.updateMe({ name: 'Anna Kim' })
  await member.memberSessions.list()
  await member.members.getRules()
  await member.members.updateRules({ two_step_for_owners: false })
  await recorder.client().memberSessions.requestPasswordReset({ email: 'anna@shop.uz' })
  const { invitation, link } = await member.members.createInvitation({
    email: 'bek@shop.uz',
    role: 'operator',
  })
  await member.members.listInvitations()
  const resent = await member.members.resendInvitation({ invitation_id: invitation.id })
  const token = new URL(resent.link ?? link ?? '').hash.slice(1) || tokenIn(resent.link ?? '')
  const guest = recorder.client()
  await guest.members.acceptInvitation({ token, name: 'Bek Aliyev', password: 'seven green apples' })
  const other = await member.members.createInvitation({ email: 'olim@shop.uz', role: 'analyst' })
  await member.members.revokeInvitation({ invitation_id: other.invitation.id })
  const { items: members } = await member.members.list({ per_page: 2 })
  const bek = members.find((it) => it.email === 'bek@shop.uz')!
  await member.members.get({ member_id: bek.id })
  await member.members.update({ member_id: bek.id, role: 'developer' })
  await member.members.deactivate({ member_id: bek.id })
  await member.members.reactivate({ member_id: bek.id })
  await twoStepSteps(member, members.find((it) => it.email === session.email)!.id)
  await member.members.changeMyPassword({ current_password: testPassword, new_password: 'nine yellow pears' })
  await bozor.auditLog.list({ per_page: 2 })

  const again = { ...session, password: 'nine yellow pears' }
  const second = recorder.client()
  const opened = await second.memberSessions.create(again)
  await member.memberSessions.delete({ session_id: opened.session.id })
  const third = recorder.client()
  await third.memberSessions.create(again)
  await third.memberSessions.deleteCurrent()
  await member.memberSessions.deleteAll()
  await resetSteps(steps, guest)
}

/** The mail to the member holds the token, which follows from the request and the secret key of the shop. */
async function resetSteps({ app: { shops }, vault }: Steps, guest: Bozor): Promise<void> {
  await guest.memberSessions.requestPasswordReset({ email: 'bek@shop.uz' })
  await shops.live.relay.catchUp()
  const request = await shops.live.db
    .read()
    .one<{ id: string }>(
      `select subject as id from outbox_events where type = 'MemberPasswordResetRequested' order by sequence desc limit 1`,
    )
  const token = memberResetToken(vault, request.id.split('/')[1]!)
  await guest.memberSessions.completePasswordReset({ token, password: 'eight red cherries' })
}

async function twoStepSteps(member: Bozor, memberId: string): Promise<void> {
  await member.members.getTwoStep()
  const { secret } = await member.members.beginTwoStep({ password: testPassword })
  await member.members.confirmTwoStep({ code: totpNow(secret!, -1) })
  await member.members.renewRecoveryCodes({ code: totpNow(secret!) })
  await member.members.disableTwoStep({ code: totpNow(secret!, 1) })
  const again = await member.members.beginTwoStep({ password: testPassword })
  await member.members.confirmTwoStep({ code: totpNow(again.secret!) })
  await member.members.removeTwoStep({ member_id: memberId })
}

const tokenIn = (link: string): string => new URL(link).searchParams.get('token') ?? ''

/** The application signs buyers in; afterwards their session is the only credential. */
async function clientSteps({ recorder, bozor, apiKey, app, url }: Steps): Promise<void> {
  const cookies = new Map<string, string>()
  const application = recorder.client({ apiKey }, cookies)
  const phone = '+998937654321'
  await application.auth.register({ name: 'Malika Yusupova', phone, email: 'malika@mail.uz', password })
  const buyer = recorder.client({}, cookies)
  await buyer.auth.getProfile()
  await buyer.auth.updateProfile({ name: 'Malika Rashidova' })
  const market = await newApplication({ app })
  await codeFor(new Browser(url), market, { phone, scope: 'catalog:read cart:read' })
  await buyer.auth.listConsents()
  await buyer.auth.deleteConsent({ client_id: market.id })
  await buyer.auth.listSubscriptions()
  await buyer.auth.updateSubscriptions({ language: 'uz', email: true })
  const { device } = await buyer.auth.createDevice({
    token: 'fcm-3f1c2d7e8a414b6f9c05d2e7b8a1f604',
    platform: 'android',
  })
  await buyer.auth.listDevices()
  await buyer.auth.deleteDevice({ device_id: device.id })
  const home = { region: 'UZ-TK', city: 'Toshkent', street: 'Amir Temur', house: '1', apartment: '12' }
  const { address } = await buyer.auth.createAddress({ title: 'Home', address: home })
  await buyer.auth.listAddresses()
  await buyer.auth.replaceAddress({ address_id: address.id, title: 'Home', address: { ...home, house: '3' } })
  await buyer.auth.deleteAddress({ address_id: address.id })
  const opened = await recorder.client({ apiKey }).auth.login({ login: 'malika@mail.uz', password })
  await buyer.auth.listSessions()
  await buyer.auth.deleteSession({ session_id: opened.session.id })
  await buyer.auth.changePassword({ current_password: password, new_password: 'five plums in a basket' })
  await bozor.auth.requestPasswordReset({ login: 'malika@mail.uz' })
  const reset = await eventually('the event of the reset', async () => {
    const { items } = await bozor.events.list({ type: 'PasswordResetRequested' })
    return items[0]!.data as { ResetId: string }
  })
  const { token } = await bozor.passwordResets.createToken({ reset_id: reset.ResetId })
  await bozor.auth.completePasswordReset({ token: token!, password: 'six plums in a basket' })
  await application.auth.login({ login: 'malika@mail.uz', password: 'six plums in a basket' })
  await buyer.auth.logout({ everywhere: false })

  const { items } = await bozor.clients.list({ per_page: 2, q: 'malika' })
  const id = { client_id: items.find((it) => it.email === 'malika@mail.uz')!.id }
  await bozor.clients.get({ client_id: 7 })
  await bozor.clients.update({ ...id, name: 'Malika Rashidova' })
  const again = recorder.client({ apiKey })
  await again.auth.login({ login: 'malika@mail.uz', password: 'six plums in a basket' })
  const { sessions } = await bozor.clients.listSessions(id)
  await bozor.clients.deleteSession({ ...id, session_id: sessions[0]!.id })
  await bozor.clients.deleteSessions(id)
  const duplicate = await bozor.auth.register({ name: 'Malika R.', phone: '+998 93 765-43-22', password })
  await bozor.clients.merge({ client_id: duplicate.client.id, into: Number(id.client_id) })
  await bozor.clients.erase(id)
}
