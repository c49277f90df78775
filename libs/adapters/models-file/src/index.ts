export { readModels } from './read-models.js';
export { modelConfidence, modelFacts, modelLifecycle } from './schema.js';
export { writeRefreshed } from './write-refreshed.js';
