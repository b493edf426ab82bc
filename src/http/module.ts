import type { Job } from '../base/jobs.ts'
import type { Reaction } from '../base/outbox.ts'
import type { RecordKind } from '../base/records/record-kind.ts'
import type { Gauge } from './metrics.ts'
import type { RawRoute } from './raw-route.ts'
import type { Route } from './route.ts'
import type { Page } from './server.ts'

/** What a module contributes to the platform. Every `openX` returns one; `app.ts` collects the parts. */
export interface Module {
  routes?: Route[]
  /** Paths outside the reply envelope, such as HTML pages. */
  pages?: Page[]
  /** Paths that handle the raw request themselves. */
  rawRoutes?: RawRoute[]
  jobs?: Job[]
  reactions?: Reaction[]
  recordKinds?: readonly RecordKind[]
  /** What must be loaded before the process is ready, by the names that `/readyz` shows. */
  readiness?(): Record<string, boolean>
  /** Whether other servers are reachable that the platform can work without for a while, by the names that `/readyz` shows. */
  dependencies?(): Record<string, boolean>
  /** Figures for `/metrics`, read at every scrape. Figures of one name must follow each other. */
  gauges?(): Promise<Gauge[]>
  start?(): void | Promise<void>
  /** Resolves when everything that `start` loads in the background is loaded. */
  loaded?(): Promise<void>
  close?(): void | Promise<void>
}
