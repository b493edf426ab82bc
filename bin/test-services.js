import { runOnPinnedNode } from './bootstrap.js'

await runOnPinnedNode('test/services/run.ts', { needs: 'development' })
