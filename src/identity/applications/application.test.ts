import { equal } from 'node:assert/strict'
import { test } from 'node:test'
import { type ApplicationType, isRedirectUrl } from './application.ts'

// oxfmt-ignore
const addresses: [string, ...ApplicationType[]][] = [
  ['https://shop.example/signed-in?from=bozor', 'web', 'mobile', 'server'],
  ['http://shop.example/signed-in',             'web', 'server'],
  ['http://localhost:3000/back',                'web', 'mobile', 'server'],
  ['http://127.0.0.1/back',                     'web', 'mobile', 'server'],
  ['http://[::1]:9/back',                       'web', 'mobile', 'server'],
  ['https://localhost/back',                    'web', 'server'],
  ['uz.shop.app:/signed-in',                    'mobile'],
  ['uz.shop.app://signed-in',                   'mobile'],
  ['com.googleusercontent.apps.1-a:/back',      'mobile'],
  ['uz.shop.app:/signed-in#x'],
  ['UZ.shop.app:/signed-in'],
  ['uz.shop.app:/signed in'],
  ['shop:/signed-in'],
  ['javascript:alert(1)'],
  ['data:text/html,x'],
  ['file:///etc/passwd'],
  ['blob:https://shop.example/x'],
  ['https://shop.example/#x'],
  ['https://me:pw@shop.example/'],
  ['https://дўкон.example/'],
  ['https://'],
  ['/signed-in'],
  [''],
]

test('accepts web addresses as redirect URLs, and custom schemes for mobile applications', () => {
  for (const [address, ...types] of addresses)
    for (const type of ['web', 'mobile', 'server'] as const)
      equal(isRedirectUrl(address, type), types.includes(type), `${type} ${address}`)
})
