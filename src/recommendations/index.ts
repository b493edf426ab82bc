// The door of recommendations: all that others may use. Measuring is behind a door of its own (`evaluate/`), because a
// server has no need of it.

export { openRecommendations, type Recommendations } from './open-recommendations.ts'
export { countPopularity } from './behaviour/count-popularity.ts'
export { countPopularityNightly, keepBehaviour, makeRoom } from './behaviour/jobs.ts'
export { reactions } from './behaviour/reactions.ts'
export { countListsNightly } from './experiments/count-days.ts'
export { interactionRecords } from './behaviour/records.ts'
export { trainNightly, usualSeed, usualThreads } from './training/run-training.ts'
export { type Outcome as TrainingOutcome, trainModel } from './training/train-model.ts'
export { importKnowledge, withoutKnowledge } from './outside/import-knowledge.ts'
export { joinToLive } from './training/join-to-live.ts'
export { activateModel } from './training/save-model.ts'
export { listModels, type ModelRecord } from './store/models.ts'
export { uploadRanker } from './upload-ranker.ts'
export { hasInteractions } from './store/behaviour.ts'
