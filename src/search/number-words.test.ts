import { equal } from 'node:assert/strict'
import { test } from 'node:test'
import { amountOfAdjective, amountsInDigits, pricesInDigits, radiiInDigits } from './number-words.ts'

const prices: [typed: string, read: string][] = [
  ['духи до миллиона', 'духи до 1 миллиона'],
  ['до полутора миллионов', 'до 1.5 миллионов'],
  ['до полмиллиона', 'до 0.5 миллиона'],
  ['besh yuz minggacha', '500 minggacha'],
  ['under two million', 'under 2 million'],
  ['сто лет одиночества', 'сто лет одиночества'],
]
for (const [typed, read] of prices)
  test(`reads the number words of the price "${typed}"`, () => equal(pricesInDigits(typed), read))

const amounts: [typed: string, read: string][] = [
  ['besh litr suv', '5 litr suv'],
  ['вода пять литров', 'вода 5 литров'],
  ['полтора литра воды', '1.5 литра воды'],
  ['три товарища', 'три товарища'],
]
for (const [typed, read] of amounts)
  test(`reads the number words of the amount "${typed}"`, () => equal(amountsInDigits(typed), read))

const adjectives: [word: string, amount: string | undefined][] = [
  ['пятилитровая', '5l'],
  ['литровый', '1l'],
  ['полулитровая', '0.5l'],
  ['двухкилограммовый', '2kg'],
  ['65дюймовый', '65in'],
  ['красивая', undefined],
]
for (const [word, amount] of adjectives)
  test(`${word} names the amount ${amount ?? 'of nothing'}`, () => equal(amountOfAdjective(word), amount))

const radii: [typed: string, read: string][] = [
  ['резина 16 радиус', 'резина r16'],
  ['шины радиус 15', 'шины r15'],
  ['17 радиуса', 'r17'],
  ['радиус 500 м', 'радиус 500 м'],
]
for (const [typed, read] of radii)
  test(`reads the radius of "${typed}"`, () => equal(radiiInDigits(typed), read))
