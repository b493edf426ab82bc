import { doesNotMatch, match } from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { readConfig } from '../base/config.ts'
import { welcome } from './welcome.ts'

test("the printed brand is unused at every start, and the owner's password is printed at the first", () => {
  const said = (lasting: boolean) =>
    welcome({
      address: 'http://127.0.0.1:8080',
      keys: { live: 'ak_live_x', test: 'ak_test_xX7Qa', lasting },
      member: lasting ? { email: 'owner@bozor.example', password: 'shown-once' } : undefined,
      shop: true,
      version: '1',
      config: readConfig({}),
    })
  match(said(true), /"slug":"my-brand"/)
  match(said(false), /"slug":"my-brand-x7qa"/)
  match(said(true), /password  shown-once\n/)
  doesNotMatch(said(false), /password/)
  match(said(true), /Shop +http:..127.0.0.1:8080.shop\n/)
})

test('the README repeats no brand that a start prints', () => {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
  match(readme, /"slug":"/)
  doesNotMatch(readme, /"slug":"my-brand/)
})
