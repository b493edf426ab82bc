#!/usr/bin/env node
import { runOnPinnedNode } from './bootstrap.js'

await runOnPinnedNode('src/main.ts', { needs: 'runtime' })
