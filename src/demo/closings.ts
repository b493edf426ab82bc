// How a description ends: what every buyer of a good wants to know.

import type { Three } from './goods/shelf.ts'

// oxfmt-ignore
const ofAll: Three[] = [
  ['Доставим по Ташкенту за день, по областям — за два-три.', 'Toshkent bo‘ylab bir kunda, viloyatlarga ikki-uch kunda yetkazamiz.', 'Delivered in a day in Tashkent, in two or three elsewhere.'],
  ['Можно забрать в пункте выдачи рядом с домом.', 'Uyingizga yaqin topshirish punktidan olib ketish mumkin.', 'A pick-up point near your home keeps it for you.'],
  ['Обмен и возврат в течение десяти дней.', 'O‘n kun ichida almashtirish va qaytarish mumkin.', 'Exchanges and returns are taken for ten days.'],
  ['Оплата картой, наличными или частями.', 'Karta, naqd pul yoki bo‘lib to‘lash mumkin.', 'Pay by card, in cash or in instalments.'],
]

// oxfmt-ignore
const ofMachines: Three[] = [
  ['Чек и гарантийный талон вложены в коробку.', 'Chek va kafolat taloni quti ichida.', 'The receipt and the warranty card are in the box.'],
  ['Сервисные центры работают во всех областях.', 'Servis markazlari barcha viloyatlarda ishlaydi.', 'There are service centres in every region.'],
]

const machines = new Set(['electronics', 'home-appliances', 'tools'])

export const closingsOf = (department: string): Three[] =>
  machines.has(department) ? [...ofAll, ...ofMachines] : ofAll
