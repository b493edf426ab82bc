// In which language clients want to be written to.

import type { Reader, Tx } from '../../base/db.ts'
import type { Language } from '../../http/language.ts'

/** The choices of those who have made one. */
export async function languagesOf(
  read: Reader,
  clientIds: readonly number[],
): Promise<Map<number, Language>> {
  const rows = await read.all<{ clientId: number; language: Language }>(
    `select client_id as "clientId", language from marketing_languages where client_id = any($1::int8[])`,
    [clientIds],
  )
  return new Map(rows.map((it) => [it.clientId, it.language]))
}

export const saveLanguage = async (tx: Tx, clientId: number, language: Language): Promise<void> => {
  tx.later(
    `insert into marketing_languages (client_id, language) values ($1, $2)
     on conflict (client_id) do update set language = excluded.language`,
    [clientId, language],
  )
}
