export { readModels } from './read-models.js';
export { modelFacts } from './schema.js';
export { writeRefreshed } from './write-refreshed.js';
