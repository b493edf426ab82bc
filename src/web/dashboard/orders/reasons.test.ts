import { equal } from 'node:assert/strict'
import { test } from 'node:test'
import { textsIn } from '../app/language.ts'
import { reasonIn, reasonTexts } from './reasons.ts'

test('reasons of the platform are in words, and those that people wrote stay', () => {
  const t = textsIn(reasonTexts, 'en')
  equal(reasonIn(t, 'unpaid'), 'It was not paid in time')
  equal(reasonIn(t, 'return 01a1f06b-75d3-79f9-9b36-8c6df5ec18ad'), 'For a return')
  equal(reasonIn(t, 'card_declined'), 'The bank declined the card')
  for (const written of ['return it, please', 'Damaged', 'toString']) equal(reasonIn(t, written), written)
})
