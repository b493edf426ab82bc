import { runOnPinnedNode } from './bootstrap.js'

await runOnPinnedNode('test/simulation/main.ts', { needs: 'development' })
