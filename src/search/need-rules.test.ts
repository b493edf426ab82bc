import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseNeedRules } from './need-rules.ts'

test('a rule has the words of each group that it names', () => {
  assert.deepEqual(parseNeedRules('# washing\n$wash = мыть, wash\n$car = машина, car\n$wash $car > мойка'), [
    {
      groups: [
        ['мыть', 'wash'],
        ['машина', 'car'],
      ],
      things: ['мойка'],
    },
  ])
})

test('a group that no line above defines is refused with its line', () => {
  assert.throws(() => parseNeedRules('$wash = мыть\n$wash $car > мойка'), /line 2 uses \$car/)
})

test('a group that is defined twice is refused with its line', () => {
  assert.throws(() => parseNeedRules('$wash = мыть\n$wash = стирать'), /line 2/)
})

test('words that are added to a group belong to the rules above as well', () => {
  const [rule] = parseNeedRules('$wash = мыть\n$car = машина\n$wash $car > мойка\n$wash += wash')
  assert.deepEqual(rule!.groups[0], ['мыть', 'wash'])
})

test('words cannot be added to a group that no line above defines', () => {
  assert.throws(() => parseNeedRules('$wash += мыть'), /line 1/)
})
