// The demo clients. All are fictional: email addresses use example domains, and the phone code 00 does not exist.

import type { SeededRandom } from './seeded-random.ts'
import type { ClientRecord } from './record.ts'

export const clientCount = 2_000

type Named = readonly [name: string, handle: string]

const named = (list: string): Named[] => list.split(', ').map((it) => [it, handleOf(it)])
const handleOf = (name: string): string => name.toLowerCase().replaceAll(/[‘’]/g, '')

// oxfmt-ignore
const uzbek = {
  men: named('Aziz, Bekzod, Jasur, Sardor, Otabek, Sherzod, Ulug‘bek, Dilshod, Farrux, Islom, Jahongir, Kamol, Laziz, Mansur, Nodir, Odil, Rustam, Sanjar, Temur, Umid, Doniyor, Shoxrux, Alisher, Bobur, G‘ayrat, Ilhom, Javohir, Murod, O‘tkir, Zafar'),
  women: named('Aziza, Barno, Charos, Dilnoza, Feruza, Gulnora, Hilola, Iroda, Kamola, Lola, Malika, Nargiza, Oydin, Parizod, Ra’no, Sevara, Shahnoza, Umida, Xurshida, Yulduz, Zulfiya, Mohira, Nodira, Saodat, Madina, Nilufar, Zarina, Gavhar'),
  families: named('Karimov, Rahimov, Yusupov, Abdullayev, Tursunov, Ergashev, Saidov, Nazarov, Ismoilov, Mirzayev, Qodirov, Umarov, Xolmatov, Jo‘rayev, Toshpo‘latov, Sodiqov, Normatov, Hakimov, Usmonov, Ahmedov, Sobirov, Eshmatov, G‘aniyev, To‘rayev, Olimov, Rasulov, Islomov, Xasanov'),
}
// oxfmt-ignore
const russian = {
  men: [['Александр', 'aleksandr'], ['Дмитрий', 'dmitriy'], ['Сергей', 'sergey'], ['Андрей', 'andrey'], ['Тимур', 'timur'], ['Виктор', 'viktor'], ['Руслан', 'ruslan'], ['Игорь', 'igor'], ['Максим', 'maksim'], ['Олег', 'oleg']] satisfies Named[],
  women: [['Анна', 'anna'], ['Елена', 'yelena'], ['Ольга', 'olga'], ['Наталья', 'natalya'], ['Мария', 'mariya'], ['Виктория', 'viktoriya'], ['Диана', 'diana'], ['Ирина', 'irina'], ['Светлана', 'svetlana'], ['Алина', 'alina']] satisfies Named[],
  families: [['Иванов', 'ivanov'], ['Петров', 'petrov'], ['Соколов', 'sokolov'], ['Кузнецов', 'kuznetsov'], ['Попов', 'popov'], ['Васильев', 'vasilyev'], ['Смирнов', 'smirnov'], ['Волков', 'volkov'], ['Морозов', 'morozov'], ['Каримов', 'karimov'], ['Исмаилов', 'ismailov'], ['Юсупов', 'yusupov']] satisfies Named[],
}

/** Coprime to ten million, so that no two clients get the same phone number. */
const phoneStep = 1_234_567
const phones = 10_000_000

/** Clients in the order of their ids, each with a UUID as external id and without a password. */
export function clients(chance: SeededRandom): ClientRecord[] {
  const shift = chance.whole('phones', 0, phones - 1)
  return Array.from({ length: clientCount }, (_, at) => {
    const id = at + 1
    const { name, handle } = personOf(id, chance)
    const domain = chance.oneOf(`domain/${id}`, ['example.com', 'example.org', 'example.net'])
    return {
      record: 'client',
      id,
      name,
      phone: `+99800${String((id * phoneStep + shift) % phones).padStart(7, '0')}`,
      email: `${handle}.${id}@${domain}`,
      external_ids: [chance.uuid(`client/${id}`)],
    }
  })
}

function personOf(id: number, chance: SeededRandom): { name: string; handle: string } {
  const isRussian = chance.share(`people/${id}`) < 0.22
  const isWoman = chance.share(`woman/${id}`) < 0.52
  const people = isRussian ? russian : uzbek
  const [first, firstHandle] = chance.oneOf<Named>(`first/${id}`, isWoman ? people.women : people.men)
  const [family, familyHandle] = chance.oneOf<Named>(`family/${id}`, people.families)
  const ending = isWoman ? (isRussian ? 'а' : 'a') : ''
  return {
    name: `${first} ${family}${ending}`,
    handle: `${firstHandle}.${familyHandle}${isWoman ? 'a' : ''}`,
  }
}
