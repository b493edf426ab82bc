import { buildWeb } from '../web/build/build-web.ts'
import { webFolders } from '../web/build/folders.ts'
import type { Command } from './command.ts'

export const buildWebCommand: Command = {
  usage: '[--cache] [--json]',
  help: `Builds the pages of the dashboard and the shop, and prints the folder.

  Without options the folder is dist/web-<hash of the sources>: copy it into an image that has no development
  packages. A start builds by itself what is missing.

  --cache   build into the cache that a start uses, unless it is there
  --json    print JSON`,
  options: { cache: { type: 'boolean' }, json: { type: 'boolean' } },
  async run({ config, print }, { flags }) {
    const wanted = flags['cache'] === true ? 'cache' : 'prebuilt'
    const folder = await buildWeb(webFolders(config.dataDir), wanted)
    print(flags['json'] ? JSON.stringify({ folder }) : folder)
    return 0
  },
}
