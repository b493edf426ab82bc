#!/usr/bin/env node
import { runOnPinnedNode } from './bootstrap.js'

await runOnPinnedNode('test/exercise-image.ts', { needs: 'development' })
