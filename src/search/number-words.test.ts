import { equal } from 'node:assert/strict'
import { test } from 'node:test'
import {
  amountOfAdjective,
  amountsInDigits,
  areasInDigits,
  coloursInDigits,
  lettersOfModels,
  plainColours,
  pricesInDigits,
  radiiInDigits,
  sizesInDigits,
} from './number-words.ts'

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

test('reads both sides of an area in words', () => {
  equal(areasInDigits('ковёр три на четыре'), 'ковёр 3x4')
  equal(areasInDigits('полка на стену'), 'полка на стену')
  equal(areasInDigits('плёнка на два года'), 'плёнка на два года')
})

test('reads an ordinal before the word for size', () => {
  equal(sizesInDigits('памперсы пятый размер'), 'памперсы 5 размер')
  equal(sizesInDigits('пятый элемент'), 'пятый элемент')
})

test('reads the names of Latin letters before the number of a model', () => {
  equal(lettersOfModels('поко икс 7'), 'поко x 7')
  equal(lettersOfModels('хонор икс8с'), 'хонор x8с')
  equal(lettersOfModels('икс файлы'), 'икс файлы')
})

test('reads the sizes of diapers as people call them', () => {
  equal(sizesInDigits('подгузники двойка'), 'подгузники 2')
  equal(sizesInDigits('памперсы хаггис пятёрка'), 'памперсы хаггис 5')
  equal(sizesInDigits('костюм тройка'), 'костюм тройка')
})

test('counts pencils and paints by their colours', () => {
  equal(coloursInDigits('36 цветов карандаши'), '36 шт карандаши')
  equal(coloursInDigits('12 rangli qalam'), '12 шт qalam')
  equal(coloursInDigits('букет цветов'), 'букет цветов')
  equal(coloursInDigits('12 цветные карандаши'), '12 цветные карандаши')
})

test('reads the intensified colours of Uzbek', () => {
  equal(plainColours('oppoq krossovka'), 'oq krossovka')
  equal(plainColours('qop-qora ko‘ylak'), 'qora ko‘ylak')
  equal(plainColours('қип-қизил кўйлак'), 'қизил кўйлак')
  equal(plainColours('ko‘m-ko‘k gilam'), 'ko‘k gilam')
  equal(plainColours('qopqoq'), 'qopqoq')
})
