import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { keyOf, openVault } from '../../base/vault.ts'
import { type ProviderHealth, healthAfter, healthy, nextRetryMs, availableSlots } from './sending-limits.ts'
import { linkTargets, withTracking } from './tracked-links.ts'
import { mailOf, failedReply, type SmtpError } from './smtp.ts'
import { hasExpiredLink } from './password-messages.ts'
import { suppression } from './notification.ts'
import type { Message } from './provider.ts'
import { readUnsubscribeToken, unsubscribeToken, readTrackingToken, trackingToken } from './link-tokens.ts'

const vaultOf = (digits: string) => openVault({ secretKey: keyOf(digits.repeat(32)), dataDir: '/nowhere' })
const vault = vaultOf('0f')
const notificationId = '0192f0c1-6a53-7a53-9d1a-1f4f0a1c2b3d'

test('marketing needs consent, and every message needs an address', () => {
  const of = (category: 'marketing' | 'transactional', hasConsent: boolean, hasAddress: boolean) =>
    suppression({ category, hasConsent, hasAddress })
  equal(of('marketing', true, true), null)
  equal(of('marketing', false, true), 'no_consent')
  equal(of('marketing', true, false), 'no_address')
  equal(of('transactional', false, true), null)
  equal(of('transactional', false, false), 'no_address')
})

test('attempts an e-mail nine times over three days and an SMS five times within two hours', () => {
  const spans = (['email', 'sms', 'push'] as const).map((channel) => {
    let [tries, ms] = [1, 0]
    for (let pause = nextRetryMs(channel, 1, { chance: 0 }); pause !== undefined; tries++) {
      ms += pause
      pause = nextRetryMs(channel, tries + 1, { chance: 0 })
    }
    return [tries, Math.round(ms / 360_000) / 10]
  })
  deepEqual(spans, [
    [9, 68.6],
    [5, 1.4],
    [5, 1.4],
  ])
})

test('pauses a failing provider, longer each time, and then probes it with one message', () => {
  const line = { channel: 'email', category: 'marketing' } as const
  const failed = (before: ProviderHealth, nowMs: number) =>
    healthAfter(before, { isProviderFailing: true, nowMs })
  let health = healthy
  for (let at = 0; at < 4; at++) health = failed(health, 0)
  equal(availableSlots(line, health, 0), 5)
  health = failed(health, 1_000)
  equal(availableSlots(line, health, 1_999), 0)
  equal(availableSlots(line, health, 2_000), 1)
  for (let at = 0; at < 50; at++) health = failed(health, 0)
  equal(availableSlots(line, health, 59_999), 0)
  equal(availableSlots(line, health, 60_000), 1)
  equal(availableSlots(line, healthAfter(health, { isProviderFailing: false, nowMs: 0 }), 0), 5)
})

test('a refused mail fails permanently; configuration and temporary errors are retried', () => {
  const verdict = (it: Partial<SmtpError>) => {
    const { verdict, isProviderFailing } = failedReply(Object.assign(new Error('x'), it))
    return isProviderFailing ? `${verdict}, unwell` : verdict
  }
  const rows: [Partial<SmtpError>, string][] = [
    [{ code: 'EENVELOPE', command: 'RCPT TO', responseCode: 550 }, 'refused'],
    [{ code: 'EENVELOPE', command: 'RCPT TO', responseCode: 450 }, 'failed'],
    [{ code: 'EENVELOPE', command: 'MAIL FROM', responseCode: 550 }, 'failed, unwell'],
    [{ code: 'EENVELOPE', command: 'MAIL FROM', responseCode: 552 }, 'refused'],
    [{ code: 'EMESSAGE', command: 'DATA', responseCode: 554 }, 'refused'],
    [{ code: 'EMESSAGE', command: 'DATA', responseCode: 421 }, 'failed, unwell'],
    [{ code: 'EENVELOPE', command: 'RCPT TO', responseCode: 530 }, 'failed, unwell'],
    [{ code: 'EAUTH', command: 'AUTH PLAIN', responseCode: 535 }, 'failed, unwell'],
    [{ code: 'EPROTOCOL', command: 'CONN', responseCode: 554 }, 'failed, unwell'],
    [{ code: 'ESOCKET' }, 'failed, unwell'],
  ]
  for (const [error, expected] of rows) equal(verdict(error), expected, JSON.stringify(error))
})

test('reads a token only for the purpose it was signed for', () => {
  const trace = { environment: 'test', notificationId, link: 3 } as const
  const token = trackingToken(vault, trace)
  deepEqual(readTrackingToken(vault, token), trace)
  equal(token.length, 46)
  const farewell = { environment: 'live', consentId: notificationId } as const
  const goodbye = unsubscribeToken(vault, farewell)
  deepEqual(readUnsubscribeToken(vault, goodbye), farewell)
  for (let at = 0; at < token.length; at++) {
    const changed = token.slice(0, at) + (token[at] === 'A' ? 'B' : 'A') + token.slice(at + 1)
    const bytes = Buffer.from(changed, 'base64url')
    // The last character of base64 has bits that mean nothing.
    if (!bytes.equals(Buffer.from(token, 'base64url'))) equal(readTrackingToken(vault, changed), undefined)
  }
  for (const text of ['', 'x', token.slice(1), `${token}AA`, goodbye])
    equal(readTrackingToken(vault, text), undefined)
  for (const text of ['', 'x', goodbye.slice(2), token]) equal(readUnsubscribeToken(vault, text), undefined)
  equal(readTrackingToken(vaultOf('1f'), token), undefined)
  equal(readUnsubscribeToken(vaultOf('1f'), goodbye), undefined)
})

test('replaces links by numbered tracked links and changes nothing else', () => {
  const html =
    '<body><a href="https://a.uz/?x=1&amp;y=2">a</a><A class="b" HREF=\'https://b.uz\'>b</A><a href="https://a.uz/?x=1&amp;y=2">a</a><a href="mailto:x@y.uz">m</a><a href="https://shop.uz/u/1">u</a><img src="https://i.uz/1.png"></body>'
  deepEqual(linkTargets(html), ['https://a.uz/?x=1&y=2', 'https://b.uz', 'https://shop.uz/u/1'])
  equal(
    withTracking(html, {
      linkTo: (it) => `https://s/m/${it}`,
      pixelUrl: 'https://s/m/0',
      except: 'https://shop.uz/u/1',
    }),
    '<body><a href="https://s/m/1">a</a><A class="b" HREF=\'https://s/m/2\'>b</A><a href="https://s/m/1">a</a><a href="mailto:x@y.uz">m</a><a href="https://shop.uz/u/1">u</a><img src="https://i.uz/1.png"><img src="https://s/m/0" width="1" height="1" alt="" /></body>',
  )
})

test('leaves text that only looks like a link unchanged', () => {
  const links = [
    '<!-- <a href="https://a.uz">a</a> -->',
    '<style>a[href="https://b.uz"] { color: red }</style>',
    '<p title=\'<a href="https://c.uz">\'>c</p>',
    '<a data-href="https://d.uz" title="href=">d</a>',
    '<abbr href="https://e.uz">e</abbr>',
    '<a href="https://f.uz/?a=&eacute;">f</a>',
    '<a href="#top">g</a>',
  ]
  for (const html of links) {
    deepEqual(linkTargets(html), [], html)
    equal(withTracking(html, { linkTo: String, pixelUrl: 'p', except: null }).startsWith(html), true, html)
  }
  const first = '<a href="https://a.uz" href="https://b.uz">x</a>'
  deepEqual(linkTargets(first), ['https://a.uz'])
  const behind = '<body>x</body><a href=" https://a.uz ">y</a>'
  equal(
    withTracking(behind, { linkTo: (it) => `/m/${it}`, pixelUrl: 'p', except: null }),
    '<body>x</body><a href="/m/1">y</a><img src="p" width="1" height="1" alt="" />',
  )
})

test('only marketing e-mails have unsubscribe headers', () => {
  const message: Message = {
    id: notificationId,
    environment: 'test',
    category: 'marketing',
    to: ['a@b.uz'],
    name: 'A\r\nBcc: x@y.uz',
    content: { language: 'uz', subject: 's', text: 't', html: null },
    unsubscribeUrl: 'https://shop.uz/u/x',
    shopName: null,
  }
  const mail = mailOf(message, 'Shop <s@shop.uz>')
  const headers = mail.headers as Record<string, string>
  equal(headers['List-Unsubscribe'], '<https://shop.uz/u/x>')
  equal(headers['List-Unsubscribe-Post'], 'List-Unsubscribe=One-Click')
  equal(mail.messageId, `<${notificationId}@shop.uz>`)
  deepEqual(mail.to, { name: 'A Bcc: x@y.uz', address: 'a@b.uz' })
  const plain = mailOf({ ...message, category: 'transactional', unsubscribeUrl: null }, 's@shop.uz')
  ok(!('List-Unsubscribe' in (plain.headers as object)))
  equal(mail.from, 'Shop <s@shop.uz>')
  const named = mailOf({ ...message, shopName: 'Chorsu\r\nBcc: x@y.uz' }, 'Shop <s@shop.uz>')
  deepEqual(named.from, { name: 'Chorsu Bcc: x@y.uz', address: 's@shop.uz' })
})

test('a message about a lost password is not sent after its link expired', () => {
  const variables = { password_reset: { id: 'rst_1', expires_at: '2026-11-01T10:00:00.000Z' } }
  equal(hasExpiredLink(variables, new Date('2026-11-01T09:59:59Z')), false)
  equal(hasExpiredLink(variables, new Date('2026-11-01T10:00:00Z')), true)
  equal(hasExpiredLink({ client: { name: 'Aziza' } }, new Date('2026-11-01T10:00:00Z')), false)
})
