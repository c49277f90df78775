export { Random } from './deployments/kills/random.js';
