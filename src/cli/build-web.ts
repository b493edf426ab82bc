import { buildWeb } from '../web/build/build-web.ts'
import { webFolders } from '../web/build/folders.ts'
import type { Command } from './command.ts'

export const buildWebCommand: Command = {
  usage: '[--cache]',
  help: `Builds the pages of the dashboard and the shop, and prints the folder.

  Without options the folder is dist/web-<hash of the sources>: copy it into an image that has no development
  packages. A start builds by itself what is missing.

  --cache   build into the cache that a start uses, unless it is there`,
  options: { cache: { type: 'boolean' } },
  async run({ config, print }, { flags }) {
    const wanted = flags['cache'] === true ? 'cache' : 'prebuilt'
    print(await buildWeb(webFolders(config.dataDir), wanted))
    return 0
  },
}
