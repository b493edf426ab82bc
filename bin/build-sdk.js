import { runOnPinnedNode } from './bootstrap.js'

await runOnPinnedNode('test/build-sdk.ts', { needs: 'development' })
