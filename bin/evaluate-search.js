import { runOnPinnedNode } from './bootstrap.js'

await runOnPinnedNode('bench/search-quality/main.ts', { needs: 'development' })
