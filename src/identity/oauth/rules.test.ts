import { deepEqual, equal, match } from 'node:assert/strict'
import { test } from 'node:test'
import { environmentOfForm, formOf } from './form.ts'
import { requestableOf, grantedScopes } from './scope.ts'
import { environmentOfAnyToken, environmentOfApplicationId, environmentOfToken, newToken } from './token.ts'

const formType = { 'content-type': 'application/x-www-form-urlencoded' }
const read = (body: string, headers: Record<string, string> = formType) => formOf(headers, Buffer.from(body))

test('a token shows its kind and environment and has more than 250 random bits', () => {
  for (const environment of ['live', 'test'] as const) {
    const token = newToken('access', environment)
    match(token, /^at_(live|test)_[0-9A-Za-z]{43}$/)
    equal(environmentOfToken(token, 'access'), environment)
    equal(environmentOfToken(token, 'refresh'), undefined)
    equal(environmentOfAnyToken(token), environment)
    equal(environmentOfAnyToken(`${token}x`), undefined)
  }
  equal(43 * Math.log2(62) > 250, true)
})

test('without a scope all allowed scopes are granted; requested scopes are granted exactly or refused', () => {
  const allowed = ['catalog:read', 'cart:write'] as const
  const cases: [string | undefined, string[] | undefined][] = [
    [undefined, ['catalog:read', 'cart:write']],
    ['cart:write', ['cart:write']],
    ['cart:write catalog:read cart:write', ['catalog:read', 'cart:write']],
    ['cart:write admin:read', undefined],
    ['cart:*', undefined],
    ['admin:*', undefined],
    ['catalog:read nonsense', undefined],
    ['catalog:read  cart:write', undefined],
    [' catalog:read', undefined],
    ['catalog:read\ncart:write', undefined],
    ['', undefined],
  ]
  for (const [asked, given] of cases) deepEqual(grantedScopes(asked, allowed), given, String(asked))
  equal(grantedScopes(undefined, []), undefined)
})

test('only buyer scopes can be requested from a buyer', () => {
  deepEqual(requestableOf(['admin:write', 'catalog:write', 'orders:write', 'marketing:read']), [
    'orders:write',
  ])
})

test('rejects ambiguous forms', () => {
  deepEqual(Object.fromEntries(read('a=1&b=%D1%8F+x&c=&d') as Map<string, string>), {
    a: '1',
    b: 'я x',
    c: '',
    d: '',
  })
  deepEqual(read('', { 'content-type': 'application/x-www-form-urlencoded; charset=UTF-8' }), new Map())
  const unreadable = [
    'a=1&a=2',
    'a=1&%61=2',
    'a=%',
    'a=%ff',
    'a=%c0%80',
    'a=%00',
    '%00=a',
    'a=\uD800x%ed%a0%80',
  ]
  for (const body of unreadable) equal(typeof read(body), 'string', body)
  equal(typeof formOf(formType, Buffer.from([0x61, 0x3d, 0xff])), 'string')
  const types = ['application/json', 'application/x-www-form-urlencoded; charset=utf-16', 'text/plain', '']
  for (const type of types) equal(typeof read('a=1', { 'content-type': type }), 'string', type)
  equal(typeof read('a=1', { ...formType, 'content-encoding': 'gzip' }), 'string')
})

test('the application id selects the environment, else the token', () => {
  const id = `app_test_${'x'.repeat(20)}`
  const token = newToken('refresh', 'test')
  const basic = `Basic ${Buffer.from(`${id}:secret`).toString('base64')}`
  equal(environmentOfApplicationId(id), 'test')
  equal(environmentOfForm({}, new Map([['client_id', id]])), 'test')
  equal(environmentOfForm({ authorization: basic }, new Map()), 'test')
  const encoded = `Basic ${Buffer.from(`${id.replaceAll('_', '%5F')}:secret`).toString('base64')}`
  equal(environmentOfForm({ authorization: encoded }, new Map()), 'test')
  equal(environmentOfForm({}, new Map([['refresh_token', token]])), 'test')
  equal(
    environmentOfForm(
      {},
      new Map([
        ['client_id', id.replace('test', 'live')],
        ['token', token],
      ]),
    ),
    'live',
  )
  equal(environmentOfForm({ authorization: 'Basic !' }, new Map()), 'live')
})
