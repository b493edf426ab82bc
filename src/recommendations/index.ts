// The door of recommendations: all that others may use. Measuring is behind a door of its own (`evaluate/`), because a
// server has no need of it.

export { recommendationRoutes } from './routes.ts'
export { countPopularity } from './behaviour/count-popularity.ts'
export { countPopularityNightly, keepBehaviour, makeRoom } from './behaviour/jobs.ts'
export { interactionRecords } from './behaviour/records.ts'
export { hasInteractions } from './store/behaviour.ts'
