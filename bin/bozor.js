#!/usr/bin/env node
import { runOnPinnedNode } from './bootstrap.js'

await runOnPinnedNode('src/cli/main.ts', { needs: 'runtime' })
