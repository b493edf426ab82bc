// The built pages for tests that open them. They are built once per state of the sources, by the first test that asks.

import { buildWeb } from '../../src/web/build/build-web.ts'
import { webFolders } from '../../src/web/build/folders.ts'

export const ensureWebPages = (): Promise<string> => buildWeb(webFolders('./data'), 'cache')
