import { runOnPinnedNode } from './bootstrap.js'

await runOnPinnedNode('test/check.ts', { needs: 'development' })
