// Who may connect. An ordinary user runs PostgreSQL as itself, and the directory of the socket keeps others out. Root runs
// it as another account, whose processes could enter that directory: there, only root may connect.

import { chownSync, writeFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import type { Account } from './account.ts'
import { type AccessFiles, superuser } from './settings.ts'

const map = 'bozor'

/** Writes the files and returns their paths; undefined when the database runs as the current user. */
export function writeAccessFiles(cluster: string, account: Account): AccessFiles | undefined {
  if (!account) return undefined
  const files = { hbaFile: join(cluster, 'bozor_hba.conf'), identFile: join(cluster, 'bozor_ident.conf') }
  write(files.hbaFile, `local all all peer map=${map}\n`, account)
  write(files.identFile, `${map} "${userInfo().username}" ${superuser}\n`, account)
  return files
}

function write(path: string, text: string, account: { uid: number; gid: number }): void {
  writeFileSync(path, text, { mode: 0o400 })
  chownSync(path, account.uid, account.gid)
}
