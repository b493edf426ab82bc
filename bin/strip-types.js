// Lets Node run our TypeScript inside a node_modules folder, where it does not strip types itself.

import { readFileSync } from 'node:fs'
import { registerHooks, stripTypeScriptTypes } from 'node:module'
import { fileURLToPath } from 'node:url'

const own = new URL('../', import.meta.url).href

registerHooks({
  load(url, context, nextLoad) {
    const path = url.startsWith(own) ? url.slice(own.length) : ''
    if (!path.endsWith('.ts') || path.startsWith('node_modules/')) return nextLoad(url, context)
    const source = stripTypeScriptTypes(readFileSync(fileURLToPath(url), 'utf8'))
    return { format: 'module', source, shortCircuit: true }
  },
})
