// The commands. Each is loaded when it is called, so that help and version need not load the platform.

import type { Command } from './command.ts'
import { exitCodes } from './exit-codes.ts'

interface CommandEntry {
  name: string
  summary: string
  load(): Promise<Command>
}

export const commands: CommandEntry[] = [
  {
    name: 'start',
    summary: 'start the platform',
    load: async () => (await import('./start.ts')).startCommand,
  },
  {
    name: 'migrate',
    summary: 'run pending database migrations',
    load: async () => (await import('./migrate.ts')).migrateCommand,
  },
  {
    name: 'backup',
    summary: 'write a consistent copy of the database while the server runs',
    load: async () => (await import('./backup.ts')).backupCommand,
  },
  {
    name: 'restore',
    summary: 'restore a backup',
    load: async () => (await import('./restore.ts')).restoreCommand,
  },
  {
    name: 'move',
    summary: 'move everything to your own PostgreSQL',
    load: async () => (await import('./move.ts')).moveCommand,
  },
  {
    name: 'demo',
    summary: 'load the demo shop into both environments',
    load: async () => (await import('./demo.ts')).demoCommand,
  },
  {
    name: 'import',
    summary: 'import records from an NDJSON file',
    load: async () => (await import('./import.ts')).importCommand,
  },
  {
    name: 'export',
    summary: 'export records as NDJSON',
    load: async () => (await import('./export.ts')).exportCommand,
  },
  {
    name: 'app',
    summary: 'register and list applications',
    load: async () => (await import('./app.ts')).appCommand,
  },
  {
    name: 'key',
    summary: 'create, list, rotate and revoke API keys',
    load: async () => (await import('./key.ts')).keyCommand,
  },
  {
    name: 'member',
    summary: 'manage members of the dashboard',
    load: async () => (await import('./member.ts')).memberCommand,
  },
  {
    name: 'orders',
    summary: 'list, show and process orders',
    load: async () => (await import('./orders.ts')).ordersCommand,
  },
  {
    name: 'stock',
    summary: 'show and adjust the stock of offers',
    load: async () => (await import('./stock.ts')).stockCommand,
  },
  {
    name: 'promotions',
    summary: 'list promotions and end them',
    load: async () => (await import('./promotions.ts')).promotionsCommand,
  },
  {
    name: 'jobs',
    summary: 'list scheduled jobs and run one now',
    load: async () => (await import('./jobs.ts')).jobsCommand,
  },
  {
    name: 'login',
    summary: 'store an API key for listen, events and trigger',
    load: async () => (await import('./login.ts')).loginCommand,
  },
  {
    name: 'logout',
    summary: 'remove a stored API key',
    load: async () => (await import('./login.ts')).logoutCommand,
  },
  {
    name: 'listen',
    summary: 'forward events to a program on this machine as webhooks',
    load: async () => (await import('./listen.ts')).listenCommand,
  },
  {
    name: 'events',
    summary: 'follow, list and show events',
    load: async () => (await import('./events.ts')).eventsCommand,
  },
  {
    name: 'trigger',
    summary: 'make an event happen in the test environment',
    load: async () => (await import('./trigger.ts')).triggerCommand,
  },
  {
    name: 'profile',
    summary: 'take a CPU profile of the running server',
    load: async () => (await import('./profile.ts')).profileCommand,
  },
  {
    name: 'logs',
    summary: 'show the log of the server',
    load: async () => (await import('./logs.ts')).logsCommand,
  },
  {
    name: 'doctor',
    summary: 'check this machine, the configuration and the database',
    load: async () => (await import('./doctor.ts')).doctorCommand,
  },
  {
    name: 'build-web',
    summary: 'build the pages of the dashboard and the shop',
    load: async () => (await import('./build-web.ts')).buildWebCommand,
  },
  {
    name: 'train',
    summary: 'train the recommendation model',
    load: async () => (await import('./train.ts')).trainCommand,
  },
  {
    name: 'training-data',
    summary: 'export training data for external engines',
    load: async () => (await import('./training-data.ts')).trainingDataCommand,
  },
  {
    name: 'model',
    summary: 'list and activate models, import results of other engines',
    load: async () => (await import('./model.ts')).modelCommand,
  },
  {
    name: 'evaluate',
    summary: 'measure the recommender on files',
    load: async () => (await import('./evaluate.ts')).evaluateCommand,
  },
  {
    name: 'mcp',
    summary: 'serve the tools of the shop to an agent on stdin and stdout',
    load: async () => (await import('./mcp.ts')).mcpCommand,
  },
  {
    name: 'completion',
    summary: 'print completion for a shell',
    load: async () => (await import('./completion.ts')).completionCommand(commands),
  },
]

/** The help of one command, or of all. */
export async function helpText(name: string | undefined): Promise<string> {
  const command = await commands.find((it) => it.name === name)?.load()
  if (command) return `bozor ${name} ${command.usage}\n\n${command.help}\n`
  const width = Math.max(...commands.map((it) => it.name.length))
  return `Bozor: an e-commerce backend that starts with one command.

  npm start                      start the platform
  npm run bozor -- COMMAND …     run a command (npx bozor COMMAND … when installed)

${commands.map((it) => `  ${it.name.padEnd(width)}  ${it.summary}`).join('\n')}

  "help COMMAND" shows details. All commands work while the server runs on the same DATA_DIR. With --json, stdout has JSON
  only, and the reason of a failure is {"error": {"code": …, "message": …}} on stderr. Only start, mcp and completion have
  no --json.

Exit codes:
${Object.values(exitCodes)
  .map(({ code, meaning }) => `  ${code}  ${meaning}`)
  .join('\n')}
`
}
