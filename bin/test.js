import { runOnPinnedNode } from './bootstrap.js'

await runOnPinnedNode('test/run.ts', { needs: 'development' })
