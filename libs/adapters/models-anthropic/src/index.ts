export { anthropicModels } from './anthropic-models.js';
