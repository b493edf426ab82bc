import { runOnPinnedNode } from './bootstrap.js'

await runOnPinnedNode('bench/run.ts', { needs: 'development' })
