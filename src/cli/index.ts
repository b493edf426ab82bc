import { appCommand } from './app.ts'
import type { Command } from './command.ts'
import { demoCommand } from './demo.ts'
import { doctorCommand } from './doctor.ts'
import { evaluateCommand } from './evaluate.ts'
import { exportCommand } from './export.ts'
import { importCommand } from './import.ts'
import { jobsCommand } from './jobs.ts'
import { keyCommand } from './key.ts'
import { memberCommand } from './member.ts'
import { migrateCommand } from './migrate.ts'
import { modelCommand } from './model.ts'
import { startCommand } from './start.ts'
import { trainCommand } from './train.ts'
import { trainingDataCommand } from './training-data.ts'

export const commands: Command[] = [
  startCommand,
  migrateCommand,
  demoCommand,
  importCommand,
  exportCommand,
  appCommand,
  keyCommand,
  memberCommand,
  jobsCommand,
  doctorCommand,
  trainCommand,
  trainingDataCommand,
  modelCommand,
  evaluateCommand,
]

/** The help of one command, or of all. */
export function helpText(name: string | undefined): string {
  const command = commands.find((it) => it.name === name)
  if (command) return `bozor ${command.name} ${command.usage}\n\n${command.help}\n`
  const width = Math.max(...commands.map((it) => it.name.length))
  return `Bozor: a shop's whole backend that starts with one command.

  npm start                      start the platform
  npm run bozor -- COMMAND …     everything else (npx bozor COMMAND … where it is installed)

${commands.map((it) => `  ${it.name.padEnd(width)}  ${it.summary}`).join('\n')}

  help COMMAND tells more. All commands work while the server runs on the same DATA_DIR.
`
}
