export { Random } from '../../libs/deployments/src/kills/random.js';
