import { runOnPinnedNode } from './bootstrap.js'

await runOnPinnedNode('test/check-openapi.ts', { needs: 'development' })
