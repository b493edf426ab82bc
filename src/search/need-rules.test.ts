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
