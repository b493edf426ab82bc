import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { keyOf, openVault } from '../../base/vault.ts'
import { type Health, healthAfter, healthy, pauseMs, placesFor } from './lines.ts'
import { targetsIn, tracked } from './links.ts'
import { mailOf } from './mail.ts'
import { suppression } from './notification.ts'
import type { Message } from './provider.ts'
import { replyOf, type SmtpError } from './smtp.ts'
import { farewellOf, farewellToken, traceOf, traceToken } from './tokens.ts'

const vaultOf = (digits: string) => openVault({ secretKey: keyOf(digits.repeat(32)), dataDir: '/nowhere' })
const vault = vaultOf('0f')
const notificationId = '0192f0c1-6a53-7a53-9d1a-1f4f0a1c2b3d'

test('marketing needs consent, and everything an address', () => {
  const of = (category: 'marketing' | 'transactional', hasConsent: boolean, hasAddress: boolean) =>
    suppression({ category, hasConsent, hasAddress })
  equal(of('marketing', true, true), null)
  equal(of('marketing', false, true), 'no_consent')
  equal(of('marketing', true, false), 'no_address')
  equal(of('transactional', false, true), null)
  equal(of('transactional', false, false), 'no_address')
})

test('a mail is tried nine times over three days, a short message five times within two hours', () => {
  const spans = (['email', 'sms', 'push'] as const).map((channel) => {
    let [tries, ms] = [1, 0]
    for (let pause = pauseMs(channel, 1, { chance: 0 }); pause !== undefined; tries++) {
      ms += pause
      pause = pauseMs(channel, tries + 1, { chance: 0 })
    }
    return [tries, Math.round(ms / 360_000) / 10]
  })
  deepEqual(spans, [
    [9, 68.6],
    [5, 1.4],
    [5, 1.4],
  ])
})

test('a provider that keeps failing is left in peace, longer each time, and then asked once', () => {
  const line = { channel: 'email', category: 'marketing' } as const
  const failed = (before: Health, nowMs: number) => healthAfter(before, { isUnwell: true, nowMs })
  let health = healthy
  for (let at = 0; at < 4; at++) health = failed(health, 0)
  equal(placesFor(line, health, 0), 5)
  health = failed(health, 1_000)
  equal(placesFor(line, health, 1_999), 0)
  equal(placesFor(line, health, 2_000), 1)
  for (let at = 0; at < 50; at++) health = failed(health, 0)
  equal(placesFor(line, health, 59_999), 0)
  equal(placesFor(line, health, 60_000), 1)
  equal(placesFor(line, healthAfter(health, { isUnwell: false, nowMs: 0 }), 0), 5)
})

test('a refusal of the mail is for good; what is our own fault, or passes, is tried again', () => {
  const verdict = (it: Partial<SmtpError>) => {
    const { verdict, isUnwell } = replyOf(Object.assign(new Error('x'), it))
    return isUnwell ? `${verdict}, unwell` : verdict
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

test('a token of ours says what it was made for, and any other says nothing', () => {
  const trace = { environment: 'test', notificationId, link: 3 } as const
  const token = traceToken(vault, trace)
  deepEqual(traceOf(vault, token), trace)
  equal(token.length, 46)
  const farewell = { environment: 'live', consentId: notificationId } as const
  const goodbye = farewellToken(vault, farewell)
  deepEqual(farewellOf(vault, goodbye), farewell)
  for (let at = 0; at < token.length; at++) {
    const changed = token.slice(0, at) + (token[at] === 'A' ? 'B' : 'A') + token.slice(at + 1)
    const bytes = Buffer.from(changed, 'base64url')
    // The last character of base64 has bits that mean nothing.
    if (!bytes.equals(Buffer.from(token, 'base64url'))) equal(traceOf(vault, changed), undefined)
  }
  for (const text of ['', 'x', token.slice(1), `${token}AA`, goodbye]) equal(traceOf(vault, text), undefined)
  for (const text of ['', 'x', goodbye.slice(2), token]) equal(farewellOf(vault, text), undefined)
  equal(traceOf(vaultOf('1f'), token), undefined)
  equal(farewellOf(vaultOf('1f'), goodbye), undefined)
})

test('links of a mail lead through us by their number, and nothing else is touched', () => {
  const html =
    '<body><a href="https://a.uz/?x=1&amp;y=2">a</a><A class="b" HREF=\'https://b.uz\'>b</A><a href="https://a.uz/?x=1&amp;y=2">a</a><a href="mailto:x@y.uz">m</a><a href="https://shop.uz/u/1">u</a><img src="https://i.uz/1.png"></body>'
  deepEqual(targetsIn(html), ['https://a.uz/?x=1&y=2', 'https://b.uz', 'https://shop.uz/u/1'])
  equal(
    tracked(html, {
      linkTo: (it) => `https://s/m/${it}`,
      picture: 'https://s/m/0',
      except: 'https://shop.uz/u/1',
    }),
    '<body><a href="https://s/m/1">a</a><A class="b" HREF=\'https://s/m/2\'>b</A><a href="https://s/m/1">a</a><a href="mailto:x@y.uz">m</a><a href="https://shop.uz/u/1">u</a><img src="https://i.uz/1.png"><img src="https://s/m/0" width="1" height="1" alt="" /></body>',
  )
})

test('what only looks like a link is left as it is', () => {
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
    deepEqual(targetsIn(html), [], html)
    equal(tracked(html, { linkTo: String, picture: 'p', except: null }).startsWith(html), true, html)
  }
  const first = '<a href="https://a.uz" href="https://b.uz">x</a>'
  deepEqual(targetsIn(first), ['https://a.uz'])
  const behind = '<body>x</body><a href=" https://a.uz ">y</a>'
  equal(
    tracked(behind, { linkTo: (it) => `/m/${it}`, picture: 'p', except: null }),
    '<body>x</body><a href="/m/1">y</a><img src="p" width="1" height="1" alt="" />',
  )
})

test('only marketing carries a way out in its headers', () => {
  const message: Message = {
    id: notificationId,
    environment: 'test',
    category: 'marketing',
    to: ['a@b.uz'],
    name: 'A\r\nBcc: x@y.uz',
    content: { language: 'uz', subject: 's', text: 't', html: null },
    unsubscribeUrl: 'https://shop.uz/u/x',
  }
  const mail = mailOf(message, 'Shop <s@shop.uz>')
  const headers = mail.headers as Record<string, string>
  equal(headers['List-Unsubscribe'], '<https://shop.uz/u/x>')
  equal(headers['List-Unsubscribe-Post'], 'List-Unsubscribe=One-Click')
  equal(mail.messageId, `<${notificationId}@shop.uz>`)
  deepEqual(mail.to, { name: 'A Bcc: x@y.uz', address: 'a@b.uz' })
  const plain = mailOf({ ...message, category: 'transactional', unsubscribeUrl: null }, 's@shop.uz')
  ok(!('List-Unsubscribe' in (plain.headers as object)))
})
