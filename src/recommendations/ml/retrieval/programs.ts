// Every program that threads can run, by name.

import { ialsShare } from './ials.ts'
import { sweepShare } from './inverse.ts'
import { ridgeShare } from './ridge.ts'
import type { Program } from './threads.ts'

export const programs: Record<string, Program> = { sweep: sweepShare, ials: ialsShare, ridge: ridgeShare }
