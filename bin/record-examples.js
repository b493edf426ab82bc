import { runOnPinnedNode } from './bootstrap.js'

await runOnPinnedNode('test/examples/record.ts', { needs: 'development' })
