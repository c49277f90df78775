export { type ModelsFiles, readModels } from './read-models.js';
