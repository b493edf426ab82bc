import type { Operations } from '../../../sdk/index.ts'

/** What a member or an application may do. */
export type Scope = Operations['members.getMe']['reply']['scopes'][number]
