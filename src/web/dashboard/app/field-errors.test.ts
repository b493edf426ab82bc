import { deepEqual } from 'node:assert/strict'
import { test } from 'node:test'
import { BozorError } from '../../../sdk/index.ts'
import { fieldErrors, pathErrors } from './field-errors.ts'

const refused = (...fields: object[]): BozorError =>
  new BozorError(
    { error: { code: 'validation_failed', message: 'Wrong', type: 'validation_error', details: { fields } } },
    { status: 400 },
  )

test('the limit of a field that is typed in sums is shown in sums', () => {
  const limited = (path: string) => ({
    path,
    rule: 'maximum',
    limit: 82_700_050,
    message: 'at most 82700050',
  })
  const inSums = 'at most 827\u00a0000.5'
  deepEqual(
    pathErrors(refused(limited('amount'), limited('price_tiyin'), limited('audience.0.tiyin'), limited('n'))),
    [
      ['amount', inSums],
      ['price_tiyin', inSums],
      ['audience.0.tiyin', inSums],
      ['n', 'at most 82700050'],
    ],
  )
})

test('the first message of a field stays, and a message without text is that of the error', () => {
  const error = refused(
    { path: 'rules.0.a', rule: 'x', message: 'first' },
    { path: 'rules.1', rule: 'x', message: 'second' },
    { path: 'name', rule: 'x' },
  )
  deepEqual(fieldErrors(error), { rules: 'first', name: 'Wrong' })
  deepEqual(fieldErrors(new Error('x')), {})
  deepEqual(fieldErrors(null), {})
})
